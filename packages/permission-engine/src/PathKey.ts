/**
 * An absolute path without `.`, `..`, doubled or trailing slashes, by its text alone: symlinks are not followed, but for
 * those that the system itself puts up: `/proc/<process>/root` is `/`, `/proc/self/cwd` is `folder`. `..` at the root
 * stays there.
 *
 * @example
 * ```ts
 * resolvePath("/srv/project", "../x/./y/") // => "/srv/x/y"
 * resolvePath("/srv/project", "/proc/self/root/etc") // => "/etc"
 * ```
 */
export const resolvePath = (folder: string, path: string): string => {
  let kept: Array<string> = [];
  for (const segment of (path.startsWith("/") ? path : `${folder}/${path}`).split("/"))
    if (segment === "..") {
      // Above an open folder is what is above it, not what is above its number.
      if (isOpenFile(kept)) kept.push(segment);
      else kept.pop();
    } else if (segment !== "" && segment !== ".") {
      kept.push(segment);
      if (kept[0] === "proc") kept = leap(kept, folder);
    }
  return `/${kept.join("/")}`;
};

const isOpenFile = (kept: ReadonlyArray<string>): boolean =>
  kept.at(-1) === ".." ||
  ((kept[0] === "dev" || kept[0] === "proc") &&
    kept.length < 7 &&
    /^(?:dev|proc\/(?:[^/]+\/)+)\/?(?:fd\/[^/]+|cwd)$/.test(kept.join("/")));

// Where a link of `/proc` leads: `/proc/1/root`, `/proc/self/task/7/cwd`.
const leap = (kept: Array<string>, folder: string): Array<string> => {
  const [, process = "", third, , fifth] = kept;
  const name = kept.length === 3 ? third : kept.length === 5 && third === "task" ? fifth : undefined;
  if (name === "root") return [];
  return name === "cwd" && /^(?:thread-)?self$/.test(process) && !folder.startsWith("/proc/")
    ? folder.split("/").filter((segment) => segment !== "")
    : kept;
};

// Letters that some file systems skip when they compare names.
const ignored = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;

// oxlint-disable-next-line no-control-regex -- the class is "everything but ASCII"
const isPlain = (text: string): boolean => /^[\u0000-\u007F]*$/.test(text);

/**
 * The spelling under which paths are compared where a match makes things stricter: letter case, Unicode form (NFC, NFD,
 * full-width) and invisible characters make no difference.
 *
 * @example
 * ```ts
 * pathKey("/home/U/．SSH/Id_RSA") // => "/home/u/.ssh/id_rsa"
 * ```
 */
export const pathKey = (path: string): string =>
  isPlain(path) ? path.toLowerCase() : path.normalize("NFKC").replaceAll(ignored, "").toLowerCase().normalize("NFC");

/**
 * Whether a path goes down into a name and up again: `link/..` is the folder above where the link leads, not the one that
 * holds it, so its text does not say where it leads.
 */
export const goesUpAgain = (path: string): boolean => /(?:^|\/)(?!\.{1,2}\/)[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/.test(path);

/** Whether an absolute, resolved path is the folder or lies below it. Exact: a sibling `/a-b` is not inside `/a`. */
export const isInside = (path: string, folder: string): boolean =>
  folder === "/" || path === folder || path.startsWith(`${folder}/`);

/** `~` and `~/…` at the start of a path or rule, made absolute. */
export const expandHome = (path: string, home: string): string =>
  path === "~" || path.startsWith("~/") ? `${home}${path.slice(1)}` : path;

/** The last segment. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
