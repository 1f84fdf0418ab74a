import { describe, expect, it } from "vitest";
import { decideCommand } from "../src/index.ts";
import type { CommandEntry } from "../src/knowledge/CommandEntry.ts";
import { knownCommands } from "../src/knowledge/knownCommands.ts";
import { resolvePath } from "../src/PathKey.ts";
import { place, policyOf } from "./support.ts";

const bare = policyOf();
const kinds = /^(?:read|write|delete|execute|connect|unknown):/;

// What an example says: words, then effects. A target may hold blanks.
const parse = (said: string) => {
  const tokens = said.split(/ (?=(?:read|write|delete|execute|connect|unknown):)/);
  const words = tokens.filter((token) => !kinds.test(token)).flatMap((token) => token.split(" "));
  return { words, effects: tokens.filter((token) => kinds.test(token)) };
};

// Files are named from the working folder.
const named = (effect: string): string => {
  const [, kind, target = ""] = /^(\w+):(.*)$/s.exec(effect) ?? [];
  const isFile = (kind === "read" || kind === "write" || kind === "delete") && !/^[^/]+:/.test(target);
  return `${kind}:${isFile ? resolvePath(place.cwd, target) : target}`;
};

const wrong = (command: string, said: string): ReadonlyArray<string> => {
  const decision = decideCommand(command, bare);
  const { words, effects } = parse(said);
  const found = decision.effects.map(({ kind, target }) => named(`${kind}:${target}`)).toSorted();
  const wanted = effects.map(named).toSorted();
  return [
    ...words.flatMap((word) => (word === decision.verdict || word === decision.risk ? [] : [`${word}?`])),
    ...(effects.length === 0 || JSON.stringify(found) === JSON.stringify(wanted)
      ? []
      : [`effects ${wanted.join(" ")}?`]),
  ].map((what) => `${command}: ${what} => ${decision.verdict} ${decision.risk} ${found.join(" ")}`);
};

describe("what is known of commands", () => {
  it.each(knownCommands.map((entry): [string, CommandEntry] => [entry.command.slice(0, 60), entry]))(
    "%s does what its examples say",
    (_, entry) => {
      expect(Object.keys(entry.examples).length).toBeGreaterThan(0);
      expect(Object.entries(entry.examples).flatMap(([command, said]) => wrong(command, said))).toEqual([]);
    },
  );
});

describe("the table of commands", () => {
  const named = knownCommands.flatMap((entry) => entry.command.split(" | "));

  it("knows what coding agents run most", () => {
    const wanted =
      "git gh npm pnpm yarn bun npx node deno tsc python pip uv poetry pytest ruff mypy cargo rustc go gofmt make cmake ninja gradle mvn docker podman " +
      "kubectl helm terraform aws gcloud find fd rg grep sed awk jq yq tar zip unzip gzip curl wget ssh scp rsync ls cat head tail wc sort uniq cut tr " +
      "diff patch cp mv rm mkdir touch chmod chown ln tee env echo printf test date ps kill pkill lsof df du stat file which basename dirname realpath " +
      "sleep psql sqlite3 redis-cli mysql systemctl journalctl brew apt-get openssl base64 md5sum python3 pip3 gsed eslint prettier vitest";
    const programs = new Set(named.map((words) => words.split(" ")[0]));
    expect(wanted.split(" ").filter((name) => !programs.has(name))).toEqual([]);
  });

  it("has each command once", () => {
    expect(named.filter((words, at) => named.indexOf(words) !== at)).toEqual([]);
  });

  it("lists no option as harmless that it also says something else of", () => {
    const twice = knownCommands.flatMap(({ command, flags = "", options = {} }) => {
      const names = (list: string) => list.split(" ").map((name) => name.replace(/(?:==|=|\[.\])$/, ""));
      const harmless = new Set(names(flags));
      return Object.keys(options)
        .flatMap(names)
        .filter((name) => harmless.has(name))
        .map((name) => `${command}: ${name}`);
    });
    expect(twice).toEqual([]);
  });

  it("lets nothing on the safe list that is worse than a build", () => {
    const grave = knownCommands.filter(
      ({ isSafe, risk }) => isSafe === true && risk !== "read" && risk !== "local-write",
    );
    expect(grave.map(({ command }) => command)).toEqual([]);
    // Any option may be harmless only where none does anything.
    const open = knownCommands.filter(({ isSafe, flags }) => isSafe === true && flags === "*");
    expect(open.map(({ command }) => command)).toEqual(["echo"]);
  });
});
