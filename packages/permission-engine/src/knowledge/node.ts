import type { CommandEntry } from "./CommandEntry.ts";

const scripts = "the project's scripts";
const registry = "the package registry";

/** JavaScript: package managers, run times, and what projects are built and checked with. */
export const node: ReadonlyArray<CommandEntry> = [
  {
    command: "npm | pnpm",
    risk: "remote-write",
    operands: "unknown*",
    // They choose another project, or another script shell: what runs is then another thing.
    options: {
      "-C= --prefix= --dir= --cwd= -w= --workspace= --filter= -F= --registry=": "unknown",
      "--script-shell= --userconfig= --globalconfig= --config= --node-options= --prefix= --cwd= --dir=": "redefines",
    },
    examples: { "npm frobnicate": "ask remote-write", "npm --prefix x test": "ask remote-write" },
  },
  {
    command:
      "npm test | npm t | npm run test | npm run build | npm run lint | npm run typecheck | npm run check | npm run format:check | npm run test:unit | npm run test:ci | npm run lint:check | npm run-script test | npm run-script build | " +
      "yarn test | yarn build | yarn lint | yarn run test | yarn run build | yarn run lint | pnpm test | pnpm run test | pnpm run build | " +
      "pnpm run lint | bun test | bun run test | bun run build | bun run lint",
    risk: "local-write",
    operands: "",
    flags: "-s --silent",
    options: { "--script-shell= --userconfig= --globalconfig= --node-options= --prefix=": "redefines" },
    also: { runs: scripts, writes: "." },
    passesRest: true,
    isSafe: true,
    // Arguments for the scripts: who knows what they make of them.
    unless: /^/,
    examples: {
      "npm test": "allow local-write execute:the project's scripts write:.",
      "npm run build --silent": "allow",
      "npm test -- --grep x": "ask local-write",
      "npm run build --script-shell=./x": "ask remote-write",
    },
  },
  {
    command:
      "npm run | npm run-script | npm start | npm stop | npm restart | yarn run | yarn start | pnpm run | pnpm start",
    risk: "local-write",
    operands: "text*",
    flags: "-s --silent --if-present --workspaces -ws -r --recursive",
    options: {
      "--script-shell= --userconfig= --node-options= --prefix=": "redefines",
      "-C= -w= --workspace= --filter=": "unknown",
    },
    passesRest: true,
    also: { runs: scripts, writes: "." },
    examples: {
      "npm run deploy": "ask local-write execute:the project's scripts write:.",
      "npm run deploy -- --watch": "ask local-write",
    },
  },
  {
    command: "bun run",
    risk: "remote-write",
    // A script of the project, a file, or any program.
    operands: "runs passed*",
    flags: "--silent --bun --watch --hot --if-present",
    isRunner: true,
    examples: { "bun run deploy": "ask remote-write execute:deploy", "bun run rm -rf /": "ask" },
  },
  {
    command:
      "npm install | npm i | npm ci | npm add | npm update | npm up | npm uninstall | npm remove | npm rm | npm dedupe | npm prune | npm rebuild | npm link | " +
      "yarn | yarn add | yarn install | yarn remove | yarn upgrade | yarn up | pnpm install | pnpm i | pnpm add | pnpm update | pnpm remove | bun install | " +
      "bun add | bun remove | bun update | npm audit fix",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    // Packages bring install scripts.
    also: { runs: "install scripts of packages", writes: ".", connects: registry },
    isRunner: true,
    examples: { "npm install left-pad": "ask remote-write", yarn: "ask remote-write", "npm ci": "ask remote-write" },
  },
  {
    command:
      "npm ls | npm list | npm root | npm bin | npm prefix | npm explain | npm why | npm query | npm pkg get | npm config get | npm config list",
    risk: "read",
    operands: "text*",
    flags:
      "-a -g -l --all --global --long --depth= --json --parseable --omit= --prod --production --dev --link -r --recursive",
    isSafe: true,
    unless: /_auth|token|password/i,
    examples: { "npm ls --depth=0": "allow read", "npm ls --prefix /": "ask", "npm config get //x/:_authToken": "ask" },
  },
  {
    // A file of the project, or the version it asks for, runs before anything is listed.
    command:
      "pnpm list | pnpm ls | pnpm why | pnpm --version | pnpm -v | yarn list | yarn why | yarn --version | yarn -v | bun pm ls",
    risk: "local-write",
    operands: "text*",
    flags:
      "-a -g -l --all --global --long --depth= --json --parseable --prod --production --dev --link -r --recursive --pattern=",
    also: { runs: "what the project's settings name" },
    isSafe: true,
    examples: {
      "pnpm ls": "allow local-write execute:what the project's settings name",
      "yarn --version": "allow local-write",
    },
  },
  {
    command:
      "npm view | npm info | npm show | npm search | npm outdated | npm audit | npm ping | npm whoami | pnpm outdated | pnpm audit | yarn outdated | yarn audit | yarn info",
    risk: "read",
    operands: "text*",
    flags: "--json -l --long --depth= --omit= --prod --audit-level=",
    also: { connects: registry },
    examples: { "npm view effect version": "ask read connect:the package registry" },
  },
  {
    command:
      "npm publish | npm unpublish | npm deprecate | npm dist-tag | npm owner | npm access | npm token | npm login | npm logout | npm adduser | pnpm publish | yarn publish | yarn npm publish | bun publish",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: registry },
    examples: { "npm publish": "ask irreversible connect:the package registry" },
  },
  {
    command:
      "npm init | npm create | npm exec | npm x | npx | pnpx | bunx | yarn dlx | yarn create | yarn exec | pnpm dlx | pnpm exec | pnpm create | bun x | bun create | corepack",
    risk: "remote-write",
    operands: "runs text*",
    flags: "*",
    also: { connects: registry },
    isRunner: true,
    examples: {
      "npm exec cowsay hi": "ask remote-write execute:cowsay unknown:what cowsay does connect:the package registry",
      "npx cowsay hi": "ask remote-write",
      "npx rimraf /": "hard-block",
    },
  },
  {
    command:
      "npm version | npm pkg set | npm pkg delete | npm config set | npm config delete | npm pack | npm shrinkwrap | npm cache | yarn version | yarn config set | pnpm config set",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    also: { writes: "." },
    examples: { "npm version patch": "ask local-write write:." },
  },
  {
    command:
      "npm --version | npm -v | bun --version | node --version | node -v | deno --version | tsc --version | tsc -v",
    risk: "read",
    operands: "",
    isSafe: true,
    examples: { "node --version": "allow read", "node --version x.js": "ask" },
  },
  {
    command: "node | nodejs | tsx | ts-node | deno run | deno | bun",
    risk: "remote-write",
    operands: "runs text*",
    flags:
      "--inspect --inspect-brk --watch --enable-source-maps --no-warnings --trace-warnings -A --allow-all --allow-net[=] --allow-read[=] --allow-write[=] -i",
    options: {
      "-e= --eval= -p= --print=": "code",
      "-r= --require= --import= --loader= --experimental-loader=": "runs",
    },
    when: {
      "-e= --eval= -p= --print=": { operands: "text*" },
      "--test": { operands: "runs*" },
      "--check -c": { operands: "reads" },
    },
    isRunner: true,
    examples: {
      "node script.js a": "ask remote-write execute:script.js",
      "node -e 1": "ask remote-write execute:1",
      "node -r ./x a.js": "ask execute:./x execute:a.js",
    },
  },
  {
    command: "deno eval",
    risk: "remote-write",
    operands: "code text*",
    flags: "*",
    isRunner: true,
    examples: { "deno eval 1": "ask remote-write execute:1" },
  },
  {
    command: "deno test | deno check | deno lint | deno fmt | deno task",
    risk: "remote-write",
    operands: "runs*",
    flags: "*",
    isRunner: true,
    examples: { "deno test": "ask remote-write" },
  },
  {
    command: "tsc",
    risk: "local-write",
    operands: "reads*",
    flags:
      "--noEmit --pretty[=] --skipLibCheck --strict --listFiles --listFilesOnly --extendedDiagnostics --diagnostics --traceResolution -w --watch --target= -t= --module= -m= --lib= --jsx= --incremental",
    options: {
      "-p= --project= -b= --build=": "reads",
      "--outDir= --outFile= --declarationDir= --tsBuildInfoFile= --generateTrace=": "writes",
    },
    when: { "--noEmit --listFilesOnly --showConfig": { also: {} } },
    also: { writes: "." },
    examples: {
      "tsc -p tsconfig.json": "ask local-write read:tsconfig.json write:.",
      "tsc --outDir /tmp/x": "ask local-write",
    },
  },
  {
    command: "tsc --noEmit",
    risk: "local-write",
    operands: "reads*",
    flags: "--pretty[=] --skipLibCheck --strict --listFiles --diagnostics --extendedDiagnostics --incremental",
    options: { "-p= --project=": "reads" },
    isSafe: true,
    // `--noEmit false`, and a file of options.
    unless: /^(?:@.*|false|null)$/s,
    examples: {
      "tsc --noEmit false": "ask",
      "tsc --noEmit @options": "ask",
      "tsc --noEmit -p tsconfig.json": "allow local-write read:tsconfig.json",
      "tsc --noEmit -p /tmp": "ask",
    },
  },
  {
    command: "eslint",
    risk: "local-write",
    operands: "targets*",
    flags:
      "--ext= --max-warnings= --quiet --no-color --color --no-error-on-unmatched-pattern --report-unused-disable-directives",
    options: {
      "-c= --config= --rulesdir= --resolve-plugins-relative-to= --plugin= --parser= -f= --format= --env-info --init --stdin --cache --cache-location= -o= --output-file=":
        "unknown",
    },
    when: {
      "--fix --fix-dry-run --fix-type=": { operands: "may-write*" },
    },
    recursive: "always",
    also: { runs: "the project's settings and code", writes: "." },
    isSafe: true,
    examples: {
      "eslint src": "allow local-write execute:the project's settings and code write:. read:src",
      "eslint src --fix": "ask local-write execute:the project's settings and code write:. write:src",
      "eslint --rulesdir x src": "ask remote-write",
      "eslint /tmp/x": "ask",
    },
  },
  {
    command: "vitest run | jest",
    risk: "local-write",
    operands: "targets*",
    flags:
      "-t= --testNamePattern= --bail[=] --silent --verbose --no-color --color --runInBand -i --ci --passWithNoTests --run",
    options: {
      "-c= --config= -r= --root= --rootDir= --dir= --globalSetup= --setupFiles= --setupFilesAfterEnv= --runner= --resolver= --transform= --environment= --env= --reporters= --reporter= --outputFile= --coverage[=] -u --update -w --watch --watchAll --ui":
        "unknown",
    },
    // Any other is a module.
    byValue: { "--reporter": { fits: /^(?:default|verbose|dot|tap|json|basic|tree)$/, role: "text" } },
    also: { runs: "the project's settings and code", writes: "." },
    isSafe: true,
    examples: {
      "vitest run --reporter=verbose src/a.test.ts": "allow local-write",
      "vitest run --reporter=./x.js": "ask remote-write",
      "jest -t 'a b'": "allow local-write",
      "jest --config x.js": "ask remote-write",
      "vitest run --root /tmp": "ask remote-write",
    },
  },
  {
    command: "prettier --check | prettier -c | prettier -l | prettier --list-different",
    risk: "local-write",
    operands: "targets*",
    flags: "--no-color --no-error-on-unmatched-pattern -u --ignore-unknown",
    also: { runs: "the project's settings and code" },
    isSafe: true,
    examples: {
      "prettier --check src": "allow local-write execute:the project's settings and code read:src",
      "prettier --check --write src": "ask remote-write",
      "prettier --check --plugin=./x src": "ask remote-write",
    },
  },
  {
    command: "prettier | oxlint | biome | biome check | biome format | biome lint | stylelint | standard | xo",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    when: {
      "--fix --write -w --fix-dry-run --fix-dangerously --fix-suggestions --apply --apply-unsafe --unsafe": {
        operands: "may-write*",
      },
    },
    recursive: "always",
    also: { runs: "the project's settings and code", writes: "." },
    examples: {
      "prettier --write src": "ask local-write execute:the project's settings and code write:. write:src",
    },
  },
  {
    command: "oxfmt | dprint fmt",
    risk: "local-write",
    operands: "may-write*",
    here: "may-write",
    flags: "*",
    when: { "--check -c --list-different -l": { operands: "reads*" } },
    recursive: "always",
    examples: { "oxfmt src": "ask local-write write:src" },
  },
  {
    command: "vitest | mocha | ava | playwright test | vite | webpack | rollup | esbuild | turbo | nx | next | astro",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    also: { runs: "the project's settings and code", writes: "." },
    examples: { "vite build": "ask local-write execute:the project's settings and code write:." },
  },
];
