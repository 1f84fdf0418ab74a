import type { Decision } from "@kumiko/plugin-api";
import type { PermissionMode } from "./CommandPolicy.ts";
import { isInside, pathKey, resolvePath } from "./PathKey.ts";
import { sensitiveRule } from "./SensitivePath.ts";
import { isHarnessConfig, isRawDevice } from "./TargetPath.ts";

/** A file that a call would open. */
export interface PathRequest {
  /** A relative one starts at `cwd`; symlinks already followed where that matters (`RealPath.node.ts`). */
  readonly path: string;
  readonly mode: "read" | "write";
}

/** What files are judged by. All absolute. */
export interface PathPolicy {
  readonly cwd: string;
  readonly home: string;
  /** Folders that count as the workspace besides `cwd`. Default: none. */
  readonly workspaceRoots?: ReadonlyArray<string>;
  /** Default: `ask`. */
  readonly mode?: PermissionMode;
}

/**
 * Decides about a file by its path: reads inside the workspace are allowed, writes there ask (`accept-edits` allows
 * them), everything outside asks, and so does what is sensitive, in any spelling. The harness's own configuration and
 * raw devices are never written. Pure and total; symlinks are not followed here.
 *
 * @example
 * ```ts
 * decidePath({ path: "/srv/project/ID_RSA", mode: "read" }, { cwd: "/srv/project", home: "/home/u" }).verdict // => "ask"
 * ```
 */
export const decidePath = ({ path, mode: use }: PathRequest, policy: PathPolicy): Decision => {
  const mode = policy.mode ?? "ask";
  const resolved = resolvePath(policy.cwd, path);
  const answer = (verdict: Decision["verdict"], layer: Decision["layer"], reason: string, rule?: string): Decision => ({
    verdict,
    layer,
    ...(rule === undefined ? {} : { rule }),
    part: path,
    reason,
    risk: use === "read" ? "read" : "local-write",
    resources: [{ key: `file:${resolved}`, mode: use }],
    effects: [{ kind: use, target: resolved }],
  });
  if (path === "") return answer("deny", "default", "there is no path");
  const doubt = doubtAbout(path, policy.cwd);
  if (doubt !== undefined) return answer(mode === "auto" ? "deny" : "ask", "default", doubt);
  const key = resolvePath(policy.cwd, pathKey(resolved));
  if (use === "write" && isHarnessConfig(key))
    return answer(
      "hard-block",
      "hard-block",
      "the harness's own configuration is never changed by a tool",
      "harness-config",
    );
  if (use === "write" && isRawDevice(key))
    return answer("hard-block", "hard-block", "it overwrites a device", "raw-device-write");
  if (mode === "plan" && use === "write") return answer("deny", "mode", "in plan mode only reading is allowed", "plan");
  if (mode === "auto") return answer("allow", "mode", "auto mode allows what no rule denies", "auto");
  // In a bare repository, these are its settings and its contents.
  const isBare = use === "write" && bareRepository.test(key);
  const sensitive = isBare ? { pattern: ".git", kind: "runs-later" as const } : sensitiveRule(resolved, use);
  if (sensitive !== undefined)
    return answer(
      "ask",
      "workspace",
      sensitive.kind === "secret" ? "the file may hold secrets" : "what is written there runs later by itself",
      sensitive.pattern,
    );
  // The root folder is what a harness without a workspace works in; as a workspace it would grant the whole machine.
  const roots = [policy.cwd, ...(policy.workspaceRoots ?? [])].map((root) => resolvePath("/", root));
  if (!roots.some((root) => root !== "/" && isInside(resolved, root)))
    return answer("ask", "workspace", `it is outside the workspace ${policy.cwd}`, "outside");
  if (use === "read") return answer("allow", "workspace", "reading inside the workspace is allowed");
  return mode === "accept-edits"
    ? answer("allow", "mode", "accept-edits mode allows writing inside the workspace", "accept-edits")
    : answer("ask", "workspace", "writing a file asks in this mode", "write");
};

const bareRepository =
  /\/(?:config|packed-refs|(?:refs\/(?:heads|tags|remotes)|objects\/(?:info|pack|[\da-f]{2}))\/.*)$/;

const doubtAbout = (path: string, cwd: string): string | undefined => {
  if (path.includes("\0")) return "its name holds a NUL character";
  if (path.startsWith("~")) return "whether ~ is a home or a name is only known to the tool";
  return path.startsWith("/") || cwd.startsWith("/") ? undefined : "the folder that it starts from is not known";
};
