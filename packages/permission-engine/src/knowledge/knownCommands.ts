import type { CommandEntry } from "./CommandEntry.ts";
import { archives } from "./archives.ts";
import { builds } from "./builds.ts";
import { builtins } from "./builtins.ts";
import { cloud } from "./cloud.ts";
import { containerEngines } from "./containerEngines.ts";
import { databases } from "./databases.ts";
import { disks } from "./disks.ts";
import { files } from "./files.ts";
import { gitChanging } from "./gitChanging.ts";
import { github } from "./github.ts";
import { gitReading } from "./gitReading.ts";
import { go } from "./go.ts";
import { languages } from "./languages.ts";
import { network } from "./network.ts";
import { node } from "./node.ts";
import { packages } from "./packages.ts";
import { processes } from "./processes.ts";
import { python } from "./python.ts";
import { rust } from "./rust.ts";
import { search } from "./search.ts";
import { services } from "./services.ts";
import { text } from "./text.ts";

/** All commands that are known: a family a file. */
export const knownCommands: ReadonlyArray<CommandEntry> = [
  ...archives,
  ...builds,
  ...builtins,
  ...cloud,
  ...containerEngines,
  ...databases,
  ...disks,
  ...files,
  ...gitReading,
  ...gitChanging,
  ...github,
  ...go,
  ...languages,
  ...network,
  ...node,
  ...packages,
  ...processes,
  ...python,
  ...rust,
  ...search,
  ...services,
  ...text,
];
