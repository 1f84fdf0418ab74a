import type { CommandEntry } from "./CommandEntry.ts";

/** Programs that read files and print: most of them can do nothing else. */
export const text: ReadonlyArray<CommandEntry> = [
  {
    command: "tac",
    risk: "read",
    operands: "reads*",
    flags: "-b -r -s= --before --regex --separator= --help --version",
    isSafe: true,
    examples: { "tac -s , a.txt": "allow read read:a.txt", "tac -s .env": "ask" },
  },
  {
    command: "cat",
    risk: "read",
    operands: "reads*",
    flags:
      "-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-nonprinting --show-tabs " +
      "--squeeze-blank --help --version",
    isSafe: true,
    examples: {
      "cat -s .env": "ask read read:.env",
      "cat README.md src/a.ts": "allow read read:README.md read:src/a.ts",
      "cat -n a.txt": "allow",
      "cat -": "allow",
      "cat --files a.txt": "ask remote-write",
      "cat .env": "ask read",
      "cat /etc/passwd": "ask read read:/etc/passwd",
    },
  },
  {
    command: "head | tail",
    risk: "read",
    operands: "reads*",
    flags:
      "-# -c= -n= -q -v -z -f -F -s= --bytes= --lines= --quiet --silent --verbose --zero-terminated --follow[=] --pid= --retry " +
      "--sleep-interval= --max-unchanged-stats= --help --version",
    isSafe: true,
    examples: {
      "head -n 5 a.txt": "allow read read:a.txt",
      "head -20 a.txt": "allow",
      "head -c1K a.txt": "allow",
      "tail -f app.log": "allow",
      "head ../x": "ask read read:../x",
    },
  },
  {
    command: "less | more | bat | batcat",
    risk: "read",
    operands: "reads*",
    flags: "-F -R -S -X -N -n -p -P -A -l= -r= --paging= --style= --plain --language= --line-range= --color=",
    options: {
      "-o= -O= --log-file= --LOG-FILE=": "writes",
      "-k= --lesskey-file=": "runs",
      "--pager=": "script",
      "+": "code",
    },
    examples: { "less a.txt": "ask read read:a.txt", "less -o out a.txt": "ask local-write read:a.txt write:out" },
  },
  {
    command: "wc",
    risk: "read",
    operands: "reads*",
    flags: "-c -m -l -L -w --bytes --chars --lines --max-line-length --words --total= --help --version",
    options: { "--files0-from=": "unknown" },
    isSafe: true,
    examples: { "wc -l a.txt": "allow read read:a.txt", "wc --files0-from=list": "ask remote-write" },
  },
  {
    command: "md5sum | md5 | sha1sum | sha224sum | sha256sum | sha384sum | sha512sum | b2sum | shasum | cksum | sum",
    risk: "read",
    operands: "reads*",
    flags:
      "-b -t -w -z -a= -l= -p -q -r -s -U -0 --binary --text --tag --zero --algorithm= --length= --ignore-missing --quiet --status " +
      "--strict --warn --debug --untagged --base64 --raw --help --version",
    options: { "-c --check": "unknown" },
    isSafe: true,
    examples: {
      "sha256sum a.txt": "allow read read:a.txt",
      "shasum -a 256 a.txt": "allow",
      "md5sum -c list": "ask",
    },
  },
  {
    command: "nl | rev | fold | fmt | paste | expand | unexpand | column | comm | join | cut | strings | colrm",
    risk: "read",
    operands: "reads*",
    flags:
      "-# -a -b= -c= -d= -e -f= -g= -h= -i= -j= -k= -l= -n= -N= -o= -O= -p= -s= -t -T= -u -v= -w= -x -z -R= -H= -C= -E= --all --bytes= --characters= " +
      "--complement --delimiter= --delimiters= --fields= --only-delimited --output-delimiter= --zero-terminated --serial --spaces " +
      "--width= --tabs= --initial --first-only --check-order --nocheck-order --total --header --ignore-case --table --separator= " +
      "--body-numbering= --footer-numbering= --header-numbering= --line-increment= --number-format= --number-separator= " +
      "--number-width= --no-renumber --starting-line-number= --section-delimiter= --join-blank-lines= --crown-margin --goal= " +
      "--prefix= --split-only --tagged-paragraph --uniform-spacing --radix= --encoding= --help --version",
    // `strings @file` takes its options from the file.
    unless: /^@/,
    isSafe: true,
    examples: {
      "cut -d: -f1 a.txt": "allow read read:a.txt",
      "column -t a.txt": "allow",
      "comm -12 a b": "allow read:a read:b",
      "cut --fields-from=x a": "ask",
      "strings @a": "ask",
    },
  },
  {
    command: "od",
    risk: "read",
    operands: "reads*",
    flags:
      "-A= -N= -S= -j= -t= -w -a -b -c -d -f -i -l -o -s -v -x --address-radix= --skip-bytes= --read-bytes= --format= " +
      "--output-duplicates --width[=] --traditional --strings[=] --endian= --help --version",
    isSafe: true,
    examples: {
      "od -c a.bin": "allow read read:a.bin",
      "od -A x -t x1z a.bin": "allow",
      "od -s .env": "ask read read:.env",
    },
  },
  {
    command: "hexdump",
    risk: "read",
    operands: "reads*",
    flags: "-b -c -C -d -e= -n= -o -s= -v -x --canonical --help --version",
    options: { "-f=": "reads" },
    isSafe: true,
    examples: { "hexdump -C a.bin": "allow read read:a.bin", "hexdump -f .env a": "ask" },
  },
  {
    command: "xxd",
    risk: "read",
    operands: "reads",
    flags:
      "-a -b -bits -C -capitalize -c= -cols= -d -E -EBCDIC -e -g= -groupsize= -h -help -i -include -l= -len= -n= -name= -o= -offset= " +
      "-p -ps -postscript -plain -s= -seek= -u -uppercase -v -version",
    when: { "-r -revert": { operands: "reads writes", risk: "local-write" } },
    // It reads the first letters of a word as a name, and takes the next word as its value: `-col 8`.
    clusters: /^$/,
    isSafe: true,
    examples: {
      "xxd a.bin": "allow",
      "xxd -l 16 -c 8 a.bin": "allow",
      "xxd a.bin out": "ask remote-write",
      "xxd -e a out": "ask remote-write",
      "xxd -col 8 a": "ask",
      "xxd -r a.hex out": "ask local-write read:a.hex write:out",
    },
  },
  {
    command: "sort",
    risk: "read",
    operands: "reads*",
    flags:
      "-b -c -C -d -f -g -h -i -k= -M -m -n -R -r -s -t= -u -V -z --batch-size= --check[=] --debug --dictionary-order " +
      "--field-separator= --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting " +
      "--key= --merge --month-sort --numeric-sort --parallel= --random-sort --reverse --sort= --stable --unique --version-sort " +
      "--zero-terminated --help --version",
    options: {
      "-o= --output=": "writes",
      "--compress-program=": "script",
      "-T= --temporary-directory=": "writes",
      "--random-source=": "reads",
      "--files0-from=": "unknown",
    },
    isSafe: true,
    examples: {
      "sort -u -k2,2 a.txt": "allow read read:a.txt",
      "sort -o out in": "ask local-write read:in write:out",
      "sort -uo out in": "ask local-write read:in write:out",
      "sort --outp=out in": "ask local-write read:in write:out",
      "sort --compress-program=./x a": "ask remote-write read:a execute:./x unknown:what ./x does",
    },
  },
  {
    command: "uniq",
    risk: "read",
    operands: "reads writes",
    flags:
      "-c -d -D -f= -i -s= -u -w= -z --all-repeated[=] --check-chars= --count --group[=] --ignore-case --repeated --skip-chars= " +
      "--skip-fields= --unique --zero-terminated --help --version",
    isSafe: true,
    examples: { "uniq -c a.txt": "allow read read:a.txt", "uniq in out": "ask local-write read:in write:out" },
  },
  {
    command: "tr",
    risk: "read",
    operands: "text*",
    flags: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1 --help --version",
    isSafe: true,
    examples: { "tr a-z A-Z": "allow read", "tr -d '\\n'": "allow", "tr --odd a b": "ask" },
  },
  {
    command: "base64 | base32 | basenc",
    risk: "read",
    operands: "reads",
    flags: "-d -D -i -w= -b= --decode --ignore-garbage --wrap= --break= --help --version",
    options: { "-o= --output=": "writes" },
    isSafe: true,
    examples: { "base64 -d a.txt": "allow read read:a.txt", "base64 -o out a": "ask local-write read:a write:out" },
  },
  {
    command: "diff | colordiff",
    risk: "read",
    operands: "reads*",
    flags:
      "-a -b -B -c -C= -d -D= -e -E -F= -i -I= -l -L= -n -N -p -P -q -s -S= -t -T -u -U= -v -w -W= -x= -y -Z --brief --color[=] --context[=] " +
      "--ed --exclude= --expand-tabs --horizon-lines= --ifdef= --ignore-all-space --ignore-blank-lines --ignore-case " +
      "--ignore-file-name-case --ignore-matching-lines= --ignore-space-change --ignore-tab-expansion --ignore-trailing-space " +
      "--initial-tab --label= --left-column --line-format= --minimal --new-file --no-dereference --normal --palette= --rcs " +
      "--report-identical-files --show-c-function --show-function-line= --side-by-side --speed-large-files " +
      "--starting-file= --strip-trailing-cr --suppress-blank-empty --suppress-common-lines --tabsize= --text " +
      "--unidirectional-new-file --unified[=] --width= --help --version",
    // It follows the links that it finds on the way, wherever they lead.
    options: {
      "-X= --exclude-from= --from-file= --to-file=": "reads",
      "--paginate": "local-write",
      "-r --recursive": "reveals",
    },
    recursive: "-r --recursive",
    isSafe: true,
    examples: {
      "diff -u a b": "allow read read:a read:b",
      "diff -r old new": "ask read",
      "diff a ~/.ssh/config": "ask read",
      "diff --output=x a b": "ask remote-write",
    },
  },
  {
    command: "cmp",
    risk: "read",
    operands: "reads reads text*",
    flags: "-b -i= -l -n= -s --bytes= --ignore-initial= --print-bytes --quiet --silent --verbose --help --version",
    isSafe: true,
    examples: { "cmp -s a b": "allow read read:a read:b" },
  },
  {
    command: "patch",
    risk: "local-write",
    operands: "writes reads",
    flags:
      "-p= -R -N -s -f -b -E -l -u -c -e -n -t -F= -V= -z= --strip= --reverse --forward --force --silent --quiet --backup --fuzz= --verbose " +
      "--unified --ignore-whitespace --remove-empty-files",
    options: { "-i= --input=": "reads", "-o= --output= -r= --reject-file= -d= --directory=": "writes" },
    when: { "--dry-run -C": { risk: "read", operands: "reads reads" } },
    also: { writes: "." },
    examples: {
      "patch -p1 -i fix.diff": "ask local-write read:fix.diff write:.",
      "patch a.txt fix.diff": "ask local-write read:fix.diff write:a.txt write:.",
    },
  },
  {
    command: "sed | gsed",
    risk: "read",
    operands: "code reads*",
    flags:
      "-n -E -r -s -u -z -l= --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --line-length= " +
      "--sandbox --debug --help --version",
    options: { "-e= --expression=": "code", "-f= --file=": "runs" },
    when: {
      "-e --expression= -f --file=": { operands: "reads*" },
      "-i[=] --in-place[=]": { operands: "code writes*", risk: "local-write" },
    },
    // `*` and `/` in it lead elsewhere.
    byValue: { "-i": { fits: /[*/]/, role: "unknown" }, "--in-place": { fits: /[*/]/, role: "unknown" } },
    // Other scripts may write files (`w`) or run commands (`e`).
    plainCode:
      /^(?:(?:(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?)(?:,\+?(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?))?)?!?[pdq=](?:;(?=.)|$))+$|^(?:\d+(?:,\d+)?)?s([/|#,:@!])(?:(?!\1|\\|\n).|\\.)*\1(?:(?!\1|\\|\n).|\\.)*\1[gpIi\d]*$/,
    codeIs: "sed",
    isSafe: true,
    examples: {
      "sed -n 5,10p x.txt": "allow read read:x.txt",
      "sed -n '/a/,/b/p' x.txt": "allow read read:x.txt",
      "sed -n '1p;10,$p' x.txt": "allow read read:x.txt",
      "sed -n '/a/w f' x.txt": "ask remote-write",
      "sed s/a/b/g x.txt": "allow read read:x.txt",
      "sed -i s/a/b/ x.txt": "ask local-write write:x.txt",
      "sed 's/a/b/w f' x.txt": "ask remote-write execute:s/a/b/w f read:x.txt write:f",
      "sed '1e id' x.txt": "ask remote-write execute:1e id execute:id read:x.txt",
      "sed -n '1p;w f' x.txt": "ask remote-write",
      "sed -e s/a/b/e x.txt": "ask remote-write",
      "sed -f x.sed a.txt": "ask remote-write execute:x.sed read:a.txt",
    },
  },
  {
    command: "awk | gawk | mawk | nawk",
    risk: "read",
    operands: "code reads*",
    flags: "-F= -v= --field-separator= --assign= --posix --re-interval --sandbox --version",
    options: { "-f= --file= -E= --exec= -i= --include= -l= --load=": "runs", "-e= --source=": "code" },
    when: {
      "-f= --file= -e= --source=": { operands: "reads*" },
      // `-i inplace` writes what it reads.
      "-i= --include=": { operands: "code writes*" },
    },
    // Without these it neither runs, nor opens, nor writes anything: `>` and `|` do so in actions only, or with `getline`.
    plainCode:
      /^(?!.*(?:system|getline|close|fflush|ENVIRON|ARG[VC]|PROCINFO|SYMTAB|FUNCTAB|@))(?:[^{}]*|(?:[^>|]|>=|\|\|)*)$/s,
    isRunner: true,
    isSafe: true,
    examples: {
      "awk '{print $1, $NF}' a.txt": "allow read read:a.txt",
      "awk 'NR>=10 && NR<=20 || /a|b/' a.txt": "allow read read:a.txt",
      "awk '{n+=$1} END {printf \"%d\\n\", n}' a.txt": "allow read read:a.txt",
      "awk '\"id\" | getline' a.txt": "ask remote-write",
      "awk '{print | \"id\"}' a.txt": "ask remote-write",
      "awk 'BEGIN{system(\"id\")}'": 'ask remote-write execute:BEGIN{system("id")}',
      "awk '{print $1 > \"f\"}' a.txt": "ask remote-write",
      "awk -v x=1 '{print}' .env": "ask read",
      "awk -f prog.awk a.txt": "ask remote-write execute:prog.awk read:a.txt",
    },
  },
  {
    command: "jq | gojq | jaq",
    risk: "read",
    operands: "text reads*",
    flags:
      "-c -r -j -a -s -S -C -M -n -e -R -h -V --compact-output --raw-output --raw-output0 --join-output --ascii-output --slurp --sort-keys " +
      "--color-output --monochrome-output --null-input --exit-status --raw-input --tab --indent= --arg== --argjson== --seq --stream " +
      "--unbuffered --help --version",
    options: { "-L= --library-path=": "runs", "--rawfile== --slurpfile== --argfile==": "unknown" },
    when: { "-f= --from-file=": { operands: "reads*", risk: "remote-write" } },
    unless: /\benv\b|\bENV\b|\binput_filename\b|\b(?:import|include|modulemeta)\b/,
    isSafe: true,
    examples: {
      "jq .name package.json": "allow read read:package.json",
      "jq -r --arg a b '.x' a.json": "allow read read:a.json",
      "jq -n env": "ask",
      "jq -n '$ENV.TOKEN'": "ask",
      "jq -L lib . a.json": "ask remote-write",
    },
  },
  {
    command: "yq",
    risk: "read",
    operands: "text reads*",
    flags:
      "-P -r -o= -p= -n -e -N -M -C -j -y -I= --prettyPrint --output-format= --input-format= --null-input --exit-status --no-colors",
    when: { "-i --inplace --in-place": { operands: "text writes*", risk: "local-write" } },
    options: { "--from-file= -s= --split-exp=": "unknown" },
    unless: /\benv\b|\bload|\bstrenv\b|\benvsubst\b|\bfile_op|\bsplit_doc\b|\beval\b/,
    examples: {
      "yq .a b.yaml": "ask read read:b.yaml",
      "yq -i '.a = 1' b.yaml": "ask local-write write:b.yaml",
    },
  },
  {
    command: "split | csplit",
    risk: "local-write",
    operands: "reads text*",
    flags:
      "-a= -b= -C= -d -x -l= -n= -e -u -k -s -z --lines= --bytes= --number= --suffix-length= --verbose --additional-suffix=",
    options: { "--filter=": "script", "-f= --prefix=": "writes" },
    also: { writes: "." },
    examples: {
      "split -l 100 a.txt part-": "ask local-write read:a.txt write:.",
      "split --filter='./x' a.txt": "ask remote-write read:a.txt write:. execute:./x unknown:what ./x does",
    },
  },
  {
    command: "iconv | uconv",
    risk: "read",
    operands: "reads*",
    flags: "-f= -t= -c -s -l --from-code= --to-code= --list --silent",
    options: { "-o= --output=": "writes" },
    examples: { "iconv -f latin1 -t utf8 a.txt": "ask read read:a.txt", "iconv -o b a": "ask local-write" },
  },
];
