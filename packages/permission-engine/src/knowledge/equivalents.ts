// Names of one kind of thing in a cluster.
const resources =
  "ns namespace namespaces, po pod pods, deploy deployment deployments, svc service services, no node nodes, cm configmap configmaps, " +
  "pv persistentvolume persistentvolumes, pvc persistentvolumeclaim persistentvolumeclaims, sts statefulset statefulsets, " +
  "ds daemonset daemonsets, ing ingress ingresses, crd customresourcedefinition customresourcedefinitions, rs replicaset replicasets, " +
  "sa serviceaccount serviceaccounts, secret secrets, job jobs, cj cronjob cronjobs";

const ofClusters = resources
  .split(", ")
  .flatMap((group) =>
    group
      .split(" ")
      .map((name, _, names): readonly [RegExp, string] => [
        new RegExp(String.raw`^(kubectl|oc) (\w+) (?:${names.join("|")})(?:/|(?=\s|$))`),
        `$1 $2 ${name} `,
      ]),
  );

/** Commands that do what another one does under another name: what forbids that one is about them, too. */
export const equivalents: ReadonlyArray<readonly [command: RegExp, same: string]> = [
  [
    /^git (?:subtree (?:-\S+ \S+ |--\S+ )*push|lfs push|review|annex sync|send-pack|http-push|svn dcommit|p4 submit|cvsexportcommit|remote-https?)(?=\s|$)/,
    "git push",
  ],
  [/^git (?:fetch-pack|http-fetch)(?=\s|$)/, "git fetch"],
  [/^git (?:clone-pack|submodule add)(?=\s|$)/, "git clone"],
  [/^docker(?:-compose)(?=\s|$)/, "docker compose"],
  [
    /^docker (?:image|container|volume|network) (push|pull|rm|prune|run|exec|kill|stop|start|restart)(?=\s|$)/,
    "docker $1",
  ],
  [/^pip[\d.]+(?=\s|$)/, "pip"],
  [/^npm (?:i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add)(?=\s|$)/, "npm install"],
  [/^npm (?:publ|pub|publi|publis)(?=\s|$)/, "npm publish"],
  [/^npm (?:un|unlink|remove|rm|r)(?=\s|$)/, "npm uninstall"],
  [/^(?:npx|corepack|pnpx|bunx) (?:-y |--yes )?(npm|pnpm|yarn)(?:@\S*)?(?=\s|$)/, "$1"],
  [/^helm (?:del|delete|un)(?=\s|$)/, "helm uninstall"],
  [/^brew (?:rm|remove)(?=\s|$)/, "brew uninstall"],
  [/^gh repo (?:create(?= .*--push(?:\s|$))|sync)/, "git push"],
  [/^jj (?:git )?push(?=\s|$)/, "git push"],
  [/^sudoedit(?=\s|$)/, "sudo -e"],
  [/^(?:python[\d.]+|pypy[\d.]*|py)(?=\s|$)/, "python"],
  [/^node \S*\/npm-cli\.js(?=\s|$)/, "npm"],
  [/^svn ci(?=\s|$)/, "svn commit"],
  [/^pulumi (?:down|dn)(?=\s|$)/, "pulumi destroy"],
  [/^(terraform|tofu) apply (?:\S+ )*-destroy(?=\s|$)/, "$1 destroy"],
  [/^(curl|wget|ssh|git)\.exe(?=\s|$)/, "$1"],
  [/^wcurl(?=\s|$)/, "curl"],
  [/^g(rm|mv|cp|chmod|chown|dd|ln)(?=\s|$)/, "$1"],
  [/^(?:yadm|hub) (?=\S)/, "git "],
  [/^chmod 0(?=[0-7]{3}(?:\s|$))/, "chmod "],
  ...ofClusters,
];
