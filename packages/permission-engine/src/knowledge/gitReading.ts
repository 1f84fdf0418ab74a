import type { CommandEntry } from "./CommandEntry.ts";

// What shows commits and differences shares these. `--ext-diff`, `--textconv`, `--output`, `-O`, `--no-index` and
// `--show-signature` are absent on purpose: they run programs, write, or read outside the repository.
const diffFlags =
  "-# -a -b -B[=] -C[=] -D -G= -I= -M[=] -p -R -s -S= -u -U[=] -w -W -z --abbrev[=] --anchored= --binary --break-rewrites[=] --cc -c -m --check --color[=] --no-color " +
  "--color-moved[=] --no-color-moved --color-moved-ws= --color-words[=] --compact-summary --cumulative --diff-algorithm= " +
  "--diff-filter= --dirstat[=] --dst-prefix= --exit-code --find-copies[=] --find-copies-harder --find-object= --find-renames[=] " +
  "--full-index --function-context --histogram --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol " +
  "--ignore-matching-lines= --ignore-space-at-eol --ignore-space-change --ignore-submodules[=] --indent-heuristic " +
  "--inter-hunk-context= --irreversible-delete --ita-invisible-in-index --line-prefix= --minimal --name-only --name-status " +
  "--no-ext-diff --no-indent-heuristic --no-patch --no-prefix --no-relative --no-renames --no-textconv --numstat " +
  "--output-indicator-new= --output-indicator-old= --output-indicator-context= --patch --patch-with-raw --patch-with-stat --patience " +
  "--pickaxe-all --pickaxe-regex --quiet -q --raw --relative[=] --rename-empty --rotate-to= --shortstat --skip-to= --src-prefix= " +
  "--stat[=] --stat-count= --stat-graph-width= --stat-name-width= --stat-width= --submodule[=] --summary --text --unified[=] -r -t " +
  "--word-diff[=] --word-diff-regex= --ws-error-highlight= --combined-all-paths --default-prefix --diff-merges= --no-diff-merges --follow";
const diffActs: NonNullable<CommandEntry["options"]> = {
  "--output=": "writes",
  "--ext-diff --textconv --show-signature": "remote-write",
  "-O=": "reads",
  "--no-index": "local-write",
};
const logFlags =
  "-g -E -F -i -P -n= --abbrev-commit --no-abbrev-commit --after= --all --all-match --ancestry-path[=] --author= --author-date-order --basic-regexp " +
  "--before= --bisect --boundary --branches[=] --cherry --cherry-mark --cherry-pick --children --clear-decorations --committer= " +
  "--date= --date-order --decorate[=] --decorate-refs= --decorate-refs-exclude= --dense --encoding= --exclude= " +
  "--exclude-first-parent-only --expand-tabs[=] --extended-regexp --first-parent --fixed-strings --full-diff " +
  "--full-history --glob= --graph --grep= --grep-reflog= --ignore-missing --in-commit-order --invert-grep --left-only " +
  "--left-right --log-size --mailmap --max-count= --max-parents= --merge --merges --min-parents= --no-decorate --no-expand-tabs " +
  "--no-graph --no-mailmap --no-merges --no-notes --no-walk[=] --not --notes[=] --oneline --parents --perl-regexp " +
  "--regexp-ignore-case --relative-date --remotes[=] --remove-empty --reverse --right-only --show-linear-break[=] --show-notes[=] " +
  "--show-pulls --simplify-by-decoration --simplify-merges --since= --since-as-filter= --single-worktree --skip= --source --sparse " +
  "--tags[=] --topo-order --until= --use-mailmap --walk-reflogs";

// The program that checks signatures is a setting. A format by another name may be one with signatures in it.
const signatures = /signature|%G/;

const reading: ReadonlyArray<CommandEntry> = [
  {
    command: "git status",
    risk: "read",
    operands: "lists*",
    flags:
      "-s -b -v -u[=] -z -M[=] --short --branch --show-stash --porcelain[=] --long --verbose --untracked-files[=] --ignored[=] --ignore-submodules[=] " +
      "--ahead-behind --no-ahead-behind --renames --no-renames --find-renames[=] --column[=] --no-column --null",
    isSafe: true,
    examples: {
      "git status": "allow read",
      "git status --short --branch": "allow",
      "git status -uno --porcelain=v2": "allow",
      "git --no-pager status": "allow",
      "git --work-tree=/ status": "ask remote-write",
      "git -c core.fsmonitor=./x status": "ask remote-write",
    },
  },
  {
    command: "git diff | git diff-tree | git diff-index | git diff-files",
    risk: "read",
    operands: "reads*",
    flags: `${diffFlags} --cached --staged --merge-base --stdin --root --ours --theirs --base -1 -2 -3 -0`,
    options: diffActs,
    recursive: "always",
    isSafe: true,
    examples: {
      "git diff --stat -- 'a & b.txt'": "allow",
      "git diff HEAD~1 --name-only": "allow",
      "git diff main...topic -- src": "allow",
      "git diff --output x": "ask local-write",
      "git diff --outp=x": "ask local-write",
      "git diff --ext-diff": "ask remote-write",
      "git diff --no-index -- a b": "ask",
      "git diff .env": "ask",
    },
  },
  {
    command: "git log | git show | git whatchanged | git rev-list | git shortlog",
    risk: "read",
    operands: "reads*",
    flags: `${diffFlags} ${logFlags} -e --numbered --email --group= --count --objects --disk-usage[=]`,
    options: { ...diffActs, "-L=": "reads", "--format= --pretty[=]": "text" },
    unless: signatures,
    recursive: "always",
    isSafe: true,
    examples: {
      "git log --format=%G?": "ask",
      "git log --pretty='tformat:%h %GS'": "ask",
      "git log --pretty=oneline": "allow",
      "git log -L 1,9:src/a.ts": "allow",
      "git log -L1,2:.env": "ask",
      "git log -p -- ':(top).env'": "ask",
      "git show HEAD -- '.en*'": "ask",
      "git log --oneline -n 5": "allow read",
      "git log -20 --graph --all --format='%h|%an|%s'": "allow",
      "git log --since='2 weeks ago' --author=me -p src/a.ts": "allow",
      "git log -S'$(x)'": "allow",
      "git show HEAD~3": "allow",
      "git show HEAD:src/a.ts": "allow",
      "git show HEAD:.env": "ask",
      "git show --textconv x": "ask remote-write",
      "git log --output=x": "ask local-write",
      "git log -U --output=x": "ask local-write",
      "git log --date --output=x": "ask",
      "git log --odd": "ask remote-write",
      "git LOG": "ask",
    },
  },
  {
    command: "git blame | git annotate",
    risk: "read",
    operands: "reads*",
    flags:
      "-b -c -C[=] -e -f -L= -l -M[=] -n -p -s -t -w --abbrev= --color-by-age --color-lines --date= --encoding= --first-parent --ignore-rev= --incremental " +
      "--line-porcelain --minimal --porcelain --progress --reverse --root --score-debug --show-email --show-name --show-number --show-stats --since=",
    options: { "--contents= --ignore-revs-file= -S=": "reads", "--textconv": "remote-write" },
    isSafe: true,
    examples: { "git blame -L 1,9 src/a.ts": "allow read", "git blame --textconv a": "ask" },
  },
  {
    command:
      "git ls-files | git ls-tree | git name-rev | git describe | git merge-base | git count-objects | git cherry | git show-ref | " +
      "git for-each-ref | git rev-parse | git check-ignore | git show-branch",
    risk: "read",
    operands: "lists*",
    flags:
      "-a -c -d -e -f -h -H -i -k -l -m -n -o -q -r -s -t -u -v -x= -z --abbrev[=] --abbrev-ref[=] --absolute-git-dir --all --always --branches[=] --cached --candidates= " +
      "--contains[=] --count= --default= --deleted --dereference --dirty[=] --broken[=] --directory --empty-directory --eol " +
      "--error-unmatch --exact-match --exclude= --exclude-standard --exclude-per-directory= --first-parent --fork-point " +
      "--full-name --full-tree --git-common-dir --git-dir --git-path= --glob= --hash[=] --head --heads --human-readable --ignored " +
      "--independent --is-ancestor --is-bare-repository --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --killed " +
      "--local-env-vars --long --match= --merged[=] --modified --name-only --name-status --no-contains= --no-index --no-merged[=] " +
      "--non-matching --not --object-only --octopus --others --path-format= --points-at= --quiet --refs= --remotes[=] " +
      "--show-cdup --show-current --show-object-format[=] --show-prefix --show-superproject-working-tree --show-toplevel --short[=] --sort= --sq " +
      "--stage --symbolic --symbolic-full-name --tags[=] --undefined --unmerged --verbose --verify --with-tree= --recurse-submodules --debug",
    options: { "--format=": "text", "-X= --exclude-from= --stdin --parseopt --sq-quote --annotate-stdin": "unknown" },
    // The program that checks signatures is a setting.
    unless: signatures,
    isSafe: true,
    examples: {
      "git for-each-ref --format='%(signature)'": "ask",
      "git rev-parse --abbrev-ref HEAD": "allow read",
      "git ls-files --others --exclude-standard": "allow",
      "git describe --tags --always": "allow",
      "git ls-files -X list": "ask remote-write",
    },
  },
  {
    command: "git verify-commit | git verify-tag",
    risk: "remote-write",
    operands: "text*",
    flags: "-v --verbose --raw",
    also: { runs: "the program in the settings" },
    examples: { "git verify-commit HEAD": "ask remote-write" },
  },
  {
    command: "git cat-file",
    risk: "read",
    operands: "reads*",
    flags: "-t -s -p -e --allow-unknown-type",
    options: { "--textconv --filters": "remote-write" },
    isSafe: true,
    examples: {
      "git cat-file -p HEAD": "allow read",
      "git cat-file -p HEAD:.env": "ask",
      "git cat-file --filters HEAD:a": "ask remote-write",
    },
  },
  {
    command: "git grep",
    risk: "read",
    operands: "text reads*",
    flags:
      "-# -a -A= -B= -C= -c -E -e= -F -G -h -H -i -I -l -L -m= -n -o -p -P -q -r -v -w -W -z --after-context= --all-match --and --basic-regexp --before-context= --break " +
      "--cached --color[=] --column --context= --count --exclude-standard --extended-regexp --files-with-matches " +
      "--files-without-match --fixed-strings --full-name --function-context --heading --ignore-case --invert-match --line-number " +
      "--max-count= --max-depth= --name-only --not --null --only-matching --or --perl-regexp --quiet --recursive --show-function " +
      "--text --threads= --untracked --word-regexp --no-color ( )",
    options: {
      "-O[=] --open-files-in-pager[=]": "script",
      "--textconv --ext-grep": "remote-write",
      "-f= --no-index": "unknown",
    },
    when: { "-e=": { operands: "reads*" } },
    here: "reads",
    recursive: "always",
    isSafe: true,
    examples: {
      "git grep -n TODO -- src": "allow read",
      "git grep -O./x y": "ask remote-write execute:./x read:. unknown:what ./x does",
    },
  },
  {
    command: "git ls-remote",
    risk: "read",
    operands: "text*",
    flags: "-h -t -q -o= --heads --tags --refs --quiet --exit-code --get-url --sort= --symref --branches",
    options: { "--upload-pack= --exec=": "script" },
    also: { connects: "the remote" },
    examples: {
      "git ls-remote origin": "ask read connect:the remote",
      "git ls-remote --upload-pa='touch /tmp/p' test": "ask remote-write",
    },
  },
];

const listing: ReadonlyArray<CommandEntry> = [
  {
    command: "git branch",
    risk: "read",
    operands: "makes*",
    flags:
      "-a -r -v -i --all --remotes --verbose --show-current --no-color --color[=] --column[=] --no-column --sort= --ignore-case --abbrev[=] --no-abbrev -q --quiet",
    unless: signatures,
    options: {
      "--format=": "text",
      "-c -f -m -t[=] -C -M -u= --copy --create-reflog --force --move --no-track --track[=] --set-upstream-to= --unset-upstream --edit-description":
        "local-write",
      "-d -D --delete": "irreversible",
    },
    when: { "-l --list --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at=": { operands: "text*" } },
    isSafe: true,
    examples: {
      "git branch": "allow read",
      "git branch -a": "allow read",
      "git branch --list 'x*'": "allow",
      "git branch --format='%(signature)'": "ask",
      "git branch new": "ask local-write write:new",
      "git branch -D x": "ask irreversible",
      "git branch -m a b": "ask local-write",
    },
  },
  {
    command: "git tag",
    risk: "read",
    operands: "makes*",
    flags: "-n[=] -i --sort= --column[=] --no-column --color[=] --ignore-case",
    unless: signatures,
    options: {
      "--format=": "text",
      "-v --verify": "remote-write",
      "-a -e -f -m= -s -u= -F= --annotate --edit --force --message= --file= --sign --no-sign --local-user= --cleanup= --create-reflog":
        "local-write",
      "-d --delete": "irreversible",
    },
    when: {
      "-l --list --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= -v --verify": {
        operands: "text*",
      },
    },
    isSafe: true,
    examples: {
      "git tag": "allow read",
      "git tag -l 'v*'": "allow read",
      "git tag v1": "ask local-write write:v1",
      "git tag -v v1": "ask remote-write",
      "git tag -d v1": "ask irreversible",
    },
  },
  {
    command: "git remote",
    risk: "read",
    operands: "",
    flags: "-v --verbose",
    isSafe: true,
    examples: { "git remote": "allow read", "git remote -v": "allow" },
  },
  {
    command:
      "git remote add | git remote set-url | git remote rename | git remote remove | git remote rm | git remote set-head | git remote set-branches",
    risk: "local-write",
    operands: "makes*",
    flags: "-f -t= -m= --tags --no-tags --add --push --delete",
    also: { writes: ".git/config" },
    examples: { "git remote add x y": "ask local-write" },
  },
  {
    command: "git remote get-url",
    risk: "read",
    operands: "text*",
    flags: "--push --all",
    isSafe: true,
    examples: { "git remote get-url origin": "allow read" },
  },
  {
    command: "git remote show | git remote update | git remote prune",
    risk: "local-write",
    operands: "text*",
    flags: "-n -p --prune --dry-run",
    also: { connects: "the remote" },
    examples: { "git remote show origin": "ask local-write connect:the remote" },
  },
  {
    command: "git stash list | git stash show",
    risk: "read",
    operands: "reads*",
    flags: `${diffFlags} --oneline -n= --format= --date= -u --include-untracked --only-untracked`,
    options: diffActs,
    isSafe: true,
    examples: { "git stash list": "allow read", "git stash show -p": "allow", "git stash list --output=x": "ask" },
  },
  {
    command: "git worktree list",
    risk: "read",
    operands: "",
    flags: "-v --verbose --porcelain -z",
    isSafe: true,
    examples: { "git worktree list --porcelain": "allow read" },
  },
  {
    command: "git reflog | git reflog show",
    risk: "read",
    operands: "",
    flags: "-n= -# --oneline --all --date= --no-color",
    options: { "--format=": "text" },
    unless: signatures,
    isSafe: true,
    examples: { "git reflog -n 5": "allow read", "git reflog HEAD": "ask", "git reflog --format=%GG": "ask" },
  },
  {
    command: "git config --get | git config --get-all | git config get",
    risk: "read",
    operands: "text",
    flags:
      "--local --global --system --show-origin --show-scope --name-only --all -z --null --type= --bool --int --default=",
    // Settings may hold tokens.
    unless: /header|credential|token|pass|secret|proxy|auth|key|smtp/i,
    isSafe: true,
    examples: {
      "git config --get user.name": "allow read",
      "git config --get a b": "ask",
      "git config --get http.https://x.test.extraheader": "ask",
    },
  },
  {
    command: "git config --list | git config -l | git config list",
    risk: "read",
    operands: "",
    flags: "--local --global --system --show-origin --show-scope --name-only -z --null",
    // It shows all settings, tokens among them.
    examples: { "git config --list --show-origin": "ask read" },
  },
  {
    command: "git --version | git version",
    risk: "read",
    operands: "",
    flags: "--build-options",
    isSafe: true,
    examples: { "git --version": "allow read" },
  },
];

/** Git: what only shows, and what lists or changes by its options. */
export const gitReading: ReadonlyArray<CommandEntry> = [...reading, ...listing];
