import { hasOption, operandsOf } from "../Operands.ts";
import { rootness, targetsOf } from "../TargetPath.ts";
import type { Argv } from "../Unwrapped.ts";
import { block, type Finding, grave, type HardRule, type Suspect } from "./HardRule.ts";

const deleters: ReadonlySet<string> = new Set(["rm", "grm", "srm", "shred", "unlink", "trash"]);

/** Recursive deletion of `/`, a home or a system folder, by `rm`, `find -delete`, `find -exec rm` or `rsync --delete`. */
export const recursiveDeletion: HardRule = (suspect) => {
  const { argv, program, part } = suspect;
  if (deleters.has(program) && (part.isRecursive || hasOption(argv, "rR", "--recursive")))
    return judge(suspect, operandsOf(argv), "recursive-delete-of-root", "it deletes everything below");
  if (program === "rsync" && argv.some((word) => word.text.startsWith("--del")))
    return judge(suspect, operandsOf(argv).slice(-1), "recursive-delete-of-root", "it mirrors another folder onto");
  if (program === "mv" || program === "gmv") {
    const found = judge(suspect, operandsOf(argv).slice(0, -1), "recursive-delete-of-root", "it moves away");
    return found?.kind === "block" ? { ...found, kind: "doubt" } : undefined;
  }
  return undefined;
};

const ownership: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp", "setfacl", "chattr", "gchmod", "gchown"]);

/** Recursive change of mode or owner of such a folder. */
export const recursivePermissions: HardRule = (suspect) => {
  const { argv, program, part } = suspect;
  if (!ownership.has(program) || !(part.isRecursive || hasOption(argv, "R", "--recursive"))) return undefined;
  const operands = operandsOf(argv);
  const hasReference = argv.some((word) => word.text.startsWith("--ref"));
  const files = program === "setfacl" || program === "chattr" || hasReference ? operands : operands.slice(1);
  return judge(suspect, files, "recursive-permissions-of-root", "it changes the permissions of everything below");
};

const judge = ({ part, home }: Suspect, operands: Argv, rule: string, what: string): Finding | undefined => {
  let doubt: Finding | undefined;
  const folders = { known: part.folders, isUnknown: part.isFolderUnknown };
  for (const word of operands) {
    for (const target of targetsOf(word, folders)) {
      const found = rootness(target, home);
      if (found === "root") return block(rule, `${what} ${word.text}`);
      if (found === "maybe") doubt = grave(rule, `${what} a place that is only known when it runs: ${word.text}`);
    }
    if (part.isFolderUnknown && !word.shape.startsWith("/"))
      doubt ??= grave(rule, `${what} ${word.text}, in a folder that is only known when it runs`);
  }
  return doubt;
};
