import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

const keyLength = 32;

/** Hashes a password with a salt of its own: `salt:hash`, both in hexadecimal. */
export function hashPassword(password: string): string {
  // TODO: refuse passwords that appear in known leaks
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${scryptSync(password, salt, keyLength).toString("hex")}`;
}

export function verifyPassword(password: string, stored: string): boolean {
  const [salt = "", hash = ""] = stored.split(":");
  const given = scryptSync(password, salt, keyLength);
  return timingSafeEqual(given, Buffer.from(hash, "hex"));
}
