import type { Folders } from "./buildPart.ts";
import { compileGlob } from "./Glob.ts";
import { mark } from "./internal/marks.ts";
import { rootsOfRoots, systemRoots } from "./knowledge/systemRoots.ts";
import { isInside, pathKey, resolvePath } from "./PathKey.ts";
import type { ShellWord } from "./ShellWord.ts";

const pattern = /[\uE000\uE001]/;
const universal = /^(?:\.?[\uE000\uE001]*\uE000[\uE000\uE001]*|\.{0,2}\uE001+)$/;
const bracketed = /^\.?\uE001?\uE000$/;

// `C:\\` and `c:/`, as a shell on Windows takes them.
const windowsDrive = /^[A-Za-z]:[\\/]+$/;

/** The paths an operand may stand for, spelled as compared; patterns and unknown pieces stay marks. */
export const targetsOf = (word: ShellWord, folders: Folders): ReadonlyArray<string> => {
  if (windowsDrive.test(word.shape)) return ["/"];
  const shape = pathKey(
    word.shape
      .replaceAll(mark.blank, " ")
      .replace(/^\uE006/, ".")
      .replaceAll(mark.here, mark.unknown),
  );
  if (shape.startsWith("/") && !shape.includes("/cwd")) return [resolvePath("/", shape)];
  if (folders.known.length === 0 && shape.startsWith("/")) return [resolvePath("/", shape)];
  return folders.known.map((folder) => resolvePath(pathKey(folder), shape));
};

/**
 * Whether a path, and all below it, is a root: `/`, the home, a system folder; also by a pattern that takes everything
 * in it (`/*`, `~/.*`). `maybe`: an unknown piece decides.
 */
export const rootness = (target: string, home: string): "root" | "maybe" | "no" => {
  if (target.includes(mark.unknown)) return "maybe";
  if (isInside(target, dataVolume)) return rootness(target.slice(dataVolume.length) || "/", home);
  if (target.endsWith(`/${mark.found}`)) return rootness(target.slice(0, -2) || "/", home) === "no" ? "no" : "maybe";
  const segments = target.split("/").slice(1);
  while (segments.length > 0 && isUniversal(segments.at(-1) ?? "")) segments.pop();
  const base = `/${segments.join("/")}`;
  const homeKey = pathKey(home);
  if (base === "/" || isRootPath(base, homeKey)) return "root";
  if (pattern.test(base) && patternTakesRoot(segments, homeKey)) return "root";
  return leadsAnywhere.test(target) ? "maybe" : "no";
};

// Folders of processes, open folders by their number, files by theirs.
const leadsAnywhere = /^\/(?:proc\/.|dev\/fd\/.|\.vol\/.)/;
// On macOS, what can be written lies there as well.
const dataVolume = "/system/volumes/data";

const isUniversal = (segment: string): boolean => segment === "" || universal.test(segment) || bracketed.test(segment);

// The drives of Windows, seen from a shell on it.
const foreignDrive = /^\/(?:mnt|cygdrive)\/[a-z]$/;

const roots: ReadonlySet<string> = new Set(systemRoots);

const isRootPath = (path: string, homeKey: string): boolean =>
  roots.has(path) ||
  path === homeKey ||
  homeKey.startsWith(`${path}/`) ||
  rootsOfRoots.includes(path.slice(0, path.lastIndexOf("/"))) ||
  foreignDrive.test(path);

const patternTakesRoot = (segments: ReadonlyArray<string>, homeKey: string): boolean =>
  [...systemRoots, homeKey].some((root) => {
    const names = root.split("/").slice(1);
    return names.length === segments.length && names.every((name, index) => segmentMayBe(segments[index] ?? "", name));
  });

/** Whether a path segment, pattern or not, may name that file. */
const segmentMayBe = (segment: string, name: string): boolean =>
  segment === name || ((pattern.test(segment) || segment === mark.found) && compileGlob(name).mayMatch(segment));

// What may be written to below `/dev`: everything else there is a disk, or memory, or not known to be none.
const harmlessDevices =
  /^\/dev\/(?:null|zero|full|u?random|tty.*|cu\..*|pts(?:\/.*)?|ptmx|std(?:in|out|err)|fd(?:\/.*)?|shm(?:\/.*)?|mqueue(?:\/.*)?|(?:tcp|udp)\/.*|console|log|kmsg|dsp|audio|snd\/.*|input\/.*|video\d+|dri\/.*|fuse|net\/tun|kvm|nvidia.*|hidraw\d+|i2c-\d+|serial\/.*|usb\/lp.*|lp\d+|uinput)$/;

const hardwareSwitch =
  /^\/sys\/(?:class\/)?(?:block|scsi_device)\/.*\/(?:delete|rescan|state)$|^\/sys\/firmware\/efi\/efivars\//;

/** Whether writing to a path overwrites a disk or memory, or resets the machine. */
export const isRawDevice = (target: string): boolean =>
  (/^\/dev\/./.test(target) && !target.includes("\uE002") && !harmlessDevices.test(target)) ||
  target === "/proc/sysrq-trigger" ||
  hardwareSwitch.test(target);

/**
 * Whether a path is, or lies in, what the harness goes by and what it has written down: its permission and hook
 * configuration (`.kumiko`, `.config/kumiko`), its sessions with their questions and its audit log
 * (`.local/state/kumiko`).
 */
export const isHarnessConfig = (target: string): boolean => {
  const segments = target.split("/").slice(1);
  return segments.some(
    (segment, index) =>
      isHiddenMatch(segment, ".kumiko") ||
      ((isHiddenMatch(segment, ".config") || segment === mark.unknown) &&
        segmentMayBe(segments[index + 1] ?? "", "kumiko")) ||
      (isHiddenMatch(segment, ".local") &&
        segmentMayBe(segments[index + 1] ?? "", "state") &&
        segmentMayBe(segments[index + 2] ?? "", "kumiko")),
  );
};

// A pathname pattern finds hidden files only where its dot is written.
const isHiddenMatch = (segment: string, name: string): boolean =>
  segment === name || (segment.startsWith(".") && (segmentMayBe(segment, name) || isFilledIn(segment, name)));

// `.kumi${x}ko`, where most of the name is written out.
const isFilledIn = (segment: string, name: string): boolean =>
  segment.includes(mark.unknown) &&
  segment.replaceAll(mark.unknown, "").length * 2 > name.length &&
  compileGlob(name).mayMatch(segment);
