import type { CommandEntry } from "./CommandEntry.ts";

const recipes = "the project's build";

// What leaves the project is no build.
const leavesProject =
  /^(?:.*[-_:.])?(?:deploy|install|publish(?:[A-Z]\w*)?|release|upload|push|destroy|provision)\b|\bexec:|:exec\b/;

/** Build tools of no single language. */
export const builds: ReadonlyArray<CommandEntry> = [
  {
    command: "make | gmake",
    risk: "local-write",
    operands: "targets*",
    flags:
      "-j[=] -k -n -s -B -i -w -q -t -l[=] -O[=] -S -r -R --jobs[=] --keep-going --dry-run --just-print --recon --silent --quiet --always-make --ignore-errors --question " +
      "--touch --print-directory --no-print-directory --trace --load-average[=] --max-load[=] --output-sync[=] --stop " +
      "--no-keep-going --no-silent --version -v --help -h --warn-undefined-variables",
    options: {
      "SHELL= .SHELLFLAGS= MAKEFLAGS= MAKEFILES= --eval= -E=": "redefines",
      "-f= --file= --makefile= -C= --directory= -I= --include-dir= -W= -o= --what-if= --new-file= --old-file= -e --environment-overrides -p --print-data-base":
        "unknown",
    },
    also: { runs: recipes, writes: "." },
    isSafe: true,
    codeIf: /\$[({]|!=/,
    // Settings in any of its spellings; what stands there may be run.
    redefinedBy: /[:?+!]=|\s=|^\s*(?:export|override|define|unexport)\s|\$[({]\s*(?:shell|eval)\b/,
    unless: leavesProject,
    examples: {
      "make deploy": "ask",
      "make 'A=$(shell id)'": "ask remote-write",
      make: "allow local-write execute:the project's build write:.",
      "make -j4 -k test": "allow",
      "make -f other.mk": "ask remote-write",
      "make -C /tmp": "ask remote-write",
      "make SHELL=./x": "ask",
      "make --eval='x:;id' x": "ask remote-write",
    },
  },
  {
    command: "ctest",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: {
      "--test-command= --build-makeprogram=": "script",
      "-S= -SP= --script= --script-new-process= --build-and-test== -C=": "runs",
      "-D=": "text",
    },
    also: { runs: recipes, writes: "." },
    examples: {
      "ctest -V": "ask local-write execute:the project's build write:.",
      "ctest -S x.cmake": "ask remote-write",
    },
  },
  {
    command: "cmake | cpack | meson | bazel | buck2 | scons | xcodebuild | just | task | rake | ant",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: { "-P=": "runs", "-E=": "unknown" },
    also: { runs: recipes, writes: "." },
    examples: {
      "cmake --build build": "ask local-write execute:the project's build write:.",
      "cmake -P x.cmake": "ask remote-write",
    },
  },
  {
    command: "cmake -E remove_directory | cmake -E rm | cmake -E remove",
    risk: "irreversible",
    operands: "deletes*",
    flags: "-r -R -f -rf -Rf",
    recursive: "always",
    examples: {
      "cmake -E remove_directory build": "ask irreversible delete:build",
      "cmake -E remove_directory /": "hard-block",
    },
  },
  {
    command: "cmake -E copy | cmake -E copy_directory | cmake -E copy_if_different | cmake -E rename",
    risk: "local-write",
    operands: "reads* writes",
    flags: "-t= --ignore-eof",
    examples: { "cmake -E copy a src/b": "ask local-write read:a write:src/b" },
  },
  {
    command: "cmake -E touch | cmake -E touch_nocreate | cmake -E make_directory",
    risk: "local-write",
    operands: "writes*",
    examples: { "cmake -E touch a": "ask local-write write:a" },
  },
  {
    command: "cmake -E cat | cmake -E md5sum | cmake -E sha256sum | cmake -E compare_files",
    risk: "read",
    operands: "reads*",
    examples: { "cmake -E cat a": "ask read read:a" },
  },
  {
    command: "ninja | samu",
    risk: "local-write",
    operands: "targets*",
    flags: "-j= -k= -l= -n -v -d= -t= --quiet",
    options: { "-C= -f=": "unknown" },
    also: { runs: recipes, writes: "." },
    examples: { "ninja -j4": "ask local-write", "ninja -C out": "ask remote-write" },
  },
  {
    command: "mvn | gradle | gradlew | mvnw | sbt | lein | mill",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: {
      "-f= --file= -b= --build-file= -c= --settings-file= -p= --project-dir=": "unknown",
      "-I= --init-script= -s= --settings= -gs= --global-settings= --include-build= -Dorg.gradle.java.home= -Dorg.gradle.jvmargs= -Dexec.executable=":
        "redefines",
    },
    unless: leavesProject,
    also: { runs: recipes, writes: ".", connects: "the package repository" },
    examples: { "gradle assemble": "ask local-write", "mvn -s x.xml install": "ask remote-write" },
  },
  {
    command:
      "mvn test | mvn compile | mvn verify | gradle test | gradle build | swift build | swift test | dotnet build | dotnet test | mix test | zig build | zig test",
    risk: "local-write",
    operands: "",
    flags: "-q -v -o --offline --quiet --verbose",
    options: {
      "-f= --file= -b= --build-file= -p= --project-dir= --project= --package-path= --settings= -C=": "unknown",
      "-I= --init-script= -s= -gs= --include-build= -Dorg.gradle.java.home= -Dorg.gradle.jvmargs= -Dexec.executable= -r= --require= --logger= -l=":
        "redefines",
    },
    unless: leavesProject,
    redefinedBy: /^\/p(?:roperty)?:|^-property:/,
    byValue: { "-p": { fits: /^:/, role: "redefines" } },
    also: { runs: recipes, writes: "." },
    isSafe: true,
    examples: { "mvn test -q": "allow local-write", "mvn test -Dx=y": "ask", "swift build": "allow" },
  },
  {
    command: "mvn deploy | gradle publish | dotnet nuget push | mix hex.publish | gem push",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: "the package repository" },
    examples: { "mvn deploy": "ask irreversible" },
  },
  {
    command: "gcc | g++ | cc | c++ | clang | clang++ | ld | as | nm | objdump | readelf | size",
    risk: "local-write",
    operands: "reads*",
    flags: "*",
    options: { "-o= -MF=": "writes", "-B= -fplugin= -wrapper= -specs= -Xclang=": "unknown" },
    also: { writes: "." },
    examples: {
      "gcc -O2 a.c -o a": "ask local-write read:a.c write:a write:.",
      "gcc -wrapper ./x a.c": "ask remote-write",
    },
  },
  {
    command:
      "gcc --version | clang --version | cmake --version | make --version | java -version | java --version | javac -version | ruby --version | ruby -v | " +
      "php --version | php -v | swift --version | gh --version | terraform --version | zig version | psql --version | curl --version | wget --version | helm version --client",
    risk: "read",
    operands: "",
    isSafe: true,
    examples: { "gcc --version": "allow read" },
  },
  {
    command: "clang-format | shfmt | yamlfmt | taplo fmt | google-java-format | ktlint | nixfmt | stylua",
    risk: "local-write",
    operands: "reads*",
    flags: "*",
    when: { "-i -w --write --inplace --in-place --replace --format -F": { operands: "may-write*" } },
    recursive: "always",
    examples: {
      "clang-format -i src/a.c": "ask local-write write:src/a.c",
      "shfmt -d run.sh": "ask local-write read:run.sh",
    },
  },
  {
    command: "shellcheck | hadolint | yamllint | markdownlint | actionlint | typos | cloc | tokei | scc",
    risk: "read",
    operands: "reads*",
    flags: "-x -s= -e= -f= -S= -a -d= --shell= --exclude= --format= --severity= --strict --json --by-file --quiet",
    options: { "-c= --config= --config-file=": "reads", "-o= --output= --fix --write-changes -w": "local-write" },
    examples: { "shellcheck run.sh": "ask read read:run.sh" },
  },
  {
    // Settings of the project choose what runs even to tell its version.
    command: "dotnet --version | mvn --version | mvn -v | gradle --version | gradle -v",
    risk: "local-write",
    operands: "text*",
    also: { runs: "what the project's settings name" },
    isSafe: true,
    examples: { "mvn --version": "allow local-write execute:what the project's settings name" },
  },
];
