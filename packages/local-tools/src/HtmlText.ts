const dropped: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "svg",
  "template",
  "iframe",
  "object",
  "canvas",
]);
const blocks: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr html legend li main nav ol p pre section summary table tbody thead tr title ul"
  ).split(" "),
);
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  times: "×",
  euro: "€",
  laquo: "«",
  raquo: "»",
};
const maxHrefCharacters = 500;
const maxTagCharacters = 4096;

/**
 * The text of an HTML page as people would read it: blocks on lines of their own, headings with #, list items with -,
 * links as `[text](address)`, addresses made absolute. Reads anything in one pass; what is no HTML comes as it is.
 *
 * @example
 * ```ts
 * htmlText("<h1>Hello</h1><p>to <a href='/x'>all</a>") // => "# Hello\n\nto [all](/x)"
 * ```
 */
export const htmlText = (html: string, base?: string): string => {
  const pieces: Array<string> = [];
  let preformatted = 0;
  let href: string | undefined;
  let linkAt = 0;
  let at = 0;

  const text = (raw: string): void => {
    const plain = withoutEntities(raw);
    pieces.push(preformatted > 0 ? plain : plain.replaceAll(/\s+/g, " "));
  };
  const endLink = (): void => {
    if (href !== undefined) {
      const label = pieces.splice(linkAt).join("").trim();
      pieces.push(label === "" ? "" : `[${label}](${href})`);
    }
    href = undefined;
  };
  const open = (name: string, attributes: string): void => {
    if (blocks.has(name)) pieces.push("\n");
    if (/^h[1-6]$/.test(name)) pieces.push(`\n${"#".repeat(Number(name[1]))} `);
    if (name === "p" || name === "table") pieces.push("\n");
    if (name === "li") pieces.push("- ");
    if (name === "br") pieces.push("\n");
    if (name === "td" || name === "th") pieces.push(" | ");
    if (name === "pre") preformatted++;
    if (name === "img") pieces.push(withoutEntities(attribute(attributes, "alt") ?? ""));
    if (name !== "a") return;
    endLink();
    href = address(withoutEntities(attribute(attributes, "href") ?? ""), base);
    linkAt = pieces.length;
  };
  const close = (name: string): void => {
    if (name === "a") endLink();
    if (name === "pre") preformatted = Math.max(0, preformatted - 1);
    if (blocks.has(name)) pieces.push(/^(?:h[1-6]|p)$/.test(name) ? "\n\n" : "\n");
  };

  while (at < html.length) {
    const start = html.indexOf("<", at);
    if (start < 0) break;
    if (start > at) text(html.slice(at, start));
    if (html.startsWith("<!--", start)) {
      const end = html.indexOf("-->", start + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    if (!/^[A-Za-z!?/]/.test(html.slice(start + 1, start + 2))) {
      text("<");
      at = start + 1;
      continue;
    }
    const end = tagEnd(html, start);
    const tag = html.slice(start + 1, end);
    const [, slash = "", rawName = ""] = /^(\/?)([A-Za-z][A-Za-z0-9-]{0,40})/.exec(tag) ?? [];
    const name = rawName.toLowerCase();
    at = end + 1;
    if (slash === "/") close(name);
    else if (dropped.has(name) && !tag.endsWith("/")) at = elementEnd(html, name, at);
    else open(name, tag.slice(rawName.length, maxTagCharacters));
  }
  if (at < html.length) text(html.slice(at));
  endLink();
  const lines = pieces.join("").split("\n").map(tidied);
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
};

// What stands before a line is kept only where it is long: code keeps its shape.
const tidied = (line: string): string => (/^[ \t]{2}/.test(line) ? line : line.trimStart()).trimEnd();

const tagEnd = (html: string, start: number): number => {
  let quote = "";
  for (let at = start + 1; at < html.length; at++) {
    const character = html[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") return at;
    else if ((character === '"' || character === "'") && html[at - 1] === "=") quote = character;
  }
  return html.length;
};

const elementEnd = (html: string, name: string, from: number): number => {
  const close = new RegExp(`</${name}(?=[\\s>/])`, "gi");
  close.lastIndex = from;
  const found = close.exec(html);
  if (found === null) return html.length;
  const end = html.indexOf(">", found.index);
  return end < 0 ? html.length : end + 1;
};

const attribute = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^|[\\s"'])${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3];
};

// Undefined: it leads nowhere that could be asked for.
const address = (href: string, base: string | undefined): string | undefined => {
  const trimmed = href.trim();
  if (trimmed === "" || trimmed.startsWith("#") || /^(?:javascript|data):/i.test(trimmed)) return undefined;
  const absolute = base !== undefined && URL.canParse(trimmed, base) ? new URL(trimmed, base).href : trimmed;
  return absolute.length > maxHrefCharacters ? undefined : absolute;
};

const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0x10_ffff || (code >= 0xd800 && code < 0xe000) ? "\ufffd" : String.fromCodePoint(code);
  });
