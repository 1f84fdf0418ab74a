// Run by proxy.test.ts in a process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts:
// asks the model named by the first argument, with the environment it was given, and prints what came of it.
import { userText } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { makeModel } from "../src/makeModel.ts";
import { modelFor } from "../src/modelFor.ts";

const model = makeModel(Result.getOrThrow(modelFor(process.argv[2], process.env)));
const asked = model.generate(
  { system: "", tools: [], messages: [userText("hello")], toolChoice: "auto" },
  () => undefined,
);
const result = await Effect.runPromise(Effect.result(asked));
process.stdout.write(
  Result.isSuccess(result) ? JSON.stringify(result.success.message) : `FAILED ${result.failure.message}`,
);
process.exit(0);
