/** Whether a text is ASCII without NUL: what no locale reads in another way. */
export const isPlainText = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- the class is "everything but ASCII"
  /^[\u0001-\u007F]*$/.test(text);
