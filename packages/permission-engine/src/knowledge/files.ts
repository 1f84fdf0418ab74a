import type { CommandEntry } from "./CommandEntry.ts";

const backups =
  "-b -f -i -n -u -v -S= -Z --backup[=] --force --interactive --no-clobber --suffix= --update[=] --verbose --debug";

/** Programs that list, make, copy, move, delete or change files. */
export const files: ReadonlyArray<CommandEntry> = [
  {
    command: "ls | dir | vdir | gls",
    risk: "read",
    operands: "lists*",
    here: "lists",
    flags:
      "-1 -a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I= -k -l -m -n -N -o -O -p -q -Q -r -R -s -S -t -T= -u -U -v -w= -W -x -X -Z -@ -% -e --all --almost-all --author " +
      "--block-size= --classify[=] --color[=] --colour[=] --context --dereference-command-line " +
      "--dereference-command-line-symlink-to-dir --directory --dired --escape --file-type --format= --full-time " +
      "--group-directories-first --hide-control-chars --hide= --human-readable --hyperlink[=] --ignore-backups --ignore= " +
      "--indicator-style= --inode --kibibytes --literal --no-group --numeric-uid-gid --quote-name --quoting-style= --recursive " +
      "--reverse --show-control-chars --si --size --sort= --tabsize= --time-style= --time= --width= --zero --help --version",
    options: { "-L --dereference": "reveals" },
    recursive: "-R --recursive",
    isSafe: true,
    examples: {
      ls: "allow read read:.",
      "ls -la src": "allow read read:src",
      "ls -lahtr --color=auto": "allow",
      "ls ~/projects": "allow",
      "ls ~/.ssh": "ask",
      "ls --odd": "ask remote-write",
    },
  },
  {
    command: "tree",
    risk: "read",
    operands: "lists*",
    here: "lists",
    flags:
      "-a -d -f -x -L= -P= -I= -p -u -g -s -h -D -F -q -N -Q -r -t -c -U -v -i -n -C -A -S -J -X --noreport --dirsfirst --filesfirst --gitignore " +
      "--prune --matchdirs --ignore-case --charset= --filelimit= --du --si --sort= --inodes --device --timefmt= --help --version",
    // `-Lo 2 out`: the values follow in the order of the letters.
    clusters: /^-(?:[adfxpugshDFqNQrtcUvinCASJXl]+|L\d+)$/,
    options: {
      "-o= --output=": "writes",
      "-R": "local-write",
      "-l": "reveals",
      "--fromfile --gitfile= --infofile=": "unknown",
    },
    recursive: "always",
    isSafe: true,
    examples: {
      "tree -L 2 src": "allow read read:src",
      "tree -o out": "ask local-write read:. write:out",
      "tree -Lo 2 out": "ask",
      "tree -adL 2": "ask",
      "tree -ad -L 2": "allow",
      "tree -L2": "allow",
    },
  },
  {
    command: "stat | du | realpath | readlink",
    risk: "read",
    operands: "lists*",
    flags:
      "-0 -a -b -B= -c= -d= -D -e -f= -F -g -h -H -k -l -m -n -P -q -r -s -S -t= -v -x -X= -z --all --apparent-size --block-size= --bytes --cached= " +
      "--canonicalize --canonicalize-existing --canonicalize-missing --count-links --dereference-args --exclude= " +
      "--file-system --format= --human-readable --inodes --logical --max-depth= --no-dereference --no-newline --no-symlinks --null " +
      "--one-file-system --physical --printf= --quiet --relative-base= --relative-to= --separate-dirs --si --silent --strip " +
      "--summarize --terse --threshold= --time[=] --time-style= --total --verbose --zero --help --version",
    options: { "-L --dereference": "reveals", "--files0-from= --exclude-from=": "unknown" },
    isSafe: true,
    examples: {
      "stat a.txt": "allow read read:a.txt",
      "du -sh src": "allow read read:src",
      "du --files0-from=x": "ask",
    },
  },
  {
    command: "basename | dirname",
    risk: "read",
    operands: "text*",
    flags: "-a -s= -z --multiple --suffix= --zero --help --version",
    isSafe: true,
    examples: { "basename src/a.ts .ts": "allow read", "dirname -z a": "allow read" },
  },
  {
    command: "file",
    risk: "read",
    operands: "reads*",
    flags:
      "-0 -b -c -d -E -e= -F= -h -i -I -k -l -L -n -N -P= -p -r -s -S -v --apple --brief --checking-printout --dereference --exclude= --extension " +
      "--keep-going --mime --mime-encoding --mime-type --no-buffer --no-dereference --no-pad --no-sandbox --parameter= --print0 " +
      "--raw --separator= --special-files --help --version",
    options: {
      "-C --compile": "local-write",
      "-m= --magic-file= -f= --files-from=": "unknown",
      "-z -Z --uncompress --uncompress-noreport": "remote-write",
    },
    isSafe: true,
    examples: { "file a.bin": "allow read read:a.bin", "file -C -m x": "ask remote-write", "file -f list": "ask" },
  },
  {
    command: "test | [",
    risk: "read",
    operands: "text*",
    flags: "*",
    examples: { "test -f a.txt": "ask read", "[ -d src ]": "ask read" },
  },
  {
    command: "mkdir",
    risk: "local-write",
    operands: "touches*",
    flags: "-p -v -m= -Z --parents --verbose --mode= --context[=] --help --version",
    examples: { "mkdir -p build/out": "ask local-write write:build/out" },
  },
  {
    command: "touch",
    risk: "local-write",
    operands: "touches*",
    flags: "-a -c -d= -f -h -m -r= -t= --date= --no-create --no-dereference --reference= --time= --help --version",
    examples: { "touch a.txt": "ask local-write write:a.txt", "touch -d yesterday a": "ask write:a" },
  },
  {
    command: "tee | gtee | sponge",
    risk: "local-write",
    operands: "writes*",
    flags: "-a -i -p --append --ignore-interrupts --output-error[=] --help --version",
    examples: { "tee -a log.txt": "ask local-write write:log.txt" },
  },
  {
    command: "truncate",
    risk: "local-write",
    operands: "writes*",
    flags: "-c -o -s= -r= --no-create --io-blocks --size= --reference=",
    examples: { "truncate -s 0 a.log": "ask local-write write:a.log" },
  },
  {
    command: "cp | gcp | ditto",
    risk: "local-write",
    operands: "reads* writes",
    flags:
      `${backups} -a -d -H -L -P -p -r -R -s -T -x --archive --attributes-only --copy-contents --dereference --no-dereference ` +
      "--no-preserve= --preserve[=] --no-target-directory --one-file-system --parents --recursive --reflink[=] --remove-destination " +
      "--sparse= --strip-trailing-slashes --symbolic-link --context[=] --keep-directory-symlink --help --version",
    options: { "-t= --target-directory=": "writes" },
    when: {
      "-l --link": { operands: "links* writes" },
      "-t= --target-directory=": { operands: "reads*" },
    },
    lands: "names",
    recursive: "-a -r -R --archive --recursive",
    examples: {
      "cp -r a b": "ask local-write read:a write:b",
      "cp a b c dir": "ask local-write read:a read:b read:c write:dir",
      "cp -t dir a b": "ask local-write read:a read:b write:dir",
      "cp --targ=dir a": "ask local-write",
    },
  },
  {
    command: "install | ginstall",
    risk: "local-write",
    operands: "reads* writes",
    flags: `${backups} -c -C -D -d -g= -m= -o= -p -s -T --mode= --owner= --group= --preserve-timestamps --strip --compare --no-target-directory`,
    options: { "-t= --target-directory=": "writes", "--strip-program=": "script" },
    lands: "names",
    when: { "-t= --target-directory=": { operands: "reads*" }, "-d --directory": { operands: "touches*" } },
    examples: { "install -m 755 a bin/a": "ask local-write read:a write:bin/a" },
  },
  {
    command: "mv | gmv",
    risk: "local-write",
    operands: "moves* writes",
    flags: `${backups} -T --strip-trailing-slashes --no-target-directory --no-copy --exchange --context --help --version`,
    options: { "-t= --target-directory=": "writes" },
    when: { "-t= --target-directory=": { operands: "moves*" } },
    lands: "names",
    recursive: "always",
    examples: { "mv a b": "ask local-write delete:a write:b", "mv -t dir a b": "ask delete:a delete:b write:dir" },
  },
  {
    command: "ln | link",
    risk: "local-write",
    operands: "links* touches",
    flags:
      `${backups} -d -F -L -P -r -T -h --directory --logical --no-dereference --physical --relative ` +
      "--no-target-directory --help --version",
    options: { "-t= --target-directory=": "touches" },
    when: {
      "-s --symbolic": { operands: "lists* touches" },
      "-t= --target-directory=": { operands: "links*" },
    },
    lands: "names",
    examples: { "ln -s a b": "ask local-write read:a write:b", "ln a b": "ask local-write write:a write:b" },
  },
  {
    command: "rename | mmv | prename",
    risk: "local-write",
    operands: "code moves*",
    flags: "-v -n -f -s --verbose --no-act --force",
    isRunner: true,
    examples: { "rename s/a/b/ x y": "ask remote-write execute:s/a/b/ delete:x delete:y" },
  },
  {
    command: "rm | grm | srm",
    risk: "irreversible",
    operands: "deletes*",
    flags:
      "-f -i -I -r -R -d -v -P -W -x --force --interactive[=] --one-file-system --no-preserve-root --preserve-root[=] --recursive --dir " +
      "--verbose --glob --help --version",
    recursive: "-r -R --recursive",
    examples: {
      "rm a b": "ask irreversible delete:a delete:b",
      "rm -rf build": "ask irreversible delete:build",
      "rm -rf /": "hard-block irreversible delete:/",
      "rm -- -x": "ask delete:-x",
    },
  },
  {
    command: "rimraf | del-cli | trash | trash-put | gio trash | gio remove | wipe",
    risk: "irreversible",
    operands: "deletes*",
    flags: "-f -v -q -i -g -G --glob --no-glob --force --verbose --quiet --interactive --dry-run",
    recursive: "always",
    examples: { "rimraf dist": "ask irreversible delete:dist", "rimraf /": "hard-block", "trash ~": "hard-block" },
  },
  {
    command: "rmdir | unlink | grmdir",
    risk: "irreversible",
    operands: "deletes*",
    flags: "-p -v --parents --verbose --ignore-fail-on-non-empty --help --version",
    examples: { "rmdir old": "ask irreversible delete:old" },
  },
  {
    command: "shred",
    risk: "irreversible",
    operands: "writes*",
    flags: "-f -n= -s= -u -v -x -z --force --iterations= --size= --remove[=] --verbose --exact --zero --random-source=",
    recursive: "-r --recursive",
    examples: { "shred -u a": "ask irreversible write:a", "shred /dev/sda": "hard-block" },
  },
  {
    command: "chmod | gchmod | chown | gchown | chgrp",
    risk: "local-write",
    operands: "text chmods*",
    flags:
      "-c -f -h -P -R -v --changes --silent --quiet --verbose --recursive --preserve-root --no-preserve-root --dereference " +
      "--no-dereference --from= --help --version",
    options: { "--reference=": "lists", "-H -L": "redefines" },
    // `chmod -x a`: the mode looks like options.
    when: { "--reference=": { operands: "chmods*" }, "-r -w -x -X -s -t": { operands: "chmods*" } },
    recursive: "-R --recursive",
    examples: {
      "chmod +x run.sh": "ask local-write write:run.sh",
      "chmod -R 755 build": "ask local-write write:build",
      "chmod -R 777 /": "hard-block",
      "chmod -x a": "ask local-write write:a",
    },
  },
  {
    command: "setfacl | chattr | chflags | xattr",
    risk: "local-write",
    operands: "chmods*",
    flags: "-b -k -R -d -n -L -P -v -f -m= -x= -s= --recursive --remove-all --modify= --remove= --set=",
    recursive: "-R --recursive",
    examples: { "setfacl -m u:a:r f": "ask local-write write:f" },
  },
  {
    command: "dd | gdd | dcfldd",
    risk: "local-write",
    operands: "text*",
    flags: "bs= ibs= obs= cbs= count= skip= seek= iseek= oseek= conv= iflag= oflag= status= --help --version",
    options: { "if=": "reads", "of=": "writes" },
    examples: {
      "dd if=a of=b bs=1M": "ask local-write read:a write:b",
      "dd if=x of=/dev/sda": "hard-block",
    },
  },
  {
    command: "ddrescue | pv",
    risk: "local-write",
    operands: "reads writes*",
    flags: "*",
    options: { "-o= --output=": "writes" },
    examples: { "ddrescue a b": "ask local-write read:a write:b", "ddrescue a /dev/sda": "hard-block" },
  },
  {
    command: "rsync",
    risk: "remote-write",
    lands: "names",
    operands: "remote-reads* remote-writes",
    flags:
      "-a -v -r -l -p -t -g -o -D -n -z -h -P -c -u -x -q -H -A -X -S -R -i -C -b -W -y -E -m -L -k -K --archive --verbose --recursive --progress --partial --stats " +
      "--human-readable --dry-run --compress --exclude= --include= --checksum --update --size-only --existing --ignore-existing " +
      "--links --perms --times --owner --group --itemize-changes --info= --bwlimit= --max-size= --min-size= --timeout= --no-perms " +
      "--no-owner --no-group --chmod= --chown= --mkpath",
    options: {
      "-e= --rsh= --rsync-path=": "script",
      "--exclude-from= --include-from= --files-from= --password-file=": "reads",
      "--log-file= --backup-dir= --partial-dir= -T= --temp-dir= --write-batch=": "writes",
    },
    when: {
      "--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded": {
        operands: "remote-reads* mirrors",
        risk: "irreversible",
      },
      "--remove-source-files": { operands: "moves* remote-writes", risk: "irreversible" },
    },
    recursive: "always",
    examples: {
      "rsync -a src/ out/": "ask remote-write read:src write:out",
      "rsync -a src/ host:out": "ask remote-write read:src write:host:out",
      "rsync -a --delete src/ out": "ask irreversible read:src delete:out",
      "rsync -e 'sh -c id' a b:": "ask remote-write",
    },
  },
  {
    command: "mktemp",
    risk: "local-write",
    operands: "touches",
    flags: "-d -q -t -u --directory --dry-run --quiet --suffix=",
    options: { "-p= --tmpdir[=]": "touches" },
    examples: { "mktemp -d": "ask local-write" },
  },
  {
    command: "vi | vim | nvim | nano | emacs | ed | ex | view | pico | micro | code | subl",
    risk: "remote-write",
    operands: "writes*",
    edits: true,
    flags: "-R -n -w --wait --reuse-window",
    options: {
      "-c= --cmd= -e= --eval= -eval= -s= -S= -l= -f= -funcall= --funcall= +": "code",
      "-u= -load= --load=": "runs",
    },
    isRunner: true,
    examples: {
      "vim -c ':!id' a": "ask remote-write execute::!id write:a read:a",
      "nano a.txt": "ask remote-write write:a.txt read:a.txt",
    },
  },
];
