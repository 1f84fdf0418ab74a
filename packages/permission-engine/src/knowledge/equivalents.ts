/** Commands that do what another one does under another name: what forbids that one is about them, too. */
export const equivalents: ReadonlyArray<readonly [command: RegExp, same: string]> = [
  [
    /^git (?:subtree push|lfs push|send-pack|http-push|svn dcommit|p4 submit|cvsexportcommit|remote-https?)(?=\s|$)/,
    "git push",
  ],
  [/^git (?:fetch-pack|http-fetch)(?=\s|$)/, "git fetch"],
  [/^git (?:clone-pack|submodule add)(?=\s|$)/, "git clone"],
];
