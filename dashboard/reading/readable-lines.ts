// A tool result for people. On the wire its JSON is often inside a string of JSON, as one long line with every
// quote escaped; here each text block is unfolded under a heading, and what says the same twice is said once.

import { jsonLines } from "./json-lines.ts";
import { type JsonNode, type ReadJson, readJson } from "./read-json.ts";

export interface ReadableLine {
  readonly text: string;
  /** A heading that is not part of the result. */
  readonly isHeading: boolean;
}

const headingOf = (text: string): ReadableLine => ({ text, isHeading: true });
const plain = (text: string): ReadableLine => ({ text, isHeading: false });

function fieldOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
}

function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === "text" ? node.value : undefined;
}

/** Texts inside texts are unfolded this deep. */
const UNFOLD_LIMIT = 3;

/** A text that is an object or array of JSON is laid out; any other stays as it is. */
function unfold(text: string, depth = 0): string[] {
  const read = /^\s*[[{]/.test(text) ? readJson(text) : undefined;
  return read === undefined ? text.split("\n") : layOut(read.node, depth);
}

/** Inside JSON, only a text of several lines is unfolded: of itself, or as JSON. */
function layOut(node: JsonNode, depth = 0): string[] {
  return jsonLines(node, (text) => {
    const lines = depth < UNFOLD_LIMIT ? unfold(text, depth + 1) : [];
    return lines.length > 1 ? lines : undefined;
  });
}

function blockLines(block: JsonNode, heading: string): ReadableLine[] {
  const type = textOf(fieldOf(block, "type")) ?? "block";
  const text = type === "text" ? textOf(fieldOf(block, "text")) : undefined;
  if (text === undefined || block.kind !== "object")
    return [headingOf(`${heading} · ${type}`), ...layOut(block).map(plain)];
  const rest = block.entries.filter(({ key }) => key !== "type" && key !== "text");
  return [
    headingOf(`${heading} · text`),
    ...unfold(text).map(plain),
    ...rest.flatMap(({ key, value }) => fieldLines(`${heading} · ${key}`, value)),
  ];
}

function fieldLines(heading: string, value: JsonNode): ReadableLine[] {
  const lines = layOut(value);
  return lines.length === 1
    ? [headingOf(heading), plain(lines[0] ?? "")]
    : [headingOf(heading), ...lines.map(plain)];
}

const written = (lines: readonly ReadableLine[]): string =>
  lines.map(({ text, isHeading }) => (isHeading ? "" : text)).join("\n");

function resultLines(node: Extract<JsonNode, { readonly kind: "object" }>): ReadableLine[] {
  const blocks = fieldOf(node, "content");
  const parts =
    blocks?.kind === "array"
      ? blocks.items.map((block, index) => blockLines(block, `content ${index + 1}`))
      : [];
  const lines = parts.flat();
  for (const { key, value } of node.entries) {
    if (key === "content" && blocks?.kind === "array") continue;
    const field = fieldLines(key, value);
    const twin =
      key === "structuredContent" ? parts.findIndex((part) => written(part) === written(field)) : -1;
    if (twin === -1) lines.push(...field);
    else lines.push(headingOf(`${key} · the same as content ${twin + 1}`));
  }
  return lines;
}

function isToolResult(node: JsonNode): node is Extract<JsonNode, { readonly kind: "object" }> {
  return fieldOf(node, "content")?.kind === "array" || fieldOf(node, "structuredContent") !== undefined;
}

function withBreak(lines: ReadableLine[], read: ReadJson): ReadableLine[] {
  return read.isCut ? [...lines, headingOf("not kept further")] : lines;
}

/** The most lines that are shown of one text; a kept body of 256 KiB has a few thousand. */
const LINE_LIMIT = 20_000;

/** The text of a tool result, of other JSON, or of anything, as lines. */
export function readableLines(text: string): ReadableLine[] {
  const lines = linesOf(text);
  const left = lines.length - LINE_LIMIT;
  if (left <= 0) return lines;
  return [...lines.slice(0, LINE_LIMIT), headingOf(`${left.toLocaleString("en")} more lines are not shown`)];
}

function linesOf(text: string): ReadableLine[] {
  const read = readJson(text);
  if (read === undefined) return text.split("\n").map(plain);
  const { node } = read;
  if (isToolResult(node)) return withBreak(resultLines(node), read);
  if (node.kind === "text") return withBreak(unfold(node.value).map(plain), read);
  return withBreak(layOut(node).map(plain), read);
}
