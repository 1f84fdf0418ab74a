import { describe, it } from "vitest";
import { expectAll, policyOf } from "./support.ts";

const deny = [
  "gh pr merge *",
  "npm publish*",
  "aws s3 rm *",
  "kubectl delete *",
  "pip install *",
  "git push *",
  "docker run *",
];

describe("a rule about a sub-command", () => {
  const ways = [
    "gh pr -R o/r merge 3",
    "gh -R o/r pr merge 3",
    "npm --loglevel silent publish",
    "npm --loglevel=silent publish",
    "aws --profile p s3 rm s3://x",
    "aws --profile p --region r s3 --output json rm s3://x",
    "kubectl --v 9 delete ns x",
    "kubectl -v 9 delete ns x",
    "docker --context c run x",
    "python3 -mpip install x",
    "python3 -Impip install x",
    "git -c help.autocorrect=immediate pus",
    "git -C x push",
    "arch git push",
  ];

  it("is not gone around by options before it, in auto mode", () =>
    expectAll(["deny", "hard-block"], ways, policyOf({ mode: "auto", deny })));

  it("is not gone around by options before it, whatever is allowed", () =>
    expectAll(["deny", "ask"], ways, policyOf({ allow: ["*"], deny })));

  it("is about nothing else", () =>
    expectAll(
      "allow",
      [
        "gh pr view 3",
        "gh pr -R o/r view 3",
        "npm --silent run build",
        "kubectl get pods -n delete",
        "git log -n 5 push",
        "git commit -m push",
        "docker --context c ps",
        "python3 -mhttp.server",
      ],
      policyOf({ mode: "auto", deny }),
    ));
});

describe("what a command may be told later", () => {
  const auto = policyOf({ mode: "auto" });

  it("is no option, number, name or code by way of a loop", () =>
    expectAll(
      ["deny", "hard-block"],
      [
        "for x in -rf; do rm $x /; done",
        "for x in rf; do rm -$x /; done",
        "for x in R; do chmod -$x 777 /; done",
        "for x in --delete; do rsync -a $x e/ /; done",
        "for h in -delete; do find / $h; done",
        "for h in 1; do kill -9 $h; done",
        "for h in init; do pkill $h; done",
        'for x in \'BEGIN{system("rm -rf /")}\'; do awk "$x"; done',
        "for d in sda sdb; do dd if=x of=/dev/$d; done",
        'for d in build dist; do rm -rf "$d"; done',
      ],
      auto,
    ));

  it("is in no other folder by way of a loop, a function or a trap", () =>
    expectAll(
      ["deny", "hard-block"],
      [
        "for i in /etc; do cd $i; rm -rf *; done",
        "for i in /; do cd $i; done; rm -rf etc",
        "for i in /; do pushd $i; done; rm -rf etc",
        "for i in /; do env -C $i rm -rf etc; done",
        "for i in 1 2 3 4 5; do cd ..; done; rm -rf etc",
        "for ((i=0;i<9;i++)); do cd ..; done; rm -rf etc",
        "f(){ cd ..; }; f; f; rm -rf etc",
        "for i in .kumiko; do cd $i; touch config.json; done",
        "trap 'cd /' DEBUG; rm -rf etc",
        "trap 'cd /dev' ERR; false; dd of=sda",
      ],
      auto,
    ));

  it("is in no other folder under rules for its parts", () =>
    expectAll(
      "ask",
      [
        "for i in /etc; do cd $i; cat shadow; done",
        "for i in .git/hooks; do cd $i; done; cp a pre-commit",
        "trap 'cd .git/hooks' DEBUG; cp a pre-commit",
      ],
      policyOf({ allow: ["cd *", "cat *", "cp *", "trap *"] }),
    ));

  it("goes on where lists name files and folders are left again", () =>
    expectAll(
      "allow",
      [
        "for f in a.txt b.txt; do rm $f; done",
        "for i in 1 2 3; do touch file$i; done",
        'for f in src/a src/b; do cp "$f" out; done',
        "for d in packages/*; do (cd $d && npm test); done",
        "trap 'rm -f tmp.x' EXIT; touch a",
        "cd build && make && cd .. && ls",
      ],
      auto,
    ));
});
