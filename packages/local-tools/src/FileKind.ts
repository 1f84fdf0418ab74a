/** What the first bytes of a file say of it. */
export interface FileKind {
  readonly name: string;
  /** Of images that models can be shown. */
  readonly mediaType?: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** How its content can be come by. */
  readonly hint?: string;
}

const kinds: ReadonlyArray<readonly [magic: string, at: number, kind: FileKind]> = [
  ["\u0089PNG\r\n\u001a\n", 0, { name: "PNG image", mediaType: "image/png" }],
  ["\u00ff\u00d8\u00ff", 0, { name: "JPEG image", mediaType: "image/jpeg" }],
  ["GIF87a", 0, { name: "GIF image", mediaType: "image/gif" }],
  ["GIF89a", 0, { name: "GIF image", mediaType: "image/gif" }],
  ["%PDF-", 0, { name: "PDF document", hint: "pdftotext gives its text." }],
  [
    "PK\u0003\u0004",
    0,
    { name: "ZIP archive (or an office document, a JAR, …)", hint: "unzip -l lists what it holds." },
  ],
  ["\u001f\u008b", 0, { name: "gzip file", hint: "zcat gives what it holds, tar -tzf lists it." }],
  ["BZh", 0, { name: "bzip2 file", hint: "bzcat gives what it holds." }],
  ["\u00fd7zXZ", 0, { name: "xz file", hint: "xzcat gives what it holds." }],
  ["(\u00b5/\u00fd", 0, { name: "Zstandard file", hint: "zstdcat gives what it holds." }],
  ["7z\u00bc\u00af\u0027\u001c", 0, { name: "7z archive", hint: "7z l lists what it holds." }],
  ["ustar", 257, { name: "tar archive", hint: "tar -tf lists what it holds." }],
  ["SQLite format 3\0", 0, { name: "SQLite database", hint: "sqlite3 reads it." }],
  ["\u007fELF", 0, { name: "ELF program or library" }],
  ["\u00cf\u00fa\u00ed\u00fe", 0, { name: "Mach-O program or library" }],
  ["\0asm", 0, { name: "WebAssembly module" }],
  ["MZ", 0, { name: "Windows program or library" }],
];

/** Bytes of an image that models are shown; providers take some 5 MB of base64. */
export const maxImageBytes = 3_500_000;

/** Bytes that are looked at. */
const kindBytes = 512;

/**
 * Recognises a file by its content, whatever it is called; undefined: none that is known.
 *
 * @example
 * ```ts
 * fileKind(Buffer.from("%PDF-1.7"))?.name // => "PDF document"
 * ```
 */
export const fileKind = (bytes: Uint8Array): FileKind | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, kindBytes));
  // The size of the file stands in between.
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return { name: "WebP image", mediaType: "image/webp" };
  return kinds.find(([magic, at]) => head.startsWith(magic, at))?.[2];
};

/** Width and height, where they stand near the beginning. */
export const imageSize = (
  bytes: Uint8Array,
  { mediaType }: FileKind,
): { readonly width: number; readonly height: number } | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === "image/png" && bytes.length >= 24) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (mediaType === "image/gif" && bytes.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  return undefined;
};
