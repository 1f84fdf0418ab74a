import type { CommandEntry } from "./CommandEntry.ts";

const shown =
  "-R= -w -L= -s= -l= -A= -B= -H= -q= -t= --repo= --web --json= --jq= --template= --limit= --state= --label= --author= --assignee= --search= --comments --branch= --workflow= --job= --log --log-failed --name-only --color= --watch --interval= --required --exit-status --verbose -v --user= --status= --commit= --event= --head= --base= --draft --visibility= --language= --topic= --source --fork --archived --no-archived --order= --sort= --created= --updated= --milestone= --mention= --app= --patch";

/** The command lines of code hosts. Reading asks them over the network, and changes nothing there. */
export const github: ReadonlyArray<CommandEntry> = [
  {
    command:
      "gh pr list | gh pr view | gh pr diff | gh pr status | gh pr checks | gh issue list | gh issue view | gh issue status | gh repo view | " +
      "gh repo list | gh run list | gh run view | gh run watch | gh release list | gh release view | gh workflow list | " +
      "gh workflow view | gh search | gh search issues | gh search prs | gh search repos | gh search code | gh label list | " +
      "gh gist list | gh gist view | gh auth status | gh status | gh cache list | gh variable list | gh secret list | gh ruleset list",
    risk: "read",
    operands: "text*",
    flags: shown,
    also: { connects: "the code host" },
    examples: {
      "gh pr view 12 --json title": "ask read connect:the code host",
      "gh run list --limit 5": "ask read",
    },
  },
  {
    command: "gh | glab | hub",
    risk: "remote-write",
    operands: "unknown*",
    flags: "--version --help",
    examples: { "gh frobnicate": "ask remote-write", "gh extension exec x": "ask remote-write" },
  },
  {
    command:
      "gh pr create | gh pr comment | gh pr edit | gh pr review | gh pr ready | gh pr reopen | gh issue create | gh issue comment | gh issue edit | " +
      "gh issue reopen | gh issue pin | gh release create | gh release upload | gh release edit | gh workflow run | gh workflow enable | " +
      "gh run rerun | gh repo create | gh repo fork | gh repo edit | gh gist create | gh label create | gh secret set | gh variable set",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    options: { "-F= --body-file= --notes-file=": "reads" },
    also: { connects: "the code host" },
    examples: { "gh pr create --title x --body-file b.md": "ask remote-write read:b.md connect:the code host" },
  },
  {
    command:
      "gh pr merge | gh pr close | gh issue close | gh issue delete | gh issue transfer | gh repo delete | gh repo archive | gh repo rename | " +
      "gh release delete | gh run delete | gh run cancel | gh secret delete | gh variable delete | gh label delete | gh gist delete | " +
      "gh cache delete | gh workflow disable | gh ssh-key delete",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: "the code host" },
    examples: { "gh repo delete a/b": "ask irreversible", "gh pr merge 3 --squash": "ask irreversible" },
  },
  {
    command: "gh pr checkout | gh repo clone | gh run download | gh release download | gh repo sync",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: { "-D= --dir= -O= --output=": "writes" },
    also: { connects: "the code host", writes: "." },
    examples: { "gh pr checkout 12": "ask local-write connect:the code host write:." },
  },
  {
    command: "gh api",
    risk: "read",
    operands: "text",
    flags:
      "-H= -i -q= -t= --hostname= --header= --include --jq= --template= --paginate --slurp --silent --cache= --preview= --verbose",
    options: {
      "-X= --method= -f= --raw-field= -F= --field=": "remote-write",
      "--input=": "reads",
    },
    when: { "--input=": { risk: "remote-write" } },
    also: { connects: "the code host" },
    examples: {
      "gh api repos/a/b/issues": "ask read connect:the code host",
      "gh api -X DELETE repos/a/b": "ask remote-write",
      "gh api graphql -f query=x": "ask remote-write",
    },
  },
];
