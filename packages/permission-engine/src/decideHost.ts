import type { Decision } from "@kumiko/plugin-api";
import type { PermissionMode } from "./CommandPolicy.ts";
import { canonicalHost, hostKind } from "./HostAddress.ts";
import { hostOf } from "./hostOf.ts";

/** A host that a call would talk to. */
export interface HostRequest {
  /** A name or an address; a port may follow. */
  readonly host: string;
  readonly mode: "read" | "write";
}

/** What hosts are judged by. */
export interface HostPolicy {
  /** Host names, `*.domain` for a domain and all below it, `*` for all. */
  readonly allow: ReadonlyArray<string>;
  /** Default: `ask`. */
  readonly mode?: PermissionMode;
}

/**
 * Decides about a host by its text: loopback is allowed, link-local and metadata addresses are denied in every spelling,
 * others need to be listed. Pure and total. What a name resolves to, and where a redirect leads, is for the tool that
 * connects to put here again.
 */
export const decideHost = ({ host, mode: use }: HostRequest, policy: HostPolicy): Decision => {
  const named = hostOf(host);
  const kind = named === undefined ? "invalid" : hostKind(named);
  const mode = policy.mode ?? "ask";
  const answer = (verdict: Decision["verdict"], layer: Decision["layer"], reason: string, rule?: string): Decision => ({
    verdict,
    layer,
    ...(rule === undefined ? {} : { rule }),
    part: host,
    reason,
    risk: use === "read" ? "read" : "remote-write",
    resources: [{ key: `net:${named ?? host}`, mode: use }],
    effects: [{ kind: "connect", target: named ?? host }],
  });
  if (kind === "link-local")
    return answer("deny", "deny-rule", "link-local and metadata addresses are never contacted", "link-local");
  if (mode === "plan" && use === "write") return answer("deny", "mode", "in plan mode only reading is allowed", "plan");
  if (host.trim() === "") return answer("deny", "default", "there is no host");
  if (kind === "invalid")
    return answer(mode === "auto" ? "deny" : "ask", "default", "this is no host that can be judged");
  if (kind === "loopback") return answer("allow", "safe-list", "it is this machine", "loopback");
  const rule = policy.allow.find((pattern) => isListed(named ?? "", pattern));
  if (rule !== undefined)
    return answer("allow", "allow-rule", `the network rule ${JSON.stringify(rule)} allows it`, rule);
  if (mode === "auto") return answer("allow", "mode", "auto mode allows what no rule denies", "auto");
  return answer("ask", "default", "no network rule allows this host");
};

const isListed = (host: string, pattern: string): boolean => {
  if (pattern === "*") return true;
  const name = canonicalHost(host);
  if (!pattern.startsWith("*.")) return name === canonicalHost(pattern);
  const domain = canonicalHost(pattern.slice(2));
  return domain !== undefined && (name === domain || name?.endsWith(`.${domain}`) === true);
};
