import { hash } from "node:crypto";

const maxLength = 120;

/**
 * The file name of a stream: its id, with whatever a file system may not take for itself (capitals, where case does not
 * count) written as `%XX`. Long ids are cut and end in a hash; which id it was then stands in the file.
 */
export const fileNameOf = (streamId: string): string => {
  let name = "";
  for (const byte of Buffer.from(streamId, "utf8")) {
    const character = String.fromCharCode(byte);
    name += /[a-z0-9_.-]/.test(character) && !(name === "" && character === ".") ? character : percent(byte);
  }
  return `${name.length > maxLength ? `${name.slice(0, maxLength - 34)}~${hash("sha256", streamId).slice(0, 32)}` : name}.db`;
};

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** The id behind a file name; undefined: the name does not tell, or is no session's. */
export const streamIdOf = (fileName: string): string | undefined => {
  if (!fileName.endsWith(".db") || fileName.includes("~")) return undefined;
  try {
    const id = decodeURIComponent(fileName.slice(0, -3));
    return id !== "" && fileNameOf(id) === fileName ? id : undefined;
  } catch {
    return undefined;
  }
};
