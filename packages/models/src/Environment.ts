/** Environment variables, as a plain record. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable without white space around it; `undefined` where it is not set or empty. */
export const valueOf = (env: Environment, variable: string | undefined): string | undefined => {
  const value = variable === undefined || !Object.hasOwn(env, variable) ? undefined : env[variable]?.trim();
  return value === "" ? undefined : value;
};
