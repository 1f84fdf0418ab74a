// What builds, tests, and the tools around them run or take their orders from.
const names =
  "makefile gnumakefile *.mk *.make package.json pnpm-workspace.yaml lerna.json nx.json turbo.json bunfig.toml deno.json deno.jsonc " +
  ".npmrc .babelrc* .eslintrc* .mocharc* .swcrc *.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts *.conf.js " +
  "gulpfile.* gruntfile.* jakefile* *.test.js *.test.cjs *.test.mjs *.test.ts *.test.jsx *.test.tsx *.spec.js *.spec.ts *.spec.tsx " +
  "cargo.toml build.rs pyproject.toml pytest.ini conftest.py setup.py setup.cfg tox.ini noxfile.py tasks.py test_*.py *_test.py " +
  "sitecustomize.py usercustomize.py pip.py manage.py go.mod go.work *_test.go pom.xml *.gradle *.gradle.kts gradle.properties " +
  "gradle-wrapper.properties gradlew gradlew.bat mvnw mvnw.cmd *.sbt build.sc *.csproj *.fsproj *.vbproj *.props *.targets nuget.config " +
  "global.json package.swift build.zig build.zig.zon cmakelists.txt cmakepresets.json *.cmake meson.build build.ninja sconstruct wscript " +
  "rakefile gemfile *.gemspec *.rake *_spec.rb .rspec justfile .justfile taskfile.yml taskfile.yaml composer.json phpunit.xml* " +
  "mix.exs rebar.config dune dune-project stack.yaml *.cabal setup.hs build build.bazel workspace module.bazel .bazelrc *.bzl buck " +
  "configure claude.md agents.md gemini.md .cursorrules .gitattributes .gitmodules .lfsconfig .git config head";

const escaped = (glob: string): string => glob.replaceAll(".", String.raw`\.`).replaceAll("*", "[^/]*");

/** Files that builds run, or that say what builds run, by their absolute path. */
export const buildFile: RegExp = new RegExp(
  String.raw`/(?:${names.split(" ").map(escaped).join("|")})$|/node_modules/|/(?:refs/(?:heads|tags|remotes)|objects/(?:info|pack|[\da-f]{2}))/`,
  "i",
);
