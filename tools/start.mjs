// `npm start -- …` from the sources, without a build. npm runs scripts in the root of the repository; people mean the
// folder they stand in.
process.chdir(process.env.INIT_CWD ?? process.cwd());
await import("../packages/cli/src/main.ts");
