/** Model calls a run may make: `standard`, or `gui` once a tool of the GUI class was proposed. */
export interface IterationCap {
  readonly standard: number;
  readonly gui: number;
}

/**
 * Named caps. Workload: a hundred iterations carry a long coding job; one GUI action takes two or three iterations
 * (look, act, look), hence the higher cap. Symptom when it binds: outcome `force-stopped` with the cap as its reason.
 * Override: `maxIterations` of the harness, `--max-turns` of the CLI.
 */
export const iterationCaps = {
  default: { standard: 100, gui: 250 },
  shan: { standard: 25, gui: 75 },
} as const satisfies Record<string, IterationCap>;

const guiTool = /^(screenshot|computer|accessibility|browser)(_|$)/;

/** Whether a tool is of the GUI class: looks at a screen or acts on it. */
export const isGuiTool = (name: string): boolean => guiTool.test(name);

/** The cap of a run, by whether it uses GUI tools. */
export const iterationCapOf = ({
  maxIterations: { gui, standard },
  usesGui,
}: {
  readonly maxIterations: IterationCap;
  readonly usesGui: boolean;
}): number => (usesGui ? Math.max(gui, standard) : standard);
