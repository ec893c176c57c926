import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";

/** One field of a schema, as a row of a table. */
export interface SchemaRow {
  /** Where it stands, such as `orders[].id`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const MAX_DEPTH = 4;
const MAX_ROWS = 200;
const MAX_CHOICES = 12;

/** The fields of a schema in their order, those inside of fields behind them: the first 200, down to a depth of 4. */
export function schemaRows(root: JsonObject): readonly SchemaRow[] {
  const rows: SchemaRow[] = [];
  const visit = (given: JsonValue | undefined, path: string, depth: number): void => {
    const schema = resolve(given, root);
    if (schema === undefined || depth > MAX_DEPTH) return;
    if (schema["items"] !== undefined) visit(schema["items"], `${path}[]`, depth);
    const { properties } = schema;
    if (!isJsonObject(properties)) return;
    const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly JsonValue[]) : [];
    for (const [key, value] of Object.entries(properties)) {
      if (rows.length >= MAX_ROWS) return;
      const own = resolve(value, root) ?? {};
      const place = path === "" ? key : `${path}.${key}`;
      rows.push({
        path: place,
        type: typeOf(own, root),
        isRequired: required.includes(key),
        description: describe(own),
      });
      visit(own, place, depth + 1);
    }
  };
  visit(root, "", 0);
  for (const branch of branchesOf(root)) visit(branch, "", 0);
  return rows;
}

function branchesOf({ anyOf, oneOf, allOf }: JsonObject): readonly JsonValue[] {
  return [anyOf, oneOf, allOf].flatMap((list): readonly JsonValue[] => (Array.isArray(list) ? list : []));
}

/** A schema behind a reference into the same document, with the words that stand beside the reference. */
function resolve(schema: JsonValue | undefined, root: JsonObject): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { $ref, ...beside } = schema;
  const [, group, name] =
    typeof $ref === "string" ? (/^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? []) : [];
  const defs = group === undefined ? undefined : root[group];
  const found = isJsonObject(defs) && name !== undefined ? defs[name] : undefined;
  return isJsonObject(found) ? { ...found, ...beside } : schema;
}

/** The type in a few words: `"a" or "b"`, `list of string`, `integer from 1 to 100`. */
function typeOf(schema: JsonObject, root: JsonObject): string {
  const { type, enum: choices, items, format } = schema;
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (Array.isArray(choices)) {
    const shown = (choices as readonly JsonValue[])
      .slice(0, MAX_CHOICES)
      .map((choice) => JSON.stringify(choice));
    return shown.join(" or ") + (choices.length > MAX_CHOICES ? " or …" : "");
  }
  const branches = branchesOf(schema).map((branch) => resolve(branch, root) ?? {});
  if (type === undefined && branches.length > 0)
    return [...new Set(branches.map((branch) => typeOf(branch, root)))].join(" or ");
  if (type === "array") return `list of ${typeOf(resolve(items, root) ?? {}, root)}`;
  const name = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "any";
  return [name, typeof format === "string" ? `(${format})` : "", rangeOf(schema)].filter(Boolean).join(" ");
}

const TOP = Number.MAX_SAFE_INTEGER;

/** Bounds that say something; a schema library may write the largest safe number where its author wrote none. */
function rangeOf({ minimum, maximum }: JsonObject): string {
  const least = typeof minimum === "number" && minimum > -TOP ? minimum : undefined;
  const most = typeof maximum === "number" && maximum < TOP ? maximum : undefined;
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`;
  if (least !== undefined) return `of at least ${least}`;
  return most === undefined ? "" : `of at most ${most}`;
}

function describe({ description, default: standard }: JsonObject): string {
  const said = typeof description === "string" ? description.trim() : "";
  const usual = standard === undefined ? "" : `Default: ${JSON.stringify(standard)}.`;
  return [said, usual].filter(Boolean).join(" ");
}
