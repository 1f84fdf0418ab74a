import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { ToolFailed } from "@kumiko/plugin-api";

/** Whether a call may talk to a host or an address, by the gate. */
export type HostCheck = (host: string) => Promise<boolean>;

// Addresses that the outside world does not have: a name from there that leads here may be a trick.
const inside = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [address, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  inside.ipv4.addSubnet(address, bits, "ipv4");
// Addresses of version 4 within version 6 are looked at as what they hold, and so always put before the gate.
for (const [address, bits] of [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  inside.ipv6.addSubnet(address, bits, "ipv6");

/** Whether an address is not one of the internet at large. */
export const isInside = (address: string): boolean => {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return inside[family].check(address, family);
};

/**
 * Resolves names as Node does, for one call: an address within this machine or its networks is put before the gate, and
 * the connection is made to the address that was looked at. The error of one that may not be used is a `ToolFailed`.
 */
export const checkedLookup =
  (check: HostCheck): LookupFunction =>
  (hostname, options, callback) => {
    // oxlint-disable promise/no-callback-in-promise -- what Node asks for has a callback
    addressesOf(hostname, options, check).then(
      ([first, ...others]) =>
        options.all === true ? callback(null, [first, ...others]) : callback(null, first.address, first.family),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), "", 0),
    );
    // oxlint-enable promise/no-callback-in-promise
  };

const addressesOf = async (
  host: string,
  options: LookupOptions,
  check: HostCheck,
): Promise<readonly [LookupAddress, ...ReadonlyArray<LookupAddress>]> => {
  const addresses = await lookup(host, { ...options, all: true });
  const allowed: Array<LookupAddress> = [];
  for (const found of addresses) if (!isInside(found.address) || (await check(found.address))) allowed.push(found);
  const [first, ...others] = allowed;
  if (first === undefined) throw refusedAddress(host, addresses[0]?.address ?? "nowhere");
  return [first, ...others];
};

const refusedAddress = (host: string, address: string): ToolFailed =>
  new ToolFailed({
    kind: "refused",
    detail: `${host} leads to ${address}, which this call may not talk to.`,
    hint: "Addresses of this network have to be allowed by themselves; link-local ones never are.",
  });
