import { describe, expect, it } from "vitest";
import { runners } from "../src/knowledge/runners.ts";
import { wrappers } from "../src/knowledge/wrappers.ts";
import { expectAll, policyOf } from "./support.ts";

const policy = policyOf({ allow: ["*"], deny: ["git push *"] });
const inner = "git push origin";
const denied = (commands: ReadonlyArray<string>): void => expectAll("deny", commands, policy);

// What stands between a program and the command it runs, where that is not nothing.
const leads: Readonly<Record<string, string>> = {
  chroot: "/x",
  chrt: "1",
  envchain: "x",
  envdir: "x",
  faketime: "'1 day'",
  flock: "f",
  gtimeout: "5",
  "npm exec": "-y --",
  s6: "x",
  "s6-setuidgid": "u",
  setarch: "x86_64",
  setlock: "f",
  setuidgid: "u",
  ssh: "host",
  taskset: "1",
  timeout: "5",
  "direnv exec": ".",
  "rustup run": "stable",
  "nvm exec": "20",
  "chamber exec": "x",
  "lxc exec": "x",
  "cmake chdir": "x",
  "ip netns exec": "x",
  "ip vrf exec": "x",
  "incus exec": "x",
  "multipass exec": "x",
  "limactl shell": "x",
  "nix develop": ".#x -c",
  "nix shell": "nixpkgs#git -c",
  "guix shell": "git --",
  "guix environment": "git --",
};
// What it is given as one text.
const scripts: Readonly<Record<string, string>> = {
  su: "-c",
  script: "-c",
  sg: "x -c",
  at: "now <<<",
  batch: "<<<",
  "nix-shell": "--run",
  "vagrant ssh": "-c",
  "sops exec-env": "x --",
  dtach: "-n sock",
};

describe("a denial", () => {
  // Bash knows these before any program; `time` is no command to it.
  const special = new Set(["noglob", "nocorrect", "coproc", "runuser", "dtach", "sops exec-env"]);

  it.each([...wrappers.keys()].filter((name) => !special.has(name)))("sees what %s runs", (name) => {
    const script = scripts[name];
    denied([script === undefined ? `${name} ${leads[name] ?? ""} ${inner}` : `${name} ${script} '${inner}'`]);
  });

  const commands = runners.flatMap(({ command, lead }) => command.split(" | ").map((words) => [words, lead] as const));
  it.each(commands.filter(([words]) => !special.has(words)))("sees what %s runs", (words, lead) => {
    const script = scripts[words];
    const run = lead === "git" ? "push origin" : inner;
    if (lead === "sub-command")
      return expectAll("deny", [`${words.replace(/yarnpkg|npx|pnpx/, "npm")} exec ${inner}`], policy);
    return denied([script === undefined ? `${words} ${leads[words] ?? ""} ${run}` : `${words} ${script} '${run}'`]);
  });

  it("sees the commands in options", () =>
    denied([
      `git rebase -x '${inner}' main`,
      `git rebase --exec='${inner}' main`,
      `git rebase -i -x '${inner}'`,
      `git rebase -ix '${inner}'`,
      `git filter-branch --tree-filter '${inner}' HEAD`,
      `git filter-branch --msg-filter '${inner}'`,
      `git difftool -x '${inner}'`,
      `git difftool --extcmd='${inner}' HEAD`,
      `git grep -O'${inner}' x`,
      `git ls-remote --upload-pack='${inner}' x`,
      `git fetch --upload-pack '${inner}' x`,
      `git clone -u '${inner}' a b`,
      `rg --pre '${inner}' x`,
      `split --filter='${inner}' x`,
      `tar -xf a.tar --to-command='${inner}'`,
      `tar -cf a.tar --checkpoint-action=exec='${inner}' x`,
      `tar -I '${inner}' -cf a.tar x`,
      `tar xIf '${inner}' a.tar`,
      `sort --compress-program='${inner}' x`,
      `go test -exec '${inner}' ./...`,
      `go run -exec='${inner}' .`,
      `go build -toolexec '${inner}' ./...`,
      `rsync -e '${inner}' a b:`,
      `scp -S '${inner}' a b:`,
      `ncat --sh-exec '${inner}' x 1`,
      `man -P '${inner}' ls`,
      `wget --use-askpass='${inner}' x`,
      `zip x.zip a -T -TT '${inner}'`,
      `hyperfine -w 3 '${inner}'`,
      `hyperfine --prepare '${inner}' ls`,
      `nodemon --exec '${inner}'`,
      `concurrently 'ls' '${inner}'`,
      `entr -s '${inner}'`,
      `npx -c '${inner}'`,
      `npm exec --call='${inner}'`,
      `dtach -n sock ${inner}`,
      `cargo watch -s '${inner}'`,
    ]));

  it("sees what settings of git run", () =>
    denied([
      "git -c alias.x='!git push' x origin",
      "git -c alias.x=push x origin",
      "git -c alias.x='push origin' x",
      "git -C sub -c alias.p=push p origin",
      `git -c core.pager='${inner}' log`,
      `git -c core.sshCommand='${inner}' fetch`,
      `git -c diff.x.textconv='${inner}' diff`,
      `git clone -c core.sshCommand='${inner}' a b`,
      "git-push origin",
      "/usr/lib/git-core/git-push origin",
    ]));

  it("is not overcome by what may be run", () =>
    expectAll(
      "ask",
      [
        `./run ${inner}`,
        `unheard-of --flag ${inner}`,
        `unheard-of '${inner}'`,
        `unheard-of -- sudo git -C sub push origin`,
        `bash ./deploy.sh ${inner}`,
        `python3 -c 'import os; os.system("${inner}")'`,
        `python3 -c 'subprocess.run(["git", "push", "origin"])'`,
        `echo 'import os; os.system("${inner}")' | python3`,
        `python3 <<'E'\nimport os\nos.system("${inner}")\nE`,
        `perl -e 'exec "${inner}"'`,
        `node -e 'require("child_process").execSync("${inner}")'`,
        `awk 'BEGIN{system("${inner}")}'`,
        `vim -c '!${inner}' a`,
        `less +'!${inner}' a`,
        `gdb -ex 'shell ${inner}'`,
        `psql -c '\\! ${inner}'`,
        `tmux send-keys '${inner}' Enter`,
        `bun run ${inner}`,
        `start-stop-daemon -S -x git -- push origin`,
        `ansible all -a '${inner}'`,
        `heroku run ${inner}`,
        `docker-machine ssh x ${inner}`,
        `expect -c 'spawn ${inner}'`,
        "npm exec $X",
        "uv run $X",
        'git rebase -x "$X" main',
        "at now",
        "crontab - < jobs | at now",
        "git --config-env=alias.x=V x",
        "git -c core.hooksPath=x commit",
        'git -c "$X" status',
        "cargo --config 'build.rustc-wrapper=\"x\"' build",
        "make SHELL=./x",
        `make 'A=$(shell ${inner})'`,
        "npm run build --script-shell=./x",
        "apt-get -o APT::Update::Pre-Invoke::=x update",
        "curl -K x",
      ],
      policy,
    ));

  it("of a program that nobody knows is not overcome either", () =>
    expectAll("ask", ["bash ./deploy.sh prod", "./run ./deploy.sh prod", "node -e 'run(\"./deploy.sh prod\")'"], {
      ...policy,
      deny: ["./deploy.sh *"],
    }));

  it("of a command with arguments is about the command alone, too", () =>
    expectAll(
      "deny",
      ["git push", "sh -c 'git push'", "git -C x push", "sudo git push", "git --shallow-file x push"],
      policy,
    ));

  it("is about what does the same under another name", () =>
    expectAll(
      "deny",
      [
        "git subtree push --prefix=x origin y",
        "git svn dcommit",
        "git send-pack origin",
        "git lfs push origin",
        "git -C x send-pack origin",
      ],
      policy,
    ));

  it("does not disturb what is known to be text", () =>
    expectAll(
      "allow",
      [
        `echo ${inner}`,
        `grep -rn '${inner}' docs`,
        `git commit -m '${inner}'`,
        `git log --grep='${inner}'`,
        `gh pr create --title '${inner}'`,
        `git stash push -m '${inner}'`,
        `awk '/push/' log`,
        "npm exec cowsay hi",
        "uv run pytest -q",
        "git rebase main",
        "git -c core.pager=cat log",
        "git -c user.name=x commit -m y",
        "tar -czf a.tgz src",
        "sort -u a",
        "hyperfine -w 3 'ls src'",
        "make test",
        "cargo build --release",
      ],
      policy,
    ));
});

describe("a fixed refusal", () => {
  it("sees through runners", () =>
    expectAll("hard-block", [
      "npm exec -- rm -rf /",
      "uv run rm -rf /",
      "git rebase -x 'rm -rf /' main",
      "git bisect run rm -rf /",
      "git submodule foreach 'rm -rf /'",
      "git -c alias.x='!rm -rf /' x",
      "tar --to-command='rm -rf /' -xf a.tar",
      "hyperfine 'rm -rf /'",
      "tmux new -d 'rm -rf /'",
      "at now <<< 'rm -rf /'",
    ]));

  it("asks about what may be run", () =>
    expectAll("ask", [
      "unheard-of rm -rf /",
      "unheard-of 'rm -rf /'",
      "unheard-of -- sudo sh -c 'rm -rf ~'",
      "python3 -c 'import os; os.system(\"rm -rf /\")'",
      "bun run rm -rf /",
      "gdb -ex 'shell rm -rf /'",
    ]));
});

it("a table of runners names each command once", () => {
  const names = [...runners.flatMap(({ command }) => command.split(" | ")), ...wrappers.keys()];
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
