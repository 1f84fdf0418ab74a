export type { CommandPolicy, PermissionMode } from "./CommandPolicy.ts";
export { decideCommand, explainCommand, type Explanation, type PartExplanation } from "./decideCommand.ts";
export { decideHost, type HostPolicy, type HostRequest } from "./decideHost.ts";
export { decidePath, type PathPolicy, type PathRequest } from "./decidePath.ts";
export { PermissionConfig } from "./PermissionConfig.ts";
export { permissionEngine } from "./plugin.ts";
export { type RealPath, realPath } from "./RealPath.node.ts";
