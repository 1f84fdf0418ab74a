import type { CommandEntry } from "./CommandEntry.ts";

/** Git: what changes the repository, or another one. */
export const gitChanging: ReadonlyArray<CommandEntry> = [
  {
    command: "git",
    risk: "remote-write",
    operands: "unknown*",
    flags: "--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects",
    // They choose another repository or its settings, and with them what runs.
    options: {
      "-C= --git-dir= --work-tree= --namespace= --attr-source= --super-prefix= -c= --config-env= --exec-path[=] --html-path -p --paginate --bare":
        "unknown",
    },
    examples: { "git frobnicate": "ask remote-write", "git -C sub status": "ask remote-write" },
  },
  {
    command: "git add | git stage | git update-index",
    risk: "local-write",
    operands: "lists*",
    flags:
      "-A -u -v -n -f -p -N -e -i --all --update --verbose --dry-run --force --patch --intent-to-add --refresh --ignore-errors --renormalize --chmod= --sparse " +
      "--no-all --interactive --pathspec-from-file= --assume-unchanged --skip-worktree --no-skip-worktree --no-assume-unchanged",
    also: { writes: ".git" },
    examples: { "git add -A src": "ask local-write read:src write:.git" },
  },
  {
    command: "git commit",
    risk: "local-write",
    operands: "lists*",
    flags:
      "-a -m= -v -q -s -n -e -p -o -i -c= -C= -S[=] --all --message= --amend --no-edit --edit --verbose --quiet --signoff --no-verify --allow-empty --allow-empty-message " +
      "--author= --date= --fixup= --squash= --reset-author --cleanup= --trailer= --dry-run --gpg-sign[=] --no-gpg-sign --no-status " +
      "--reuse-message= --reedit-message= --patch --include --only --porcelain --short --long --untracked-files[=]",
    options: { "-F= --file= -t= --template=": "reads" },
    also: { writes: ".git", runs: "the repository's hooks" },
    examples: {
      "git commit -m 'a && b'": "ask local-write write:.git execute:the repository's hooks",
      "git commit -F msg.txt": "ask read:msg.txt write:.git execute:the repository's hooks",
    },
  },
  {
    command: "git checkout | git switch | git restore",
    risk: "local-write",
    operands: "may-write*",
    recursive: "always",
    flags:
      "-b= -B= -c= -C= -q -t -l -d -p -m -s= -S -W --branch= --create= --force-create= --track[=] --no-track --detach --orphan= --quiet --progress --no-progress --guess " +
      "--no-guess --patch --staged --worktree --source= --ours --theirs --merge --conflict= --ignore-skip-worktree-bits --overlay " +
      "--no-overlay --recurse-submodules --pathspec-from-file=",
    options: { "-f --force --discard-changes": "irreversible" },
    also: { writes: "." },
    examples: {
      "git checkout main": "ask local-write write:main write:.",
      "git checkout -- a.txt": "ask local-write write:a.txt write:.",
      "git switch -c new": "ask local-write write:.",
      "git checkout -f main": "ask irreversible",
    },
  },
  {
    command: "git reset",
    risk: "local-write",
    operands: "text*",
    flags: "-q -p -N --quiet --patch --mixed --soft --keep --intent-to-add --no-refresh",
    options: { "--hard --merge": "irreversible" },
    also: { writes: "." },
    examples: { "git reset HEAD~1": "ask local-write", "git reset --hard": "ask irreversible" },
  },
  {
    command: "git clean",
    risk: "irreversible",
    operands: "deletes*",
    recursive: "-d",
    flags: "-f -x -X -q -i -e= --force --quiet --interactive --exclude=",
    when: { "-n --dry-run": { risk: "read", also: {} } },
    also: { deletes: "untracked files" },
    examples: { "git clean -fdx": "ask irreversible", "git clean -n": "ask read" },
  },
  {
    command:
      "git merge | git cherry-pick | git revert | git am | git apply | git stash | git stash pop | git stash apply | git stash push",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: {
      "-m= --message= -C= -F= -s= -X=": "text",
      "--directory=": "writes",
      "--exec= -x= --gpg-sign[=]": "remote-write",
    },
    also: { writes: "." },
    examples: { "git stash": "ask local-write write:.", "git merge topic": "ask local-write write:." },
  },
  {
    command: "git mv",
    risk: "local-write",
    operands: "moves* writes",
    flags: "-f -k -n -v --force --dry-run --verbose",
    lands: "names",
    examples: { "git mv a src/b": "ask local-write delete:a write:src/b" },
  },
  {
    command:
      "git stash drop | git stash clear | git reflog expire | git reflog delete | git gc | git prune | git filter-repo | git update-ref -d | git branch -D | git worktree remove",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { writes: ".git" },
    examples: { "git reflog expire --all": "ask irreversible", "git stash drop": "ask irreversible" },
  },
  {
    command: "git rm",
    risk: "irreversible",
    operands: "deletes*",
    flags: "-f -r -n -q --cached --force --dry-run --quiet --ignore-unmatch --sparse",
    recursive: "-r",
    when: { "--cached": { risk: "local-write", operands: "lists*" } },
    also: { writes: ".git" },
    examples: { "git rm a.txt": "ask irreversible delete:a.txt write:.git" },
  },
  {
    command: "git rebase",
    risk: "remote-write",
    operands: "text*",
    flags: "-i -q -v -n -f -m -k -S[=] -r[=] -s= -X= -C= --onto= --strategy= --strategy-option= *",
    options: { "-x= --exec=": "script" },
    also: { writes: "." },
    examples: {
      "git rebase main": "ask remote-write write:.",
      "git rebase -x 'id' main": "ask remote-write execute:id write:.",
    },
  },
  {
    command: "git bisect | git bisect run | git submodule foreach | git for-each-repo",
    risk: "remote-write",
    operands: "passed*",
    flags: "*",
    isRunner: true,
    also: { writes: "." },
    examples: { "git bisect run ./x": "ask remote-write", "git submodule foreach ls": "ask remote-write" },
  },
  {
    command: "git difftool | git mergetool",
    risk: "remote-write",
    operands: "text*",
    flags: "-d -y -g -t= --tool= --cached *",
    options: { "-x= --extcmd=": "script" },
    also: { runs: "the tool in the settings", writes: "." },
    examples: { "git difftool -x ls": "ask remote-write" },
  },
  {
    command: "git filter-branch",
    risk: "irreversible",
    operands: "text*",
    flags: "-f -d= --force --prune-empty --original= --remap-to-ancestor --subdirectory-filter= --state-branch= *",
    options: {
      "--setup= --env-filter= --tree-filter= --index-filter= --parent-filter= --msg-filter= --commit-filter= --tag-name-filter=":
        "script",
    },
    also: { writes: ".git" },
    examples: { "git filter-branch --tree-filter 'rm -f a' HEAD": "ask irreversible" },
  },
  {
    command: "git config",
    risk: "remote-write",
    operands: "text*",
    flags: "--global --local --system --add --unset --unset-all --replace-all --edit -e --type= --bool --int",
    options: { "--file= -f=": "writes" },
    also: { writes: ".git/config" },
    examples: { "git config user.name x": "ask remote-write write:.git/config" },
  },
  {
    command:
      "git worktree | git notes | git symbolic-ref | git update-ref | git commit-tree | git write-tree | git hash-object | git sparse-checkout",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: { "--template= --separate-git-dir=": "unknown" },
    also: { writes: "." },
    examples: { "git notes add -m x": "ask local-write write:." },
  },
  {
    command: "git init | git worktree add",
    risk: "local-write",
    operands: "writes text*",
    flags:
      "-q -b= -B= -f --bare --quiet --initial-branch= --shared[=] --detach --lock --reason= --force --no-checkout *",
    options: { "--template= --separate-git-dir=": "unknown" },
    also: { writes: "." },
    examples: {
      "git init": "ask local-write write:.",
      "git init sub": "ask local-write write:sub write:.",
      "git worktree add -b x ../x": "ask local-write write:../x write:.",
      "git init --template=x": "ask remote-write",
    },
  },
  {
    command: "git clone | git submodule | git submodule update | git submodule add",
    risk: "remote-write",
    operands: "connects writes",
    flags:
      "-q -v -b= -o= -n -l -s -j= --quiet --verbose --depth= --branch= --origin= --single-branch --no-tags --recurse-submodules[=] --shallow-submodules --filter= " +
      "--progress --no-checkout --bare --mirror --sparse --init --recursive --remote",
    options: {
      "--upload-pack= -u=": "script",
      "-c= --config= --template= --reference= --separate-git-dir=": "unknown",
    },
    also: { writes: "." },
    examples: {
      "git clone https://x.test/a.git": "ask remote-write connect:x.test write:.",
      "git clone 'ext::sh -c id'": "ask remote-write",
    },
  },
  {
    command: "git fetch | git pull",
    risk: "local-write",
    operands: "text*",
    flags:
      "-a -f -j= -k -n -p -P -q -t -v -4 -6 -r --all --append --atomic --depth= --deepen= --dry-run --ff --ff-only --force --jobs= --keep --no-ff --no-tags --prune " +
      "--prune-tags --quiet --rebase[=] --no-rebase --recurse-submodules[=] --tags --verbose --unshallow --progress --autostash " +
      "--set-upstream --squash --no-commit --no-edit --stat -s= -X=",
    options: { "--upload-pack=": "script", "-o= --server-option=": "unknown" },
    also: { connects: "the remote", writes: "." },
    examples: {
      "git pull --rebase": "ask local-write connect:the remote write:.",
      "git fetch --upload-pack=./x": "ask remote-write",
    },
  },
  {
    command: "git push",
    risk: "remote-write",
    operands: "text*",
    flags:
      "-u -q -v -n -4 -6 -o= --set-upstream --quiet --verbose --dry-run --all --tags --follow-tags --no-verify --porcelain --progress --atomic --no-prune --signed[=] --push-option= --thin",
    options: {
      "-f --force --force-with-lease[=] --force-if-includes --mirror -d --delete --prune": "irreversible",
      "--receive-pack= --exec=": "script",
      "--repo=": "unknown",
    },
    also: { connects: "the remote", runs: "the repository's hooks" },
    examples: {
      "git push origin main": "ask remote-write connect:the remote execute:the repository's hooks",
      "git push --force": "ask irreversible",
      "git push --receive-pack=./x origin": "ask remote-write",
    },
  },
  {
    command: "git archive | git bundle | git format-patch | git fast-export | git request-pull",
    risk: "local-write",
    operands: "text*",
    flags: "-# -v -l -n -s --format= --prefix= --stdout --numbered --signoff --cover-letter --all --list",
    options: { "-o= --output= --output-directory=": "writes", "--remote=": "runs", "--exec=": "script" },
    also: { writes: "." },
    examples: {
      "git archive --remote=x --exec=./x HEAD": "ask remote-write execute:x execute:./x unknown:what ./x does write:.",
    },
  },
];
