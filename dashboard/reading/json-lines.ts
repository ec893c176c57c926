import type { JsonNode } from "./read-json.ts";

/** What has only short scalars in it stands on one line, up to this many characters. */
const ONE_LINE_CHARS = 64;

function scalar(node: JsonNode): string | undefined {
  if (node.kind === "text") return JSON.stringify(node.value);
  return node.kind === "literal" ? node.source : undefined;
}

function oneLine(node: JsonNode): string | undefined {
  if (node.kind === "array") {
    const parts = node.items.map(scalar);
    const text = parts.length === 0 ? "[]" : `[${parts.join(", ")}]`;
    return parts.includes(undefined) || text.length > ONE_LINE_CHARS ? undefined : text;
  }
  return node.kind === "object" && node.entries.length === 0 ? "{}" : scalar(node);
}

function write(node: JsonNode, indent: string, before: string, after: string, lines: string[]): void {
  const line = oneLine(node);
  if (line !== undefined) {
    lines.push(`${indent}${before}${line}${after}`);
    return;
  }
  const inner = `${indent}  `;
  const [open, close] = node.kind === "object" ? "{}" : "[]";
  lines.push(`${indent}${before}${open}`);
  if (node.kind === "object")
    node.entries.forEach(({ key, value }, index) =>
      write(value, inner, `${JSON.stringify(key)}: `, index + 1 < node.entries.length ? "," : "", lines),
    );
  if (node.kind === "array")
    node.items.forEach((item, index) =>
      write(item, inner, "", index + 1 < node.items.length ? "," : "", lines),
    );
  lines.push(`${indent}${close}${after}`);
}

/** The tree as indented lines. */
export function jsonLines(node: JsonNode): string[] {
  const lines: string[] = [];
  write(node, "", "", "", lines);
  return lines;
}
