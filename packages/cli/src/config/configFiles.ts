import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Where the user's own settings are. */
export const configFolder = (): string =>
  join(resolve(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config")), "kumiko");

/** The files that settings are read from. */
export interface ConfigFiles {
  readonly user: string;
  /** Shared with others who work on the project. */
  readonly project: string;
  /** For this machine. */
  readonly local: string;
}

/**
 * The files for runs in a folder. Those of the project lie in `.kumiko` of the folder, or of the nearest one above that
 * has any, up to the root of its repository.
 */
export const configFiles = (cwd: string): ConfigFiles => {
  const folder = join(projectFolder(cwd), ".kumiko");
  return {
    user: join(configFolder(), "config.yaml"),
    project: join(folder, "config.yaml"),
    local: join(folder, "config.local.yaml"),
  };
};

const projectFolder = (cwd: string): string => {
  const root = above(cwd, (folder) => existsSync(join(folder, ".git")));
  if (root === undefined) return cwd;
  const own = above(cwd, (folder) => folder === root || existsSync(join(folder, ".kumiko")));
  return own ?? cwd;
};

const above = (from: string, fits: (folder: string) => boolean): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    if (fits(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
};
