import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { globTool } from "../src/globTool.node.ts";
import { grepTool } from "../src/grepTool.node.ts";
import { findRipgrep } from "../src/internal/ripgrep.node.ts";
import { run, tempFolder } from "./runTool.ts";

/** The same numbers for the same seed. */
const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  return {
    below,
    one: <A>(choices: readonly [A, ...ReadonlyArray<A>]): A => choices[below(choices.length)] ?? choices[0],
  };
};

const names = [
  "a",
  "b",
  "build",
  "dist",
  "sub",
  "keep.log",
  "x.log",
  "y.txt",
  "z.ts",
  ".hidden",
  "a-b",
  "ä ö",
  "-dash",
  "abc",
] as const;
const rules = [
  "*.log",
  "!keep.log",
  "/build",
  "dist/",
  "sub/*.txt",
  "**/tmp",
  "a?c",
  "[ab].ts",
  "# comment",
  "",
  "sub/**",
  "!sub/a",
  "*",
  "!*/",
  "!*.ts",
  ".hidden",
  "/a/b",
  "\\-dash",
  "y.*",
  "build/",
] as const;
const plainRules = [
  "*.log",
  "!keep.log",
  "/build",
  "dist/",
  "**/tmp",
  "sub/**",
  "!sub/a",
  "*",
  "!*.ts",
  ".hidden",
  "/a/b",
  "y.*",
] as const;
const lines = [
  "the needle is here",
  "no match",
  "NEEDLE",
  "needle needle",
  "foo(bar)",
  "x = 12;",
  "",
  "  indented needle",
  "\ttab",
  "ends in needle\r",
  "caf\u00e9 needle",
  "foobar baz",
  "12 34 needle 56",
  `${"w".repeat(600)}needle${"v".repeat(300)}`,
] as const;
const patterns = [
  "needle",
  "nee+dle",
  "foo\\(",
  "(needle|baz)",
  "^the",
  "needle$",
  "[0-9]+",
  "\\bbaz",
  "n[a-z]*e",
  "no match|foo",
  "x = 1",
  "caf\u00e9",
  "broken",
  "zzz",
  "ne{2}dle .s",
  "in",
  "  in",
  "a{3}|needle h",
] as const;

const content = ({ below, one }: ReturnType<typeof randomFrom>): string | Buffer => {
  const kind = below(10);
  if (kind === 0) return Buffer.from([0, ...Buffer.from("needle\nbinary needle\n")]);
  if (kind === 1)
    return Buffer.concat([Buffer.from("needle\n"), Buffer.from([0xff, 0xfe, 0x20]), Buffer.from("broken\n")]);
  const text = Array.from({ length: below(8) }, () => one(lines)).join("\n");
  return below(3) === 0 ? text : `${text}\n`;
};

const program = await findRipgrep();
const reference = (folder: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const same = [
    "--no-config",
    "--hidden",
    "--no-require-git",
    "--no-ignore-parent",
    "--no-ignore-global",
    "--no-ignore-dot",
  ];
  const common = [...same, "--encoding=none", "--glob=!.git", "--glob=!node_modules", "--color=never"];
  try {
    const bytes = execFileSync(program ?? "rg", [...common, ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return bytes.toString("utf8").split("\n").slice(0, -1);
  } catch (error) {
    // 1: nothing found.
    if (typeof error === "object" && error !== null && "status" in error && error.status === 1) return [];
    throw error;
  }
};

const runs = soak.runsOr(40);

describe("grep and glob", () => {
  it("have a ripgrep to be compared with", () => {
    expect(program).toBeDefined();
  });

  it(
    `find what ripgrep finds, and give the same bytes with it and without: ${runs} trees`,
    { timeout: 3_600_000 },
    async () => {
      await using folder = await tempFolder();
      const random = randomFrom(soak.seed);
      const { below, one } = random;
      const [withRipgrep, without] = [
        grepTool({ ripgrepFrom: 0 }),
        grepTool({ ripgrepFrom: Number.POSITIVE_INFINITY }),
      ];
      let found = 0;
      for (let at = 0; at < runs; at++) {
        const top = folder.at(String(at));
        mkdirSync(top);
        for (let file = 0; file < 25; file++) {
          const path = [top, ...Array.from({ length: below(3) }, () => one(names)), one(names)].join("/");
          try {
            mkdirSync(dirname(path), { recursive: true });
            if (below(12) === 0) symlinkSync(one(names), path);
            else writeFileSync(path, content(random));
            if (below(4) === 0)
              writeFileSync(
                `${dirname(path)}/.gitignore`,
                Array.from({ length: 1 + below(4) }, () => one(at % 2 === 0 ? rules : plainRules)).join("\n"),
              );
          } catch {
            // A file stands where a folder should, or the other way round.
          }
        }
        if (at % 4 > 1) {
          mkdirSync(`${top}/.git/info`, { recursive: true });
          writeFileSync(`${top}/.git/info/exclude`, "# none\nabc\n");
        }
        mkdirSync(`${top}/node_modules`, { recursive: true });
        writeFileSync(`${top}/node_modules/x`, "needle\n");
        const files = (await run(globTool(), { pattern: "**", max_results: 2000 }, top)).split("\n");
        const links = execFileSync("find", [".", "-type", "l"], { cwd: top, encoding: "utf8" }).split("\n");
        const isLink = new Set(links.map((link) => link.replace("./", "")));
        const plain = files.filter((file) => !file.startsWith("(") && !isLink.has(file));
        expect(plain.toSorted()).toEqual([...reference(top, ["--files"])].toSorted());
        expect(files).toEqual(files.toSorted((a, b) => (a < b ? -1 : 1)));

        // Ripgrep takes it for a mistake when nothing is left to search.
        for (let search = 0; search < 4 && plain.length > 0; search++) {
          const pattern = one(patterns);
          const ignoreCase = below(3) === 0;
          const input = { pattern, ignore_case: ignoreCase };
          const shown = (await run(withRipgrep, { ...input, max_matches: 2000 }, top)).split("\n");
          const hits = shown.filter((line) => !line.startsWith("("));
          found += hits.length;
          const expected = reference(top, [
            "--line-number",
            "--null",
            "--crlf",
            ...(ignoreCase ? ["-i"] : []),
            "-e",
            pattern,
          ]);
          expect([pattern, hits.map((line) => line.replace(/ … .*$|(?<=: )… /g, "").slice(0, 100)).toSorted()]).toEqual(
            [
              pattern,
              expected
                .map((line) => /^(.*?)\0(\d+):(.*?)\r*$/s.exec(line))
                .map((line) => `${line?.[1]}:${line?.[2]}: ${line?.[3]}`)
                .map((line) =>
                  (line.length > 400
                    ? (hits.find((hit) => hit.startsWith(line.slice(0, line.indexOf(": ")))) ?? "").replace(
                        / … .*$|(?<=: )… /g,
                        "",
                      )
                    : line
                  ).slice(0, 100),
                )
                .toSorted(),
            ],
          );
          const more = {
            ...input,
            context: below(3),
            show: one(["lines", "files", "counts"]),
            max_matches: 1 + below(6),
          };
          expect(await run(withRipgrep, more, top)).toBe(await run(without, more, top));
          const folders = plain.filter((file) => file.includes("/")).map((file) => dirname(file));
          const within = { ...more, path: one([".", ...folders]), exclude: one(["*.zzz", "*.ts"]) };
          expect([within, await run(withRipgrep, within, top)]).toEqual([within, await run(without, within, top)]);
        }
        rmSync(top, { recursive: true });
      }
      expect(found).toBeGreaterThan(runs);
    },
  );

  it("give the same where files are too large, cannot be read, or there are many", async () => {
    await using folder = await tempFolder();
    for (let at = 0; at < 400; at++) writeFileSync(folder.at(`f${at}`), at % 50 === 0 ? "a needle\n" : "nothing\n");
    writeFileSync(folder.at("large"), Buffer.alloc(5 * 1024 * 1024 + 1, "needle\n"));
    writeFileSync(folder.at("secret"), "needle\n", { mode: 0o000 });
    mkdirSync(folder.at("closed"), { mode: 0o000 });
    execFileSync("mkfifo", [folder.at("pipe")]);
    const results: Array<string> = [];
    for (const ripgrepFrom of [0, 100, 128, Number.POSITIVE_INFINITY])
      for (const pattern of ["needle", "needl[e]", "zzzz"])
        results.push(`${pattern}: ${await run(grepTool({ ripgrepFrom }), { pattern }, folder.path)}`);
    expect(new Set(results).size).toBe(3);
    expect(results[0]).toContain("(1 file over 5 MB not searched)");
  });
});
