/** A number with its noun: `1 line`, `2 lines`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
