// What another server's tool schema describes. Some servers list a schema of their whole envelope; if Waybill reads
// their results, the list must promise the data alone.

import type { DialectChoice } from "../contract/dialect-id.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { isEnvelopeSchema } from "./envelope-schema.ts";
import { isAnnotation } from "./schema-keywords.ts";

/** The schema of the data in an envelope; `{ type: "object" }` if it is only known that the data is an object. */
export interface EnvelopeForm {
  readonly data: JsonObject;
  /** The schema says only that the value is an object, so it fits the envelope as well as the data in it. */
  readonly isOpen: boolean;
}

const anyObject: JsonObject = { type: "object" };
const scalpelKeys: ReadonlySet<string> = new Set(
  "tier tool_version tool_id request_id capabilities duration_ms error upgrade_hints data warnings meta".split(
    " ",
  ),
);
const scalpelSigns = ["tier", "tool_version", "tool_id", "upgrade_hints", "error"];

/** The names of properties in a schema and in its alternatives. */
function namesIn(schema: JsonObject): readonly string[] {
  const { properties, anyOf, oneOf } = schema;
  const alternatives = [anyOf, oneOf].flatMap((list): readonly JsonValue[] =>
    Array.isArray(list) ? list : [],
  );
  const own = isJsonObject(properties) ? Object.keys(properties) : [];
  return [...own, ...alternatives.filter(isJsonObject).flatMap(namesIn)];
}

/** Whether a schema describes a scalpel envelope. A schema of `data` alone does only if the server speaks scalpel. */
function isScalpelSchema(schema: JsonObject, isTold: boolean): boolean {
  const names = namesIn(schema);
  if (!names.includes("data") || !names.every((name) => scalpelKeys.has(name))) return false;
  return isTold || scalpelSigns.some((name) => names.includes(name));
}

function isOpenSchema(schema: JsonObject): boolean {
  return Object.entries(schema).every(([key, value]) => {
    if (key === "type") return value === "object";
    if (key === "properties") return isJsonObject(value) && Object.keys(value).length === 0;
    return isAnnotation(key) || (key === "additionalProperties" && value !== false);
  });
}

/** The data's own schema, if it is an object's, with the definitions of the root. */
function dataIn({ properties, $defs }: JsonObject): JsonObject {
  const data = isJsonObject(properties) ? properties["data"] : undefined;
  if (!isJsonObject(data) || data["type"] !== "object") return anyObject;
  return $defs === undefined ? data : { ...data, $defs };
}

/** The form that a server speaks, as far as it is known. */
export interface SpokenForm {
  readonly speaks: DialectChoice;
  readonly isScalpel: boolean;
}

const forms = new WeakMap<JsonObject, Map<string, { readonly form: EnvelopeForm | undefined }>>();
const v2Forms: readonly DialectChoice[] = ["auto", "response-v2", "response-v2-draft"];

function find(schema: JsonObject, { speaks, isScalpel }: SpokenForm): EnvelopeForm | undefined {
  if (isOpenSchema(schema)) return { data: schema, isOpen: true };
  if (v2Forms.includes(speaks) && isEnvelopeSchema(schema)) return { data: dataIn(schema), isOpen: false };
  const isRead = speaks === "auto" || speaks === "scalpel";
  return isRead && isScalpelSchema(schema, isScalpel) ? { data: anyObject, isOpen: false } : undefined;
}

/** The envelope that a schema describes, by its server's form; undefined if it describes the data itself. */
export function envelopeFormOf(schema: JsonObject, spoken: SpokenForm): EnvelopeForm | undefined {
  const key = `${spoken.speaks} ${spoken.isScalpel}`;
  const known = forms.get(schema) ?? new Map<string, { readonly form: EnvelopeForm | undefined }>();
  forms.set(schema, known);
  const found = known.get(key) ?? { form: find(schema, spoken) };
  known.set(key, found);
  return found.form;
}
