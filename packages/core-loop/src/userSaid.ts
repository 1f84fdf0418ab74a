import { type ImagePart, type UserMessage, userText } from "@kumiko/plugin-api";
import { RunRefused, type RunRequest } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";

/** Images of one message. Providers take 20 to 100; each costs some thousand tokens with every model call from then on. */
const mostImages = 20;
/** Characters of one image in base64, some 3.7 MB: what the strictest provider takes. */
const mostCharacters = 5_000_000;
/** … and of all of a message: requests are limited to 32 MB. */
const mostOfAll = 20_000_000;

/** What a request says, as the conversation has it: the images first, as providers advise. */
export const userSaid = ({ images = [], input }: Pick<RunRequest, "images" | "input">): UserMessage =>
  images.length === 0
    ? userText(input)
    : {
        role: "user",
        parts: [
          ...images.map(({ data, mediaType }): ImagePart => ({ type: "image", mediaType, data })),
          { type: "text", text: input },
        ],
      };

/** Refuses images that no provider would take, before anything is written down. */
export const checkImages = ({
  images = [],
  sessionKey,
}: Pick<RunRequest, "images" | "sessionKey">): Effect.Effect<void, RunRefused> => {
  const detail = imageProblem(images);
  return detail === undefined
    ? Effect.void
    : Effect.fail(new RunRefused({ reason: "bad-image", sessionKey, detail: `the images are not taken: ${detail}` }));
};

const imageProblem = (images: ReadonlyArray<ImagePart>): string | undefined => {
  if (images.length > mostImages) return `there are ${images.length}, and a message takes ${mostImages}`;
  let characters = 0;
  for (const [index, { data, mediaType }] of images.entries()) {
    const which = `image ${index + 1}`;
    if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType))
      return `${which} is of type ${mediaType.slice(0, 100)}, and models take image/png, image/jpeg, image/gif and image/webp`;
    if (data.length > mostCharacters)
      return `${which} has ${data.length} characters of base64, and ${mostCharacters} are taken: make it smaller`;
    if (!isBase64(data)) return `${which} is no base64`;
    characters += data.length;
  }
  return characters > mostOfAll
    ? `together they have ${characters} characters of base64, and ${mostOfAll} are taken: give fewer, or smaller ones`
    : undefined;
};

const isBase64 = (data: string): boolean =>
  data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
