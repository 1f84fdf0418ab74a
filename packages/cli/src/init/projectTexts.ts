import type { ProjectCommand } from "./ProjectFacts.ts";

/** A first AGENTS.md: what was found, and what only people know. */
export const agentsText = (commands: ReadonlyArray<ProjectCommand>): string => {
  const width = Math.max(...commands.map(({ purpose }) => purpose.length), 0);
  const found =
    commands.length === 0
      ? "Nothing was found that says how this is built or tested: write it here.\n"
      : `${commands.map(({ command, purpose }) => `- ${`${purpose}:`.padEnd(width + 1)} \`${command}\``).join("\n")}\n`;
  return `# For agents that work on this project

Read at the start of every run: keep it short, and true.

## Commands

${found}
## Rules

- Say here what is not to be touched, and what has to hold before a change is done.
`;
};

/** A first configuration of a project: it sets nothing yet. */
export const configText = `# Settings for everybody who works on this project with kumiko. They can only tighten what a user allows: forbid, ask,
# a stricter mode, fewer turns. kumiko config shows what holds here, and from where.
#
# permissions:
#   deny:
#     - git push --force*
#   ask:
#     - npm publish*
# maxTurns: 60
`;

export const localFile = ".kumiko/config.local.yaml";
