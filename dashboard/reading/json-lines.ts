import type { JsonNode } from "./read-json.ts";

/** What has only short scalars in it is on one line, up to this many characters. */
const ONE_LINE_CHARS = 64;

function scalar(node: JsonNode): string | undefined {
  if (node.kind === "text") return JSON.stringify(node.value);
  return node.kind === "literal" ? node.source : undefined;
}

function oneLine(node: JsonNode): string | undefined {
  if (node.kind === "array") {
    const parts = node.items.map(scalar);
    const text = `[${parts.join(", ")}]`;
    return parts.includes(undefined) || text.length > ONE_LINE_CHARS ? undefined : text;
  }
  return node.kind === "object" && node.entries.length === 0 ? "{}" : scalar(node);
}

/** Lines for a text that is better read unfolded; undefined for any other. */
export type Unfold = (text: string) => readonly string[] | undefined;

const never: Unfold = () => undefined;

function write(
  node: JsonNode,
  indent: string,
  [before, after]: readonly [string, string],
  lines: string[],
  unfold: Unfold,
): void {
  const unfolded = node.kind === "text" ? unfold(node.value) : undefined;
  if (unfolded !== undefined) {
    lines.push(`${indent}${before}"""`);
    for (const line of unfolded) lines.push(`${indent}  ${line}`);
    lines.push(`${indent}"""${after}`);
    return;
  }
  const line = oneLine(node);
  if (line !== undefined) {
    lines.push(`${indent}${before}${line}${after}`);
    return;
  }
  const inner = `${indent}  `;
  const [open, close] = node.kind === "object" ? "{}" : "[]";
  lines.push(`${indent}${before}${open}`);
  const parts: readonly (readonly [string, JsonNode])[] =
    node.kind === "object"
      ? node.entries.map(({ key, value }) => [`${JSON.stringify(key)}: `, value])
      : node.kind === "array"
        ? node.items.map((item) => ["", item])
        : [];
  parts.forEach(([name, value], at) =>
    write(value, inner, [name, at + 1 < parts.length ? "," : ""], lines, unfold),
  );
  lines.push(`${indent}${close}${after}`);
}

/** The tree as indented lines. Texts that `unfold` takes are between triple quotes, as they read. */
export function jsonLines(node: JsonNode, unfold: Unfold = never): string[] {
  const lines: string[] = [];
  write(node, "", ["", ""], lines, unfold);
  return lines;
}
