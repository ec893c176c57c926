import { sha256 } from "../../core/text/sha256.ts";
import type { Page } from "./document.ts";
import { foundryText } from "./foundry-text.ts";

/** Replaces halves of surrogate pairs, which UTF-8 cannot carry, by U+FFFD. */
export function wellFormed(text: string): string {
  // Every runtime has it since 2023; TypeScript's es2023 library does not have it yet.
  return (text as unknown as { toWellFormed(): string }).toWellFormed();
}

export interface CanonicalOptions {
  /** The form of the seed's system, to check hashes and locators made there; it loses text between < and >. */
  readonly compat?: "foundry" | undefined;
}

const SPACE = "\\t \\u001c-\\u001f\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
const otherLineEnd = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const spaceRun = new RegExp(`[${SPACE}]{2,}|[${SPACE.replace(" ", "")}]`, "g");
// After the two patterns above: a line end with white space around it. At most one space precedes it, so this
// is linear.
const lineBreak = / ?\n[ \n]*/g;
const untidyLine = / \n|\n |\n\n\n/;

/** The separator between two pages. */
const PAGE_JOINT = "\n\n";

/**
 * The canonical form of a text, to which offsets and hashes refer: NFC, runs of spaces as one, lines ended by
 * \n without white space around them, at most one blank line, trimmed. It loses no letter, and applying it
 * again changes nothing.
 */
export function canonicalText(text: string, { compat }: CanonicalOptions = {}): string {
  if (compat === "foundry") return foundryText(text);
  const spaced = wellFormed(text).normalize("NFC").replaceAll(otherLineEnd, "\n").replaceAll(spaceRun, " ");
  const lines = untidyLine.test(spaced)
    ? spaced.replaceAll(lineBreak, (gap) => (gap.indexOf("\n") === gap.lastIndexOf("\n") ? "\n" : PAGE_JOINT))
    : spaced;
  return trimEdges(lines);
}

/** A byte order mark is not text, even after leading white space. */
function trimEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text.charCodeAt(start))) start++;
  while (end > start && isEdge(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isEdge(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0xfeff;
}

/** The canonical text of a paged document, each page separately, and the position of each page in it. */
export function canonicalPages(
  pages: readonly string[],
  options: CanonicalOptions = {},
): { readonly text: string; readonly pages: readonly Page[] } {
  const parts: string[] = [];
  const places: Page[] = [];
  let length = 0;
  for (const [index, page] of pages.entries()) {
    const part = canonicalText(page, options);
    // An empty page adds no separator: two separators would make a second blank line, which a canonical text
    // does not have.
    const isJoined = parts.length > 0 && (part !== "" || options.compat === "foundry");
    const start = length + (isJoined ? PAGE_JOINT.length : 0);
    if (isJoined || part !== "" || options.compat === "foundry") parts.push(part);
    places.push({ number: index + 1, start, end: start + part.length });
    length = start + part.length;
  }
  return { text: parts.join(PAGE_JOINT), pages: places };
}

const QUERY_HASH_LENGTH = 8;

/** `sha256:` and the hash of a text in UTF-8, as in archives and payloads. */
export async function hashText(text: string): Promise<string> {
  return `sha256:${await sha256(new TextEncoder().encode(text))}`;
}

/** The first eight digits of a query's hash; without a query, of the empty text's hash. */
export async function hashQuery(query = ""): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(query));
  return hash.slice(0, QUERY_HASH_LENGTH);
}
