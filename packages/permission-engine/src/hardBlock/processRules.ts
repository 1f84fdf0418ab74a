import { block, grave, type HardRule } from "./HardRule.ts";

const initNames = /^\^?(?:init|systemd|launchd)\$?$/;

// Patterns that every process fits.
const universal = /^\^?(?:|\.[*+]?|\[\^?.\]\*?)\$?$/;

/** Killing process 1, every process, or the init system by name. */
export const killInit: HardRule = ({ argv, effects, program }) => {
  const words = argv.slice(1).map((word) => word.text);
  if (takesAllOf(program, words))
    return grave("kill-init", "it kills all processes of the system's own user, or all that use its disk");
  const killed =
    program === "kill"
      ? pidsOf(words).some((pid) => /^[-+]?\s*0*1$/.test(pid))
      : /^(?:pkill|killall|skill)$/.test(program) && widens(program, words)
        ? true
        : program === "pkill" || program === "killall" || program === "skill"
          ? effects.some(
              ({ role, word }) =>
                role === "kills" && (initNames.test(word.text) || (program === "pkill" && universal.test(word.text))),
            )
          : program === "killall5";
  return killed ? block("kill-init", "it kills the first process or all processes") : undefined;
};

// `pkill -u root`, `fuser -km /`
const takesAllOf = (program: string, words: ReadonlyArray<string>): boolean =>
  (/^(?:pkill|killall|skill|slay)$/.test(program) &&
    words.some(
      (word, at) =>
        /^(?:-[uU]|--(?:euid|uid|user)=?)(?:root|0)$/.test(word) ||
        (/^(?:root|0)$/.test(word) &&
          (program === "slay" || /^(?:-[a-z]*[uU]|--(?:euid|uid|user))$/.test(words[at - 1] ?? ""))),
    )) ||
  (program === "fuser" &&
    words.some((word) => /^-[a-z]*k|^--kill/.test(word)) &&
    words.some((word) => /^(?:\/|\/proc\/1\/?|\/(?:usr|etc|var|home|bin|lib)\/?)$/.test(word)));

// Everything but what is named, or everything that belongs to the first process.
const widens = (program: string, words: ReadonlyArray<string>): boolean =>
  words.some((word) => /^(?:-[a-uw-z]*v[a-z]*|--inverse)$/.test(word) && !(program === "killall" && word === "-v")) ||
  words.some((word, at) =>
    /^-[Pgs]$/.test(word)
      ? /^[01]$/.test(words[at + 1] ?? "")
      : /^(?:-[Pgs]|--(?:parent|pgroup|session)=)[01]$/.test(word),
  ) ||
  (program === "killall" &&
    words.some((word) => /^(?:-[a-z]*r|--regexp)$/.test(word)) &&
    words.some((word) => universal.test(word)));

// `kill -1` alone is meant as "all processes" by those who write it; before a pid it is the signal HUP.
const pidsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, second] = words;
  // Signal 0 only asks whether there is such a process.
  if (/^-(?:0|s0|n0)$/.test(first ?? "") || (/^(?:-s|-n|--signal)$/.test(first ?? "") && second === "0")) return [];
  if (first === undefined || first === "-l" || first === "-L") return [];
  if (first === "--") return words.slice(1);
  if (/^(?:-s|-n|--signal)$/.test(first))
    return words.slice(second === undefined ? 1 : 2).filter((word) => word !== "--");
  if (words.length === 1) return words;
  return (first.startsWith("-") ? words.slice(1) : words).filter((word) => word !== "--");
};
