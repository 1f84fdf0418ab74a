// Names of one option, by the command that has them. What is left out here is known by its own name only.
const written: Readonly<Record<string, string>> = {
  "git push": "-f --force, -d --delete, -u --set-upstream, -n --dry-run, -q --quiet, -o --push-option",
  "git commit": "-n --no-verify, -a --all, -m --message, -F --file, -S --gpg-sign",
  "git merge": "-m --message, -S --gpg-sign",
  "git clean": "-f --force, -n --dry-run, -i --interactive, -e --exclude",
  "git checkout": "-f --force, -q --quiet, -d --detach, -t --track",
  "git switch": "-f --force --discard-changes, -c --create, -C --force-create, -d --detach",
  "git restore": "-S --staged, -W --worktree, -s --source",
  "git branch": "-d --delete, -f --force, -m --move, -c --copy, -a --all, -r --remotes, -u --set-upstream-to",
  "git tag": "-d --delete, -f --force, -a --annotate, -s --sign, -l --list, -m --message",
  "git rm": "-f --force, -n --dry-run, -q --quiet",
  "git add": "-f --force, -A --all --no-ignore-removal, -u --update, -p --patch, -n --dry-run",
  "git fetch": "-f --force, -p --prune, -a --append, -t --tags, -n --no-tags",
  "git pull": "-r --rebase, -f --force, -p --prune",
  "git rebase": "-i --interactive, -x --exec, -f --force-rebase --no-ff",
  "git stash": "-u --include-untracked, -a --all, -p --patch, -k --keep-index",
  "git worktree": "-f --force",
  rm: "-r -R --recursive, -f --force, -i --interactive=always, -d --dir, -v --verbose",
  cp: "-r -R --recursive, -f --force, -a --archive, -p --preserve, -n --no-clobber, -t --target-directory",
  mv: "-f --force, -n --no-clobber, -t --target-directory",
  ln: "-s --symbolic, -f --force, -t --target-directory",
  chmod: "-R --recursive, -v --verbose",
  chown: "-R --recursive, -h --no-dereference",
  chgrp: "-R --recursive",
  mkdir: "-p --parents, -m --mode",
  tar: "-x --extract --get, -c --create, -f --file, -C --directory, -P --absolute-names, -t --list",
  sed: "-i --in-place, -n --quiet --silent, -E -r --regexp-extended, -e --expression, -f --file",
  rsync: "-a --archive, -n --dry-run, -e --rsh, --del --delete-during",
  curl:
    "-o --output, -O --remote-name, -d --data --data-ascii, -X --request, -H --header, -k --insecure, -L --location, -T --upload-file, " +
    "-F --form, -u --user, -x --proxy, -K --config, -s --silent",
  wget: "-O --output-document, -P --directory-prefix, -i --input-file, -r --recursive, -m --mirror",
  npm: "-g --global --location=global, -f --force, -D --save-dev, -w --workspace, -y --yes",
  pnpm: "-g --global, -D --save-dev, -r --recursive, -f --force, -F --filter",
  yarn: "-D --dev, -f --force",
  pip: "-r --requirement, -e --editable, -U --upgrade, -i --index-url, -t --target, -y --yes",
  docker:
    "-v --volume, -p --publish, -e --env, -i --interactive, -t --tty, -u --user, -w --workdir, -d --detach, -f --force, -H --host",
  podman:
    "-v --volume, -p --publish, -e --env, -i --interactive, -t --tty, -u --user, -w --workdir, -d --detach, -f --force",
  kubectl:
    "-n --namespace, -f --filename, -A --all-namespaces, -l --selector, -o --output, -k --kustomize, -R --recursive",
  helm: "-n --namespace, -f --values, -i --install",
  terraform: "-auto-approve --auto-approve, -destroy --destroy, -target --target",
  tofu: "-auto-approve --auto-approve, -destroy --destroy, -target --target",
  gh: "-R --repo, -d --delete-branch, -m --merge, -s --squash, -r --rebase, -X --method, -F --field, -f --raw-field, -b --body",
  cargo: "-p --package, -r --release, -j --jobs, -f --force",
  kill: "-9 -KILL -SIGKILL, -15 -TERM -SIGTERM, -1 -HUP -SIGHUP",
  pkill: "-9 -KILL -SIGKILL, -f --full",
  killall: "-9 -KILL -SIGKILL",
  ssh: "",
  apt: "-y --yes --assume-yes",
  "apt-get": "-y --yes --assume-yes",
  systemctl: "-f --force",
};

const groups = new Map<string, ReadonlyArray<ReadonlySet<string>>>();
for (const [command, list] of Object.entries(written))
  groups.set(
    command,
    list.split(", ").map((names) => new Set(names.split(" "))),
  );

/** All names of an option, the given one first. `command`: the words of a program and its sub-command. */
export const namesOfOption = (command: string, option: string): ReadonlyArray<string> => {
  const program = command.split(" ")[0] ?? "";
  const same = [command, program].flatMap((words) => groups.get(words) ?? []).find((names) => names.has(option));
  return same === undefined ? [option] : [option, ...[...same].filter((name) => name !== option)];
};

/** Words that say what an option says: `git push origin +main` forces. */
export const optionInWord = (command: string, word: string): string | undefined =>
  command !== "git push" ? undefined : word.startsWith("+") ? "--force" : /^:./.test(word) ? "--delete" : undefined;
