// Habits of SQL, JSONPath, jq, Python and JavaScript, each as the text that means the same here.

import { parsePointer } from "../../../core/json/pointer.ts";
import { pathOf, writeKey } from "./example-question.ts";

const SQL =
  /^\s*select\s+(.+?)\s+from\s+([\w.]+)(?:\s+where\s+(.+?))?(?:\s+order\s+by\s+.+?)?(?:\s+limit\s+(\d+))?\s*;?\s*$/is;

function fromSql(text: string): string {
  const [, columns = "", table = "", condition, limit] = SQL.exec(text) ?? [];
  if (table === "") return text;
  const rows = `${table}${condition === undefined ? "" : `[?${condition}]`}`;
  if (/^count\s*\(/i.test(columns)) return `length(${rows})`;
  const some = limit === undefined ? rows : `${condition === undefined ? rows : `${rows} | `}[:${limit}]`;
  if (columns === "*") return some;
  const names = columns.split(",").map((name) => name.trim());
  const from = condition === undefined && limit === undefined ? `${some}[*]` : some;
  return names.length === 1 ? `${from}.${columns}` : `${from}.[${names.join(", ")}]`;
}

function fromLike(key: string, pattern: string): string {
  const inner = pattern.replaceAll(/^%|%$/g, "");
  if (pattern.startsWith("%") && pattern.endsWith("%")) return `contains(${key}, '${inner}')`;
  if (pattern.endsWith("%")) return `starts_with(${key}, '${inner}')`;
  return pattern.startsWith("%") ? `ends_with(${key}, '${inner}')` : `${key} == '${inner}'`;
}

export const otherLanguages: readonly ((text: string) => string)[] = [
  fromSql,
  (text) => (/^(?:\/[\w~-]+)+$/.test(text) ? pathOf(parsePointer(text)) : text),
  (text) => text.replaceAll(/(\w)''(?=\w)/g, "$1\\'"),
  (text) =>
    text.replaceAll(
      /([\w.]+)\s+(not\s+)?like\s+'([^']*)'/gi,
      (_, key: string, not: string | undefined, pattern: string) =>
        `${not === undefined ? "" : "!"}${fromLike(key, pattern)}`,
    ),
  (text) =>
    text.replaceAll(
      /([\w.]+)\s+(not\s+)?in\s+[[(]([^\])]*)[\])]/gi,
      (_, key: string, not: string | undefined, list: string) =>
        `${not === undefined ? "" : "!"}contains([${list.replaceAll('"', "'")}], ${key})`,
    ),
  (text) => text.replaceAll(/\s+is\s+not\s+null\b/gi, " != null").replaceAll(/\s+is\s+null\b/gi, " == null"),
  // orders[0]['id'] and {id, state}
  (text) =>
    text.replaceAll(
      /\[\s*(?:'([^'\\]+)'|"([^"\\]+)")\s*\]/g,
      (_, single?: string, double?: string) => `.${writeKey(single ?? double ?? "")}`,
    ),
  (text) =>
    text.replaceAll(
      /\{\s*(\w+(?:\s*,\s*\w+)*)\s*\}/g,
      (_, names: string) =>
        `{${names
          .split(",")
          .map((name) => `${name.trim()}: ${name.trim()}`)
          .join(", ")}}`,
    ),
  (text) => text.replaceAll(/\bfirst\(([^()]*)\)/g, "$1[0]").replaceAll(/\blast\(([^()]*)\)/g, "$1[-1]"),
  (text) => text.replaceAll(/\bsubstr(?:ing)?\(([^(),]+),\s*(\d+)(?:,\s*(\d+))?\)/g, "$1[$2:$3]"),
  // jq and JSONPath: .orders | length, $..id
  (text) => text.replace(/^\s*\.?(.+?)\s*\|\s*length\s*(?:\(\s*\))?\s*$/, "length($1)"),
  (text) => text.replace(/^\s*\$?\.\.(?=\w)/, "*[]."),
  (text) => text.replace(/^\s*\$?\.\.(?=\w)/, ""),
];
