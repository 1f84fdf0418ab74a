import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A key and a certificate, both PEM. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** The second is nobody's: a test reaches it through a proxy of its own. */
const names = ["localhost", "model.example"];

/**
 * Makes a certificate for `127.0.0.1`, `localhost` and `model.example` that nobody but itself has signed, valid from 2020 to 2049. Made
 * anew each time, so that no key need lie in a repository. Node can sign but not write certificates, so the few DER
 * structures of one are written here.
 */
export const selfSigned = (): SelfSigned => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(objectId(0x55, 0x04, 0x03), der(0x0c, Buffer.from("localhost")))));
  const algorithm = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const serial = randomBytes(8);
  // The first bit is a sign, the first byte must not be zero.
  serial[0] = 0x40 | ((serial[0] ?? 0) % 0x40);
  const hosts = names.map((host) => der(0x82, Buffer.from(host)));
  const alternatives = sequence(...hosts, der(0x87, Buffer.of(127, 0, 0, 1)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    algorithm,
    name,
    sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z"))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(objectId(0x55, 0x1d, 0x11), der(0x04, alternatives)))),
  );
  const signature = sign("sha256", body, { key: privateKey, dsaEncoding: "der" });
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = (certificate.toString("base64").match(/.{1,64}/g) ?? []).join("\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
};

const der = (tag: number, content: Uint8Array): Buffer => {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};

const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => der(0x30, Buffer.concat(parts));
const set = (...parts: ReadonlyArray<Uint8Array>): Buffer => der(0x31, Buffer.concat(parts));
const objectId = (...bytes: ReadonlyArray<number>): Buffer => der(0x06, Buffer.of(...bytes));
