import { compileGlob, type Glob } from "./Glob.ts";
import { pathKey } from "./PathKey.ts";

/** Why a path is sensitive: it holds secrets, or what is written there runs later by itself. */
export interface SensitiveRule {
  /** A glob over the path's last segments: as many as the glob has. */
  readonly pattern: string;
  readonly kind: "secret" | "runs-later";
}

const secrets =
  ".ssh .ssh/* .gnupg .gnupg/* .aws/* .azure/* .kube/config .docker/config.json .netrc _netrc .npmrc .pypirc .pgpass .my.cnf " +
  ".git-credentials .htpasswd .vault-token *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk *.asc id_rsa* id_dsa* id_ecdsa* " +
  "id_ed25519* *credentials* .env .env.* .env~ .envrc .envrc.* .dev.vars *.tfvars service-account*.json *.secrets secrets.json secrets.y*ml tokens.json *.keychain* keychains keychains/* " +
  "etc/shadow* etc/gshadow* etc/sudoers* proc/*/environ gh/hosts.yml gcloud/* .terraform.d/* cookies.sqlite logins.json key4.db " +
  "authorized_keys *.tfstate prod.env production.env staging.env live.env secret*.env .flaskenv .secrets.toml client_secret*.json *serviceaccountkey*.json auth.json .vault_pass* .dockercfg " +
  "local.settings.json wp-config.php *.gpg .bash_history .zsh_history .python_history .psql_history .mysql_history .node_repl_history " +
  ".mylogin.cnf rclone/rclone.conf .claude.json oauth_creds.json github-copilot/* huggingface/token .kaggle/* .s3cfg .boto .m2/settings.xml " +
  ".password-store/* sops/age/* ssh_host_*_key etc/ssl/private/* run/secrets/* kubernetes/admin.conf etc/wireguard/* proc/*/task/*/environ";
/** A name for each kind of file that holds secrets. */
export const secretSamples: ReadonlyArray<string> = secrets
  .split(" ")
  .flatMap((pattern) => {
    const name = pattern.split("/").at(-1) ?? "";
    return [name.replaceAll("*", "x"), name.replaceAll("*", "")];
  })
  .filter((name) => name.length > 3);

const runsLater =
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc " +
  ".tcshrc .login .inputrc .xinitrc .xprofile .xsession fish/config.fish fish/conf.d/* .git/hooks .git/* " +
  ".gitconfig git/config .git/info/attributes .husky/* .envrc .vimrc .exrc init.vim init.lua .emacs launchagents/* launchdaemons/* " +
  "systemd/user/* systemd/system/* autostart/* crontab cron.d/* cron.daily/* cron.hourly/* spool/cron/* etc/profile etc/profile.d/* " +
  "etc/bash.bashrc etc/environment etc/ld.so.preload etc/hosts authorized_keys .ssh/rc .vscode/*.json .idea/* .run/* .zed/tasks.json " +
  ".devcontainer/* .devcontainer.json .claude/* agents.md agents.override.md claude.md claude.local.md gemini.md .mcp.json .cursor/* .gemini/* .codex/* .github/workflows/* .gitlab-ci.yml .githooks/* " +
  ".pre-commit-config.yaml lefthook.y*ml lefthook-local.y*ml .lefthook.y*ml .lefthook-local.y*ml .lintstagedrc* .overcommit.yml .hg/hgrc .git-hooks/* .circleci/* .travis.yml jenkinsfile azure-pipelines.y*ml .buildkite/* .drone.yml .woodpecker/* .github/actions/* .github/hooks/* .gitea/workflows/* .forgejo/workflows/* .roo/* .kiro/* .windsurf/* .windsurfrules .clinerules .cursorrules .continue/* opencode.json* .opencode/* .aider.conf.yml .zed/* .yarn/releases/* .yarn/plugins/* .pnp.*js .bazelrc tools/bazel .pdbrc .irbrc .pryrc .rprofile .mise/* mise.local.toml *.code-workspace .nvim.lua .dir-locals.el .gdbinit .lldbinit mise.toml .mise.toml .tool-versions *.pth " +
  ".local/bin/* .venv/bin/* venv/bin/* node_modules/.bin/* .yarnrc .yarnrc.yml .pnpmfile.cjs .cargo/config .cargo/config.toml " +
  "rust-toolchain rust-toolchain.toml .mvn/* .pam_environment " +
  ".pnpmfile.mjs .mise.local.toml mise.*.toml .config/mise/* .lefthook/* .bazeliskrc .bazelversion gradle/wrapper/* .pdbrc.py .dir-locals-2.el " +
  ".nvimrc .lvimrc .huskyrc simple-git-hooks.json .rusty-hook.toml captainhook.json .autoenv.zsh .autoenv direnv/direnvrc " +
  ".github/copilot-instructions.md .github/instructions/* .github/agents/* .github/prompts/* .rules agent.md warp.md qwen.md .qwen/* crush.json " +
  ".crush.json .goosehints .junie/* .amazonq/* .augment/* .trae/* .kilocode/* .roomodes .agents/* .openhands/* .amp/* mcp.json " +
  "bitbucket-pipelines.yml appveyor.yml .appveyor.yml .woodpecker.yml .cirrus.yml cloudbuild.y*ml buildspec.y*ml .semaphore/* .tekton/* .builds/* " +
  ".teamcity/* .gitlab/ci/* action.yml .vs/* .theia/* *.sublime-project .gitpod.yml .idx/* .replit .codesandbox/*";

const exceptions = /^\.env\.(?:example|sample|template|dist|defaults)$|^(?:example|sample|template|test)\.env$/;

interface Compiled extends SensitiveRule {
  readonly glob: Glob;
  readonly length: number;
}

const compile = (patterns: string, kind: SensitiveRule["kind"]): ReadonlyArray<Compiled> =>
  patterns.split(" ").map((pattern) => ({
    pattern,
    kind,
    glob: compileGlob(pattern),
    length: pattern.split("/").length,
  }));

const rules = [...compile(runsLater, "runs-later"), ...compile(secrets, "secret")];

// Most paths are not sensitive: one look tells. What it finds is looked at again, rule by rule.
const lookFor = (patterns: string): RegExp =>
  new RegExp(
    `/(?:${patterns
      .split(" ")
      .map((pattern) => pattern.replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`).replaceAll("*", "[^/]*"))
      .join("|")})(?:/|$)`,
  );
const mayBeSensitive = { read: lookFor(secrets), write: lookFor(`${secrets} ${runsLater}`) } as const;

// A file of that name, or a folder without its settings, makes another folder the repository.
const repositoryFile = /\/(?:\.git|head|commondir|config\.worktree)$/;

/**
 * The rule that makes a path sensitive, or undefined. What runs later counts for writes only. Spelling (letter case,
 * Unicode form) makes no difference; each folder on the way counts, so that all below `.ssh` is sensitive.
 *
 * @example
 * ```ts
 * sensitiveRule("/srv/project/.ENV", "read")?.pattern // => ".env"
 * sensitiveRule("/srv/project/.env.example", "read") // => undefined
 * ```
 */
export const sensitiveRule = (path: string, mode: "read" | "write"): SensitiveRule | undefined => {
  const key = pathKey(path);
  if (mode === "write" && repositoryFile.test(key)) return { pattern: ".git", kind: "runs-later" };
  if (!mayBeSensitive[mode].test(key)) return undefined;
  const segments = key.split("/").slice(1);
  for (let end = 1; end <= segments.length; end++) {
    if (exceptions.test(segments[end - 1] ?? "")) continue;
    const found = rules.find(
      (rule) =>
        end >= rule.length &&
        (mode === "write" || rule.kind === "secret") &&
        rule.glob.matches(segments.slice(end - rule.length, end).join("/")),
    );
    if (found !== undefined) return { pattern: found.pattern, kind: found.kind };
  }
  return undefined;
};
