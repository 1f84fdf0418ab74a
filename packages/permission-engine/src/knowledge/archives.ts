import type { CommandEntry } from "./CommandEntry.ts";

const tarFlags =
  "-v -z -j -J -p -P -k -m -O -h -w -W -S -U -o -l -a -i -B -s -q --gzip --gunzip --bzip2 --xz --zstd --lzip --lzma --auto-compress --verbose " +
  "--exclude= --strip-components= --preserve-permissions --same-permissions --keep-old-files --overwrite --no-same-owner " +
  "--numeric-owner --owner= --group= --mode= --mtime= --sort= --dereference --wildcards --anchored " +
  "--format= --totals --to-stdout --no-recursion --one-file-system --absolute-names --ignore-failed-read --warning= --null --utc";

/** Programs that pack and unpack. */
export const archives: ReadonlyArray<CommandEntry> = [
  {
    command: "tar | gtar | bsdtar",
    risk: "local-write",
    operands: "text*",
    flags: tarFlags,
    options: {
      "-I= --use-compress-program= -F= --info-script= --new-volume-script= --to-command= --checkpoint-action= --rmt-command= --rsh-command=":
        "script",
      "-C= --directory= --one-top-level[=] --index-file= -g= --listed-incremental=": "writes",
      "-T= -X= --files-from= --exclude-from=": "reads",
      "--transform= --xform=": "code",
      "--checkpoint[=]": "text",
      "-f= --file=": "may-write",
    },
    when: {
      "-x --extract --get": { also: { writes: "." } },
      "-c --create -r --append -u --update -A --catenate --concatenate": { operands: "reads*" },
      "-t --list -d --diff --compare": { risk: "read" },
      "--delete": { risk: "irreversible" },
      "--remove-files": { risk: "irreversible", operands: "deletes*" },
    },
    recursive: "always",
    lands: "paths",
    hasBareOptions: true,
    folder: "-C --directory",
    examples: {
      "tar -C / --remove-files -cf a.tar usr": "hard-block",
      "tar -tf a.tar": "ask local-write write:a.tar",
      "tar xfC a.tar sub": "ask local-write write:a.tar write:sub write:.",
      "tar xzf a.tgz": "ask local-write write:a.tgz write:.",
      "tar -czf out.tgz src": "ask local-write write:out.tgz read:src",
      "tar -xf a.tar -C sub": "ask write:a.tar write:sub write:.",
      "tar -I ./x -cf a.tar f": "ask remote-write execute:./x unknown:what ./x does write:a.tar read:f",
      "tar --checkpoint=1 --checkpoint-action=exec=./x -cf a.tar f": "ask remote-write",
      "tar --remove-files -cf a.tar /": "hard-block",
    },
  },
  {
    command: "zip",
    risk: "local-write",
    operands: "writes reads*",
    flags: "-r -q -v -j -9 -1 -0 -u -f -g -e -y -x= -i= -X -D -l -k -o -S -P= -s= --exclude= --quiet --recurse-paths",
    options: { "-T": "remote-write", "-TT= --unzip-command=": "script", "-b= -O= --out=": "writes", "-@": "unknown" },
    when: { "-m --move": { operands: "writes deletes*", risk: "irreversible" } },
    recursive: "-r --recurse-paths",
    examples: {
      "zip -r out.zip src": "ask local-write write:out.zip read:src",
      "zip -rm out.zip src": "ask irreversible write:out.zip delete:src",
      "zip x.zip a -T -TT 'sh #'": "ask remote-write",
    },
  },
  {
    command: "unzip",
    risk: "local-write",
    lands: "paths",
    operands: "reads text*",
    flags: "-o -n -q -j -u -f -a -b -C -L -X -K -P= -x=",
    options: { "-d=": "writes" },
    when: { "-l -t -v -p -Z -c": { risk: "read", also: {} } },
    also: { writes: "." },
    examples: { "unzip -o a.zip -d out": "ask local-write read:a.zip write:out write:." },
  },
  {
    command: "gzip | gunzip | bzip2 | bunzip2 | xz | unxz | zstd | unzstd | lz4 | compress | uncompress | pigz",
    risk: "local-write",
    operands: "writes*",
    flags:
      "-# -d -f -k -n -N -q -r -v -z -T= -S= -e -9 -1 --decompress --force --keep --name --no-name --quiet --recursive --verbose --best --fast --rm " +
      "--suffix= --rsyncable --threads= --ultra --long[=]",
    options: { "-o= --output=": "writes" },
    when: {
      "-c --stdout --to-stdout": { risk: "read", operands: "reads*" },
      "-l --list -t --test": { risk: "read", operands: "reads*" },
    },
    recursive: "-r --recursive",
    examples: {
      "gzip -9 a.txt": "ask local-write write:a.txt",
      "gunzip -c a.gz": "ask read read:a.gz",
      "xz -d a.xz": "ask local-write write:a.xz",
    },
  },
  {
    command: "zcat | gzcat | bzcat | xzcat | zstdcat | lz4cat | zless | zmore",
    risk: "read",
    operands: "reads*",
    flags: "-f -q -v --force --quiet",
    examples: { "zcat a.gz": "ask read read:a.gz" },
  },
  {
    command: "7z | 7za | 7zz",
    risk: "local-write",
    operands: "text writes reads*",
    flags: "*",
    when: { "-sdel": { operands: "text writes deletes*", risk: "irreversible" } },
    recursive: "always",
    also: { writes: "." },
    examples: { "7z a -sdel x /": "hard-block", "7z x a.7z": "ask local-write write:a.7z write:." },
  },
  {
    command: "7z l | 7za l | 7zz l | 7z t",
    risk: "read",
    operands: "reads text*",
    examples: { "7z l a.7z": "ask read read:a.7z" },
  },
  {
    command: "ar | ranlib",
    risk: "local-write",
    operands: "writes reads*",
    flags: "-r -c -s -u -v -q -D",
    hasBareOptions: true,
    examples: { "ar rcs lib.a x.o": "ask local-write write:lib.a read:x.o" },
  },
];
