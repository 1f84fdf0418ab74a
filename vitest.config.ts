import { globSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";

const major = Number(process.versions.node.split(".")[0]);
if (major < 24) throw new Error(`vitest runs on Node ${process.version}; start it with npm test or npx`);

const packages = globSync("packages/*/test").map((dir) => basename(dir.replace(/\/test$/, "")));

export default defineConfig({
  ssr: { resolve: { conditions: ["@kumiko/source", "module", "node", "development|production"] } },
  test: {
    reporters: ["default", "./tools/count-reporter.mjs"],
    testTimeout: 30_000,
    // Many tests wait for processes of their own: one worker for each core but one, the default, leaves cores idle.
    maxWorkers: "100%",
    projects: [
      ...packages.map((name) => ({
        extends: true as const,
        test: { name, root: `packages/${name}`, include: ["test/**/*.test.ts"] },
      })),
      { extends: true as const, test: { name: "e2e", root: "e2e", include: ["**/*.test.ts"] } },
      { extends: true as const, test: { name: "tools", root: "tools", include: ["test/**/*.test.ts"] } },
    ],
    coverage: { include: ["packages/*/src/**"] },
  },
});
