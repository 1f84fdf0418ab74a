export default {
  input: "src/main.ts",
  cwd: import.meta.dirname,
  platform: "node",
  // Native parts stay packages of their own, loaded when they are wanted, and where they are installed.
  external: ["@lydell/node-pty", "@vscode/ripgrep"],
  resolve: { conditionNames: ["@kumiko/source", "import", "node", "default"] },
  // One file: dynamic imports stay lazy inside it, so that a command only evaluates what it needs.
  output: { file: "dist/kumiko.mjs", format: "esm", minify: true, codeSplitting: false },
};
