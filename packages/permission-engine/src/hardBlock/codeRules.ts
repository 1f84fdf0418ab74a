import { interpreterOf } from "../knowledge/interpreters.ts";
import { programName } from "../Program.ts";
import { plainWord } from "../ShellWord.ts";
import { rootness, targetsOf } from "../TargetPath.ts";
import { block, grave, type HardRule, type Suspect } from "./HardRule.ts";

/** Of longer code only the start is looked at. */
const mostCharacters = 16_384;

// What takes a tree away, or changes its owner, in the standard libraries of the languages that agents write.
const destroying =
  /\b(?:rmtree|rm_rf?|rm|rmdir(?:Sync)?|rmSync|rimraf|remove(?:Sync|_tree|_dir_all|_entry(?:_secure)?|dirs|All)|RemoveAll|delete(?:Tree|_tree|Recursively|-directory|-file)|deltree|emptyDir(?:Sync)?|unlink(?:Sync)?|move|rename(?:Sync)?|ch(?:own|mod)(?:_R|Sync)?|Remove-Item|del)\b/;
const literals = /(["'`])((?:[A-Za-z]:)?[/~\\][^"'`\n]{0,120})\1/g;
// As PowerShell takes words without quotes.
const bareRoot = /(?:^|[\s"'])([A-Za-z]:[\\/]+|\/|~[\\/]?|\$HOME|\$env:USERPROFILE)(?=[\s"';)]|$)/i;
// About the home folder itself, and not about something in it.
const home =
  /\(\s*(?:os\.environ(?:\.get)?[[(]["']HOME["'][\])]|(?:pathlib\.)?Path\.home\(\)|os\.homedir\(\)|homedir\(\)|process\.env\.HOME|ENV\[["']HOME["']\]|Dir\.home|\$ENV\{HOME\}|\$HOME)\s*[,)]/;

const onHome = new RegExp(`${destroying.source}\\s*${home.source}`);

/** Code of another language that takes a root away: what it does can only be guessed, but not this. */
export const codeOnRoot: HardRule = (suspect) => {
  const { part, program, reading } = suspect;
  const roled = (reading?.roled ?? []).flatMap(({ role, word }) => (role === "code" ? [word] : []));
  for (const { text } of [...part.code, ...roled]) {
    const code = text.slice(0, mostCharacters);
    if (!destroying.test(code)) continue;
    if (/^(?:pwsh|powershell|cmd)$/.test(program) && bareRoot.test(code))
      return grave("code-on-root", `its code may take away ${bareRoot.exec(code)?.[1] ?? "a root"}`);
    const root = [...code.matchAll(literals)].map(([, , path = ""]) => path).find((path) => isRoot(path, suspect));
    if (root !== undefined || onHome.test(code))
      return grave("code-on-root", `its code may take away ${root ?? "the home folder"}`);
  }
  return undefined;
};

// What fetches over the network, and what runs a text, in the languages that agents write.
const fetches =
  /https?:\/\/|\b(?:urlopen|urlretrieve|requests?\.get|httpx|fetch|axios|http\.get|https\.get|open-uri|URI\.open|Net::HTTP|LWP|HTTP::Tiny|file_get_contents|curl_exec|irm|iwr|Invoke-(?:RestMethod|WebRequest)|DownloadString)\b/i;
const runsText =
  /(?<![.\w])(?:eval|exec|execfile|loadstring|iex|create_function)\b|\b(?:runpy|instance_eval|class_eval|module_eval|vm\.run\w*|new Function|Invoke-Expression|dostring)\b|(?<![.\w])(?:load|source|include)\s*\(/i;

const forking =
  /\bfork\b(?:\s*\(\s*\))?\s+while\b|\bwhile\b[^;\n]{0,40}\bfork\b|\bloop\s*(?:\{|do)\s*fork\b|\bwhile\s*\(?\s*(?:1|true)\s*\)?\s*[:{]?\s*(?:os\.)?fork\b/i;

/** Code that starts itself again and again. */
export const forkingCode: HardRule = ({ part, reading }) => {
  const roled = (reading?.roled ?? []).flatMap(({ role, word }) => (role === "code" ? [word] : []));
  return [...part.code, ...roled].some(({ text }) => forking.test(text.slice(0, mostCharacters)))
    ? block("fork-bomb", "it starts itself again and again until the machine stops")
    : undefined;
};

/** Code of another language that may run what it fetches. */
export const codeFromNetwork: HardRule = ({ part, program }) => {
  for (const { text } of part.code) {
    const code = text.slice(0, mostCharacters);
    if (!fetches.test(code) || !runsText.test(code)) continue;
    const pipesIt = /^(?:pwsh|powershell)$/.test(program) && /\b(?:iex|Invoke-Expression)\b/i.test(code);
    return pipesIt
      ? block("download-to-interpreter", "it runs what it downloads without showing it to anybody")
      : grave("download-to-interpreter", "its code may run what it downloads");
  }
  return undefined;
};

/** A program of another language that is run from an address: nobody has seen it. */
export const codeAtAddress: HardRule = ({ argv, part, reading }) => {
  const started = part.levels
    .slice(1)
    .map((level) => level.argv[0])
    .find((word) => word !== undefined && /^https?:\/\//i.test(word.text));
  if (started !== undefined)
    return block("download-to-interpreter", `it runs what it downloads without showing it to anybody: ${started.text}`);
  if (interpreterOf(programName(argv[0])) === undefined) return undefined;
  const remote = reading?.roled.find(({ role, word }) => role === "runs" && /^https?:\/\//i.test(word.text));
  return remote === undefined
    ? undefined
    : block("download-to-interpreter", `it runs what it downloads without showing it to anybody: ${remote.word.text}`);
};

/** A program of this machine that is laid open to another one. */
export const laidOpen: HardRule = ({ argv, program }) => {
  const words = argv.slice(1).map(({ text }) => text);
  const isOpen =
    (program === "socat" &&
      words.some((word) => /^(?:exec|system|shell):/i.test(word)) &&
      words.some((word) => /^(?:tcp|udp|openssl|ssl|sctp|socks|proxy|vsock|dccp)[\w-]*:/i.test(word))) ||
    (program === "ncat" && words.some((word) => word.startsWith("--lua-exec")));
  return isOpen
    ? block("download-to-interpreter", "it hands a program of this machine to whoever is at the other end")
    : undefined;
};

const isRoot = (path: string, { home: folder, part }: Suspect): boolean => {
  const absolute =
    path === "~" || path.startsWith("~/") ? `${folder}${path.slice(1)}` : path.replace(/^[A-Za-z]:\\?$/, "/");
  return targetsOf(plainWord(absolute), { known: part.folders, isUnknown: part.isFolderUnknown }).some(
    (target) => rootness(target, folder) === "root",
  );
};
