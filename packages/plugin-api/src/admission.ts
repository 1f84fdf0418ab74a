export { isMinted as isAdmittedCall, mint as mintAdmittedCall } from "./internal/mintedCalls.ts";
