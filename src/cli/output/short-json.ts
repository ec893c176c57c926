import { type JsonValue, isJsonObject } from "../../json/json-value.ts";

const MAX_LINE = 76;
const MAX_ITEMS = 2;
const MAX_TEXT = 60;

/** JSON for a quick look: short parts on one line, long lists and texts cut where an ellipsis says so. */
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
