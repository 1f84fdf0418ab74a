import { describe, it } from "vitest";
import { expectAll, policyOf } from "./support.ts";

const auto = policyOf({ mode: "auto" });
const ask = policyOf({ allow: ["*"] });

describe("a word that is only known when the command runs", () => {
  it("and may be an option that makes a disaster, is not let through in any mode", () => {
    const commands = [
      "rm $X /",
      'rm "$X" /',
      "rm -$X /",
      'rm -v "-$X" ~',
      "rm * /",
      "rm $X $HOME",
      "sudo rm $X /etc",
      "chmod $X /",
      "chmod $X 777 /",
      "chown $X u /usr",
      "wipefs $X /dev/sda",
      "rsync $X a/ /",
      "sed $X s/a/b/ .kumiko/config.yaml",
      "bash -c 'rm $X /'",
    ];
    expectAll("ask", commands, ask);
    expectAll("deny", commands, auto);
  });

  it("and may be a sub-command that makes one, is not let through", () => {
    expectAll("ask", ["diskutil $X disk2", 'cryptsetup "$X" /dev/sdb', "git $X", "npm $X", "docker $X a"], ask);
    expectAll("deny", ["diskutil $X disk2", "cryptsetup $X /dev/sdb", "git $X", "docker $X"], auto);
  });

  it("and may name a device, is not let through where disks are what is written", () => {
    const commands = ["dd if=a of=$X", 'dd if=a "of=$X"', "dd if=a of=/dev/$X", "cp a /dev/$X", "tee /dev/s$X"];
    expectAll("ask", commands, ask);
    expectAll("deny", commands, auto);
    expectAll("deny", ["dd $X"], auto);
  });

  it("and names what is changed or ended, does not run unattended", () =>
    expectAll(
      "deny",
      [
        "rm $X",
        'rm "$X" "$Y"',
        'rm -- "$f"',
        'cp img "$X"',
        "tee $X",
        'mv a "$X"',
        "truncate -s0 $X",
        'shred -u "$f"',
        'chmod 755 "$f"',
        "sed -i s/a/b/ $f",
        "kill $X",
        "kill -9 $(cat pid)",
        "pkill $X",
        "ls | xargs rm",
      ],
      auto,
    ));

  it("and holds code, does not run unattended", () =>
    expectAll("deny", ['bash "$SCRIPT"', 'source "$X"', "python3 $X", 'python3 -c "print($X)"', "node -e $X"], auto));

  it("and cannot be what matters, changes nothing", () => {
    const commands = [
      "rm -rf ./build",
      'rm "$f.txt" ./a',
      "rm *",
      "rm *.txt build/*",
      'cp "$f" "out/$f"',
      "kill $!",
      "kill -TERM %1",
      'chmod 755 "build/$X"',
      'echo "$X"',
      'grep -rn "$X" src',
      'ls "$DIR"',
      'chown -R "$USER" ./build',
      'dd "if=$X" of=out',
      "python3 script.py $X",
    ];
    expectAll("allow", commands, ask);
    expectAll(
      "allow",
      commands.filter((command) => !command.includes('rm "$f')),
      auto,
    );
  });
});

describe("the variable of a loop", () => {
  it("has the values of its list", () => {
    const commands = [
      'for f in *.txt; do rm "$f"; done',
      'for f in a.d b.d; do rm -rf "$f"; done',
      'for d in build/*; do rm -rf "$d"; done',
      'for f in src/a src/b; do cp "$f" out; done',
      'for f in x.txt; do mv $f "$f.bak"; done',
      "for f in *; do cat $f; done",
    ];
    expectAll("allow", commands, auto);
    expectAll("allow", commands, ask);
  });

  it("is a root where its list has one", () =>
    expectAll("hard-block", [
      'for d in /*; do rm -rf "$d"; done',
      "for d in / /usr; do rm -rf $d; done",
      "for d in /usr; do rm -rf $d/; done",
      "for u in /home/*; do chmod -R 777 $u; done",
      'for f in .kumiko; do rm -rf "$f"; done',
    ]));

  it("is not known where something else may set it, or the list is open", () =>
    expectAll(
      "deny",
      [
        'for f in a b; do read f; rm -rf "$f"; done',
        'for f in a b; do f=/; rm -rf "$f"; done',
        'for f in a b; do source x; rm -rf "$f"; done',
        'for f in a b; do : $((f=1)); rm -rf "$f"; done',
        'for f in $(cat list); do rm -rf "$f"; done',
        'for f in "$@"; do rm -rf "$f"; done',
        'for f in a ..; do rm -rf "$f"; done',
        'for f in a .kumiko; do rm -rf "$f"; done',
        'select f in a b; do rm -rf "$f"/; done',
        'for f in a; do bash -c "rm -rf $f/"; done',
        'for *@i in a; do rm -rf "$f"; done',
      ],
      auto,
    ));
});

describe("a path through the links of /proc", () => {
  it("is the path it leads to", () =>
    expectAll("hard-block", [
      "rm -rf /proc/self/root",
      "rm -rf /proc/self/root/",
      "rm -rf /proc/self/root/etc",
      "rm -rf /proc/1/root/usr",
      "rm -rf /proc/$$/root/",
      "rm -rf /proc/*/root",
      "rm -rf /proc/thread-self/root/home/u",
      "rm -rf /proc/self/task/1/root",
      "rm -rf /proc/self/root/proc/self/root/usr",
      "rm -rf //proc/./self/root",
      "rm -rf /tmp/../proc/self/root/*",
      "rm -rf /proc/self/cwd/../..",
      "cd / && rm -rf /proc/self/cwd",
      "cd /etc && rm -rf /proc/self/cwd/*",
      "chmod -R 777 /proc/self/root",
      "find /proc/self/root -delete",
      "dd if=a of=/proc/self/root/dev/sda",
      "echo x > /proc/self/root/dev/sda",
      "echo x > /proc/self/cwd/.kumiko/config.yaml",
    ]));

  it("or an open file is doubted where it may lead to a root", () =>
    expectAll("ask", [
      "rm -rf /dev/fd/3/",
      "rm -rf /dev/fd/3/..",
      "rm -rf /proc/self/fd/3/",
      "rm -rf /proc/7/cwd/../..",
      "rm -rf /proc/self/ro?t/",
      "chmod -R 777 /proc/7/cwd",
    ]));

  it("is judged by rules where it leads", () => {
    const policy = policyOf({ allow: ["cat *"], deny: ["read:/etc/passwd", "read:secrets/**"] });
    expectAll("deny", ["cat /proc/self/root/etc/passwd", "cat /proc/self/cwd/secrets/a"], policy);
    expectAll("allow", ["rm -rf /proc/self/cwd/build"]);
  });
});

describe("other names of roots", () => {
  it("are roots", () =>
    expectAll("hard-block", [
      "rm -rf /System/Volumes/Data",
      "rm -rf /System/Volumes/Data/Users/me",
      "rm -rf /mnt/c",
      "rm -rf /mnt/c/*",
      "rm -rf /cygdrive/c",
    ]));

  it("by number are doubted", () => expectAll("ask", ["rm -rf /.vol/16777234/2"]));
});

describe("a folder of unknown name", () => {
  it("that may hold the harness's configuration is doubted, not refused", () =>
    expectAll("ask", ['find "$D" -name x -delete', "echo x | tee $D/kumiko/config.yaml"]));
});
