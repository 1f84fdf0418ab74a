/** Files of a project's root, as far as they matter: their names, and the texts of those that were read. */
export interface ProjectFiles {
  readonly names: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

/** A command of a project, and what it is for. */
export interface ProjectCommand {
  readonly purpose: string;
  readonly command: string;
}

/** The files whose text is looked at. */
export const readForFacts = ["package.json", "Makefile", "pyproject.toml"] as const;

/** What scripts and targets are for, by the names that people give them; others are left alone. */
const purposes: Readonly<Record<string, string>> = {
  build: "build",
  test: "test",
  lint: "lint",
  typecheck: "check types",
  check: "check everything",
  format: "format",
  fmt: "format",
  dev: "start for development",
  start: "start",
  bench: "measure",
};

const managers = [
  ["pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn", "yarn install --immutable"],
  ["bun.lock", "bun", "bun install --frozen-lockfile"],
  ["bun.lockb", "bun", "bun install --frozen-lockfile"],
  ["package-lock.json", "npm", "npm ci"],
] as const;

/** The commands that the files of a project name, in the order somebody needs them. Pure. */
export const projectCommands = (files: ProjectFiles): ReadonlyArray<ProjectCommand> => [
  ...ofPackage(files),
  ...ofPython(files),
  ...(files.names.has("go.mod") ? both("go build ./...", "go test ./...") : []),
  ...(files.names.has("Cargo.toml") ? both("cargo build", "cargo test") : []),
  ...ofMakefile(files),
];

const both = (build: string, test: string): ReadonlyArray<ProjectCommand> => [
  { purpose: "build", command: build },
  { purpose: "test", command: test },
];

const ofPackage = ({ names, texts }: ProjectFiles): ReadonlyArray<ProjectCommand> => {
  const text = texts.get("package.json");
  if (text === undefined) return [];
  const [, manager, install] = managers.find(([lock]) => names.has(lock)) ?? ["", "npm", "npm install"];
  const run = (script: string): string =>
    script === "test" || manager !== "npm" ? `${manager} ${script}` : `npm run ${script}`;
  return [
    { purpose: "install", command: install },
    ...known(scriptsIn(text)).map((name) => ({ purpose: purposes[name] ?? name, command: run(name) })),
  ];
};

const scriptsIn = (text: string): ReadonlyArray<string> => {
  try {
    const json: unknown = JSON.parse(text);
    const scripts = typeof json === "object" && json !== null && "scripts" in json ? json.scripts : undefined;
    return typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    // A file that is no JSON names no scripts.
    return [];
  }
};

const ofPython = ({ names, texts }: ProjectFiles): ReadonlyArray<ProjectCommand> => {
  const text = texts.get("pyproject.toml");
  if (text === undefined) return [];
  const run = names.has("uv.lock") ? "uv run " : names.has("poetry.lock") ? "poetry run " : "";
  return [
    ...(run === "uv run " ? [{ purpose: "install", command: "uv sync" }] : []),
    ...(run === "poetry run " ? [{ purpose: "install", command: "poetry install" }] : []),
    ...(/\bpytest\b/.test(text) ? [{ purpose: "test", command: `${run}pytest` }] : []),
    ...(/\bruff\b/.test(text) ? [{ purpose: "lint", command: `${run}ruff check` }] : []),
  ];
};

const ofMakefile = ({ texts }: ProjectFiles): ReadonlyArray<ProjectCommand> => {
  const targets = [...(texts.get("Makefile") ?? "").matchAll(/^([A-Za-z][\w-]{0,40})\s{0,8}:(?!=)/gm)].map(
    ([, name = ""]) => name,
  );
  return known(targets).map((name) => ({ purpose: purposes[name] ?? name, command: `make ${name}` }));
};

const known = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(purposes).filter((name) => names.includes(name));
