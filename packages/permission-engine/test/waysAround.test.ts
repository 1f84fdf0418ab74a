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
