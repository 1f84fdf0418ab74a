import type { CommandEntry } from "./CommandEntry.ts";

/** Programs that look for files, or for text in files. */
export const search: ReadonlyArray<CommandEntry> = [
  {
    command: "grep | egrep | fgrep | zgrep",
    risk: "read",
    operands: "text reads*",
    flags:
      "-# -A= -a -B= -b -C= -c -D= -d= -E -F -G -H -h -I -i -L -l -m= -n -o -P -q -r -s -T -U -V -v -w -x -y -Z -z --after-context= " +
      "--basic-regexp --before-context= --binary --binary-files= --byte-offset --color[=] --colour[=] --context= --count " +
      "--devices= --directories= --exclude-dir= --exclude= --extended-regexp --files-with-matches " +
      "--files-without-match --fixed-strings --group-separator= --help --ignore-case --initial-tab --invert-match " +
      "--label= --line-buffered --line-number --line-regexp --max-count= --no-filename --no-group-separator --no-ignore-case " +
      "--no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --silent --text --version " +
      "--with-filename --word-regexp",
    options: { "-f= --file= --exclude-from=": "reads", "--include=": "finds", "-R --dereference-recursive": "reveals" },
    when: { "-e= --regexp= -f= --file=": { operands: "reads*" } },
    recursive: "-r -R --recursive --dereference-recursive",
    hereIfRecursive: "reads",
    isSafe: true,
    examples: {
      "grep -rn '/api/' src": "allow read read:src",
      "grep -A3 -B 3 x a.txt": "allow read read:a.txt",
      "grep --include='*.ts' -e x -e y src": "allow",
      "grep -r '' --include=.env": "ask",
      "grep x .ENV": "ask read",
      "grep -e x /etc/passwd": "ask read read:/etc/passwd",
      "grep -f words a.txt": "allow read read:words read:a.txt",
      "grep --odd x a": "ask remote-write",
    },
  },
  {
    command: "rg",
    risk: "read",
    operands: "text reads*",
    flags:
      "-# -A= -a -B= -C= -c -E= -e= -F -H -h -i -I -j= -l -m= -M= -N -n -o -p -P -q -r= -S -s -t= -T= -U -v -w -x --after-context= --before-context= " +
      "--block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count " +
      "--count-matches --crlf --debug --encoding= --engine= --field-context-separator= --field-match-separator= --files " +
      "--files-with-matches --files-without-match --fixed-strings --glob-case-insensitive --heading --help " +
      "--ignore-case --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number " +
      "--line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline " +
      "--multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files " +
      "--no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap " +
      "--no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pretty --quiet " +
      "--regexp= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trim --type= " +
      "--type-list --type-not= --vimgrep --with-filename --word-regexp --version",
    options: {
      "--pre= --hostname-bin=": "script",
      "-g= --glob= --iglob=": "finds",
      "-u --unrestricted --hidden -. -L --follow": "reveals",
      "-z --search-zip": "remote-write",
      "-f= --file= --ignore-file=": "reads",
    },
    when: { "-e= --regexp= -f= --file= --files --type-list": { operands: "reads*" } },
    recursive: "always",
    here: "reads",
    isSafe: true,
    examples: {
      "rg -n TODO": "allow read",
      "rg -n TODO src --type ts": "allow read read:src",
      "rg -g '*.ts' -C3 x": "allow",
      "rg --hidden TODO": "ask",
      "rg -uu x": "ask",
      "rg -g .env x": "ask",
      "rg --pre ./x y": "ask remote-write execute:./x read:. unknown:what ./x does",
      "rg -z y": "ask remote-write",
    },
  },
  {
    command: "ag | ack",
    risk: "read",
    operands: "text reads*",
    flags:
      "-i -l -L -n -v -w -Q -c -A= -B= -C= -H -h -g= -o --ignore= --hidden --nocolor --color --nogroup --group --type=",
    options: { "--pager=": "script", "-p=": "reads" },
    recursive: "always",
    examples: {
      "ag -l TODO src": "ask read read:src",
      "ag --pager=./x y": "ask remote-write execute:./x unknown:what ./x does",
    },
  },
  {
    command: "fd | fdfind",
    risk: "read",
    operands: "text lists*",
    flags:
      "-# -H -I -u -s -i -g -F -a -p -d= -t= -e= -E= -S= -o= -c= -j= -0 -1 -q -h -V --hidden --no-ignore --no-ignore-vcs --no-ignore-parent " +
      "--unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --full-path " +
      "--max-depth= --min-depth= --exact-depth= --type= --extension= --exclude= --size= --owner= --color= --threads= --print0 " +
      "--max-results= --quiet --changed-within= --changed-before= --max-one-result --prune --one-file-system --strip-cwd-prefix " +
      "--and= --path-separator= --format= --help --version",
    options: {
      "-x[*] -X[*] --exec[*] --exec-batch[*]": "starts",
      "-l --list-details": "runs",
      "-L --follow": "reveals",
      "--ignore-file= --search-path= --base-directory=": "reads",
      "-C=": "unknown",
    },
    recursive: "always",
    isSafe: true,
    examples: { "fd -e ts test src": "allow read read:src", "fd -x ls": "ask", "fd -l x": "ask" },
  },
  {
    command: "find | gfind",
    risk: "read",
    operands: "lists*",
    here: "lists",
    flags:
      "-H -P -O= -D= ( ) ! , -not -and -or -a -o -prune -quit -depth -daystart -nowarn -warn -mount -xdev -noleaf " +
      "-ignore_readdir_race -noignore_readdir_race -regextype= -maxdepth= -mindepth= -amin= -anewer= -atime= -cmin= -cnewer= " +
      "-context= -ctime= -empty -false -fstype= -gid= -group= -inum= -links= " +
      "-mmin= -mtime= -newer= -newermt= -nouser -nogroup -perm= -readable -writable -executable " +
      "-size= -true -type= -uid= -used= -user= -xtype= -samefile= -print -print0 -printf= -ls --help --version",
    options: {
      "-exec[;] -execdir[;] -ok[;] -okdir[;] -delete": "starts",
      "-fprint= -fprint0= -fls= -fprintf=:": "writes",
      "-files0-from=": "unknown",
      "-ilname= -iname= -iwholename= -iregex= -ipath= -lname= -name= -path= -regex= -wholename=": "text",
      "-L -follow": "reveals",
    },
    recursive: "always",
    isSafe: true,
    examples: {
      "find . -name '*.go' -type f": "allow read read:.",
      "find src \\( -name a -o -name b \\) -print": "allow read read:src",
      "find . -delete": "ask irreversible",
      "find . -name x -exec ls {} +": "ask",
      "find . -fprint out": "ask local-write read:. write:out",
      "find ~/.ssh": "ask",
    },
  },
  {
    command: "locate | mdfind | plocate",
    risk: "read",
    operands: "text*",
    flags: "-i -c -l= -n= -r= -b -q -name= -onlyin= -0 --limit= --count --regex=",
    examples: { "locate -i passwd": "ask read" },
  },
  {
    command: "which | type | whereis | command -v",
    risk: "read",
    operands: "text*",
    flags: "-a -s -p -P -t -f -v -V -b -m -q --all --help --version",
    isSafe: true,
    examples: { "which -a node": "allow read", "type ls": "allow read", "which --odd x": "ask" },
  },
];
