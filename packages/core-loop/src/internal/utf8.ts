// Every JavaScript runtime has it; the language's own types do not.
declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string };

/** The text of UTF-8 bytes; what is no UTF-8 becomes U+FFFD. */
export const textOfBytes = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
