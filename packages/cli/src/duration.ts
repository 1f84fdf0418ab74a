/** `90s`, `15m`, `2h`, `1d`. */
export const durationPattern = /^[1-9]\d{0,5}[smhd]$/;

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration in milliseconds; undefined: the text is none. */
export const durationMillis = (text: string): number | undefined =>
  durationPattern.test(text) ? Number.parseInt(text, 10) * (units[text.slice(-1)] ?? 0) : undefined;
