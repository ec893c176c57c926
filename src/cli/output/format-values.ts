import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { printable, printableColors } from "../../core/text/say-name.ts";

export { printable };

/** Like `printable`, for text of several lines: line ends and tabs stay. In JSON the escapes mean what they replace. */
export function printableLines(text: string): string {
  return linesOf(text, printable);
}

function linesOf(text: string, show: (part: string) => string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(show).join("\t"))
    .join("\n");
}

/** The last filter for a terminal: colours stay if they are allowed; all other control characters are escaped. */
export function printablePaint(text: string, hasColors: boolean): string {
  return linesOf(text, hasColors ? printableColors : printable);
}

/** `1 file`, `2 files`, `2 entries` with the plural given. */
export function countOf(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

const byteUnits = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** A size for people: `512 bytes`, `1.5 MiB`, `1 GiB`. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1024 && unit < byteUnits.length - 1; unit++) size /= 1024;
  return `${Number(size.toFixed(1))} ${byteUnits[unit] ?? ""}`;
}

const timeUnits = [
  ["d", 24 * 60 * 60 * 1_000],
  ["h", 60 * 60 * 1_000],
  ["min", 60 * 1_000],
] as const;

/** A length of time in its largest unit, rounded down: `6 d`, `3 h`, `12 min`, `0 s`. */
export function formatDuration(durationMs: number): string {
  const length = Math.max(0, durationMs);
  const found = timeUnits.find(([, unitMs]) => length >= unitMs);
  const [unit, unitMs] = found ?? ["s", 1_000];
  return `${Math.floor(length / unitMs)} ${unit}`;
}

/** Compact JSON on one line; longer JSON is cut with an ellipsis. */
export function oneLineJson(value: JsonValue, maxCharacters: number): string {
  const characters = Array.from(JSON.stringify(value).slice(0, 2 * maxCharacters + 2));
  if (characters.length <= maxCharacters) return characters.join("");
  return `${characters.slice(0, Math.max(1, maxCharacters - 1)).join("")}…`;
}

const MAX_LINE = 76;
const MAX_ITEMS = 2;
const MAX_TEXT = 60;

/** JSON for a quick look: short parts on one line, long lists and texts cut with an ellipsis. */
export function shortJson(value: JsonValue, indent = ""): string {
  const inline = clip(value);
  if (indent.length + inline.length <= MAX_LINE && !isCut(value)) return inline;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => inner + shortJson(item, inner));
    const more = value.length - MAX_ITEMS;
    return wrap("[", [...items, ...(more > 0 ? [`${inner}… ${more} more`] : [])], `${indent}]`);
  }
  if (!isJsonObject(value)) return inline;
  const lines = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${shortJson(item, inner)}`,
  );
  return wrap("{", lines, `${indent}}`);
}

function wrap(open: string, lines: readonly string[], close: string): string {
  return [open, lines.join(",\n"), close].join("\n");
}

function isCut(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > MAX_ITEMS && value.some((item) => typeof item === "object");
}

function clip(value: JsonValue): string {
  if (typeof value === "string" && value.length > MAX_TEXT) {
    return `${JSON.stringify(value.slice(0, MAX_TEXT)).slice(0, -1)}…" (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(clip).join(", ")}]`;
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${clip(item)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** A word as typed in a shell: in single quotes if necessary. */
export function shellWord(text: string): string {
  const safe = printable(text);
  return /^[\w./:@%+,=-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`;
}

const MASK = "***";

/** A URL without its user name and password, for output; other texts are returned unchanged. */
export function maskCredentials(given: string): string {
  const scheme = /^\s*(?:https?:[\\/]*|[a-z][a-z0-9+.-]*:[\\/]{2,})/i.exec(given)?.[0];
  if (scheme === undefined) return given;
  const rest = given.slice(scheme.length);
  // In an invalid URL the password may end anywhere: a slash in it would end the host too early.
  const secret = URL.canParse(given) ? /^[^\\/?#]*@/ : /^.*@/s;
  return scheme + rest.replace(secret, `${MASK}@`);
}

/** Rows with their columns aligned; the last column is not padded. */
export function alignRows(rows: readonly (readonly string[])[], gap = 2): string[] {
  const safe = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of safe) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, lengthOf(cell))));
  }
  return safe.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - lengthOf(cell) + gap))
      .join("")
      .trimEnd(),
  );
}

function lengthOf(cell: string): number {
  return Array.from(cell).length;
}

// Characters that fill two columns of a terminal.
const WIDE =
  /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /\p{M}|\p{Cf}/u;

function widthOf(character: string): number {
  if (character.charCodeAt(0) < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Text in lines of at most this many columns: broken at spaces, in long words, and between wide characters. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  const endLine = (): void => {
    lines.push(line);
    [line, used] = ["", 0];
  };
  for (const word of printable(text.replaceAll(/\s+/gu, " ").trim()).split(" ")) {
    const characters = Array.from(word, (character) => [character, widthOf(character)] as const);
    // In scripts without spaces a line may end after any character.
    const together = WIDE.test(word) ? characters.slice(0, 1) : characters;
    const width = together.reduce((sum, [, own]) => sum + own, 0);
    if (used > 0 && used + 1 + width <= columns) {
      line += " ";
      used++;
    } else if (used > 0) endLine();
    for (const [character, own] of characters) {
      if (used + own > columns && used > 0) endLine();
      line += character;
      used += own;
    }
  }
  if (line !== "") endLine();
  return lines;
}
