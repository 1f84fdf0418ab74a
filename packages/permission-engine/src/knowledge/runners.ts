import { type Runner, words } from "./Wrapper.ts";

const opaque = { isTransparent: false } as const;

/** Sub-commands that run the command they are given: of package managers, version managers and others. */
export const runners: ReadonlyArray<Runner> = [
  {
    command: "npm exec | npm x",
    globals: words("--prefix -C -w --workspace --userconfig --cache --registry --loglevel"),
    values: words("-p --package -w --workspace --prefix --cache --registry --loglevel"),
    flags: words(
      "-y --yes --no --no-install -q --quiet -s --silent -ws --workspaces --include-workspace-root --offline",
    ),
    scripts: words("-c --call"),
    ...opaque,
  },
  {
    command: "pnpm exec",
    globals: words("-C --dir --filter -F"),
    folder: words("-C --dir"),
    values: words("--filter -F --resume-from"),
    flags: words("-r --recursive --parallel --no-bail --report-summary --no-reporter-hide-prefix"),
    ...opaque,
  },
  {
    command: "pnpm dlx | yarn dlx | yarn exec | bun x",
    globals: words("-C --dir --filter -F --cwd"),
    values: words("-p --package"),
    flags: words("-q --quiet -s --silent --bun -y --yes"),
    ...opaque,
  },
  {
    command: "corepack npm | corepack npx | corepack pnpm | corepack pnpx | corepack yarn | corepack yarnpkg",
    lead: "sub-command",
    ...opaque,
  },
  {
    command: "uv run",
    folder: ["--directory"],
    values: words(
      "--with --with-editable --with-requirements -p --python --extra --group --only-group --no-group --env-file --project " +
        "--package --index --default-index --cache-dir --color -m --module -s",
    ),
    flags: words(
      "-q --quiet -v --verbose --isolated --active --no-sync --locked --frozen --no-project --all-extras --all-groups --no-dev --dev " +
        "--only-dev --exact --offline --no-cache -n --no-env-file --refresh -U --upgrade --no-progress --all-packages",
    ),
    ...opaque,
  },
  {
    command: "uv tool run",
    values: words("--from --with --with-editable --with-requirements -p --python --index --env-file"),
    flags: words("-q --quiet --isolated --offline --refresh"),
    ...opaque,
  },
  {
    command: "poetry run | pipenv run | pdm run | rye run | hatch run | pixi run | devbox run",
    globals: words("-C --directory -P --project -p -e --env"),
    values: words("-p --project -e --environment"),
    flags: words("-q --quiet -v --verbose -s --site-packages"),
    ...opaque,
  },
  {
    command: "pipx run",
    values: words("--spec --python --pip-args --index-url -i"),
    flags: words("--no-cache --verbose --system-site-packages"),
    ...opaque,
  },
  {
    command: "conda run | mamba run | micromamba run",
    folder: ["--cwd"],
    values: words("-n --name -p --prefix -e --env"),
    flags: words("-v --verbose --no-capture-output --live-stream -d --dev --debug-wrapper-scripts --clean-env"),
    ...opaque,
  },
  // `cmake -E chdir`: the option in between is no word of the command.
  { command: "cmake chdir", operands: 1, moves: true, ...opaque },
  { command: "cmake env", assigns: true, flags: words("--unset --modify"), behind: ["--"], ...opaque },
  { command: "cmake time", ...opaque },
  { command: "tox exec", values: words("-e -c --conf"), flags: words("-q -v"), behind: ["--"], ...opaque },
  {
    command:
      "bundle exec | rbenv exec | pyenv exec | nodenv exec | goenv exec | jenv exec | plenv exec | volta run | opam exec",
    values: words("--using --gemfile --node --npm --switch"),
    flags: words("--keep-file-descriptors --silent --install"),
    behind: ["--"],
    ...opaque,
  },
  // The first word is a folder, a version, a profile.
  {
    command: "rustup run | nvm exec | direnv exec | chamber exec | sops exec-env",
    operands: 1,
    behind: ["--"],
    ...opaque,
  },
  {
    command: "mise exec | mise x | rtx exec | rtx x | asdf exec | dotenvx run",
    globals: words("-C --cd -E --env"),
    values: words("-j --jobs -f --env-file"),
    flags: words("-q --quiet --raw --fresh-env"),
    scripts: words("-c --command"),
    behind: ["--"],
    ...opaque,
  },
  {
    command: "op run | doppler run | aws-vault exec | infisical run | teller run | chamber exec-env | envconsul run",
    values: words("-p -c --project --config --env-file --env --path"),
    flags: words("--no-masking --silent --ecs-server --ec2-server"),
    behind: ["--"],
    ...opaque,
  },
  {
    command: "lerna exec | nx exec | rush exec | lage exec | foreman run | heroku local:run",
    values: words("--scope --ignore --since --concurrency -e --env -p --port -f --procfile"),
    flags: words("--stream --parallel --no-bail --no-prefix"),
    behind: ["--"],
    ...opaque,
  },
  {
    command: "git bisect run",
    globals: words("-C -c --git-dir --work-tree --namespace --config-env"),
    ...opaque,
  },
  {
    command: "git submodule foreach",
    globals: words("-C -c --git-dir --work-tree --namespace --config-env"),
    flags: words("--recursive -q --quiet"),
    joins: true,
    ...opaque,
  },
  {
    command: "git for-each-repo",
    globals: words("-C -c --git-dir --work-tree --namespace --config-env"),
    values: ["--config"],
    flags: ["--keep-going"],
    lead: "git",
    ...opaque,
  },
  {
    command: "perf record | perf stat | perf trace | perf mem record | perf kvm record | perf sched record",
    values: words("-e --event -o --output -F --freq -c --count -C --cpu -r --repeat -m --call-graph -D --delay"),
    flags: words("-a --all-cpus -g -q --quiet -v --verbose -d --detailed -s -n -x -B --no-inherit -i --no-buildid"),
    ...opaque,
  },
  // The words before are packages.
  {
    command: "nix develop | nix shell",
    operands: Number.POSITIVE_INFINITY,
    behind: words("-c --command"),
    startsShell: true,
    ...opaque,
  },
  {
    command: "guix shell | guix environment",
    operands: Number.POSITIVE_INFINITY,
    behind: ["--"],
    startsShell: true,
    ...opaque,
  },
  {
    command: "poetry shell | pipenv shell | hatch shell | pixi shell | devbox shell | pdm shell | flox activate",
    behind: ["--"],
    startsShell: true,
    ...opaque,
  },
  { command: "ip netns exec | ip vrf exec", globals: words("-n -netns --netns"), operands: 1, ...opaque },
  { command: "rr record", values: words("-o -c"), flags: words("-n -h --chaos"), ...opaque },
  {
    command:
      "tmux new-session | tmux new | tmux new-window | tmux neww | tmux split-window | tmux splitw | tmux respawn-pane | tmux respawn-window | tmux run-shell | tmux run | tmux display-popup | tmux popup | tmux pipe-pane | tmux pipep",
    globals: words("-L -S -T"),
    values: words("-s -t -n -x -y -F -l -w -h"),
    folder: ["-c"],
    flags: words("-d -A -D -E -P -X -b -v -f -k -o -I -O -C"),
    joins: true,
    ...opaque,
  },
  {
    command: "vagrant ssh",
    values: words("-p"),
    flags: words("--no-tty -t"),
    scripts: words("-c --command"),
    operands: 1,
    ...opaque,
  },
  { command: "toolbox run | distrobox enter", values: words("-c --container -n --name"), behind: ["--"], ...opaque },
  {
    command: "lxc exec | incus exec | multipass exec | limactl shell",
    operands: 1,
    values: words("--cwd --env --user"),
    behind: ["--"],
    ...opaque,
  },
];
