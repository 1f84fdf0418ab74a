import type { CommandEntry } from "./CommandEntry.ts";

const selection =
  "--all --workspace --release -r --lib --bins --bin[=] --tests --test[=] --examples --example[=] --benches --bench[=] --all-targets --all-features --features= -F= " +
  "--no-default-features --package[=] -p= --exclude= --jobs= -j= --keep-going --no-run --no-fail-fast --verbose -v -q --quiet " +
  "--message-format= --color= --locked --offline --frozen --doc --profile= --target= --timings --ignore-rust-version --no-deps " +
  "--future-incompat-report --document-private-items";

/** Rust. */
export const rust: ReadonlyArray<CommandEntry> = [
  {
    command:
      "cargo build | cargo b | cargo test | cargo t | cargo check | cargo c | cargo clippy | cargo doc | cargo bench",
    risk: "local-write",
    operands: "targets*",
    flags: selection,
    options: {
      "--config=": "redefines",
      "-Z= --manifest-path= -C=": "unknown",
      "--target-dir= --artifact-dir= --out-dir=": "writes",
      "--fix --allow-dirty --allow-staged --open": "local-write",
    },
    passesRest: true,
    also: { runs: "the project's build scripts and code", writes: "." },
    isSafe: true,
    // Arguments of the test runner and of the compiler that write or choose what runs.
    unless: /^--(?:logfile|emit|out-dir|codegen|sysroot|extern|print|cfg|target|crate|edition|error-format)|^-[oCZLl]/,
    examples: {
      "cargo clippy -- --print cfg=Makefile": "ask",
      "cargo test -- --logfile x": "ask local-write",
      "cargo test -- /x": "ask",
      "cargo clippy -- -C linker=x": "ask",
      "cargo test --all -- --nocapture": "allow local-write execute:the project's build scripts and code write:.",
      "cargo build --release -p core": "allow",
      "cargo clippy --all-targets -- -D warnings": "allow",
      "cargo test --config x": "ask remote-write",
      "cargo build --target-dir /tmp/x": "ask local-write",
      "cargo clippy --fix": "ask",
    },
  },
  {
    command: "cargo run | cargo r | cargo nextest run | cargo miri | cargo expand | cargo watch | cargo xtask",
    risk: "local-write",
    operands: "text*",
    flags: selection,
    options: { "--config=": "redefines", "-s=": "script", "-Z= --manifest-path= --target-dir= -C= -x=": "unknown" },
    passesRest: true,
    also: { runs: "the project's code", writes: "." },
    examples: { "cargo run -- --help": "ask local-write execute:the project's code write:." },
  },
  {
    // The project's settings name the compiler that is asked, and the folder of the tools themselves.
    command:
      "cargo --version | rustc --version | cargo -V | rustc -V | rustup --version | rustup show | cargo tree | cargo metadata | cargo pkgid | cargo locate-project",
    risk: "local-write",
    operands: "text*",
    flags:
      "--workspace --all-features --features= --no-default-features --depth= --duplicates -d --edges= -e= --invert[=] -i= --package[=] -p= --prefix= --no-dedupe --target= --offline " +
      "--locked --frozen --format-version= --no-deps --filter-platform= --charset= --format= -q -v",
    options: { "--config=": "redefines" },
    also: { runs: "what the project's settings name" },
    isSafe: true,
    examples: {
      "cargo tree -d": "allow local-write execute:what the project's settings name",
      "cargo --version": "allow local-write",
      "cargo tree --config x": "ask",
    },
  },
  {
    command: "cargo fmt --check | cargo fmt -- --check | cargo fmt --all --check | cargo fmt --all -- --check",
    risk: "local-write",
    operands: "",
    flags: "-q -v --all",
    also: { runs: "what the project's settings name" },
    isSafe: true,
    examples: {
      "cargo fmt --all -- --check": "allow local-write execute:what the project's settings name",
      "cargo fmt -- --check --config-path /tmp": "ask remote-write",
    },
  },
  {
    command: "cargo fmt | cargo fix | rustfmt",
    risk: "local-write",
    operands: "may-write*",
    here: "may-write",
    flags: "*",
    when: { "--check": { risk: "read", operands: "reads*", also: {} } },
    recursive: "always",
    examples: { "cargo fmt": "ask local-write write:.", "rustfmt src/a.rs": "ask local-write write:src/a.rs" },
  },
  {
    command: "cargo init | cargo new | cargo clean | cargo generate",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    also: { writes: "." },
    examples: { "cargo clean": "ask local-write" },
  },
  {
    command:
      "cargo add | cargo remove | cargo update | cargo fetch | cargo vendor | cargo search | cargo info | cargo generate-lockfile",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: { "--config=": "redefines" },
    also: { writes: ".", connects: "the package registry" },
    examples: { "cargo add serde": "ask local-write write:. connect:the package registry" },
  },
  {
    command: "cargo install | cargo uninstall | cargo binstall | rustup | rustup update | rustup toolchain | cargo",
    risk: "remote-write",
    operands: "runs*",
    flags: "*",
    options: { "--config=": "redefines" },
    isRunner: true,
    examples: { "cargo install ripgrep": "ask remote-write execute:ripgrep", "cargo frobnicate": "ask remote-write" },
  },
  {
    command: "cargo publish | cargo yank | cargo login | cargo owner",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: "the package registry" },
    examples: { "cargo publish": "ask irreversible" },
  },
  {
    command: "rustc",
    risk: "remote-write",
    operands: "reads",
    flags: "-O -g -v --edition= --crate-type= --crate-name= --test --cfg= --explain= --print= -W= -D= -A=",
    options: { "-o= --out-dir= --emit=": "writes", "-C= --codegen= -Z= -L= -l= --extern=": "unknown" },
    also: { writes: "." },
    examples: { "rustc a.rs -o a": "ask remote-write read:a.rs write:a write:." },
  },
];
