// Says in tools/list what a tool's `structuredContent` looks like: the envelope around the tool's own data.
// Promises that every success, failure and cut of the given dialects conforms, and that the SDK clients of v1 and v2
// can list and call the tool. A tool with a result that would not meet the schema gets no schema.

import type { DialectChoice, DialectId } from "../contract/dialect-id.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import { propertiesOf, schemasIn } from "./json-schema.ts";
import { type OnNote, isAnnotation } from "./open-schema.ts";
import {
  type Payload,
  acceptsEveryObject,
  readPayload,
  shareSchema,
  annotationsOf,
  isAlwaysObject,
  isWrapped,
} from "./payload.ts";
import { SELECTED_KEY } from "../contract/wire-names.ts";

const envelopeKeys = ["success", "data", "error", "meta"];

/** Whether a schema describes a whole response-v2 envelope, not the data in one. */
export function isEnvelopeSchema(schema: JsonObject): boolean {
  const { properties, required } = propertiesOf(schema);
  const isComplete = required.size === envelopeKeys.length && envelopeKeys.every((key) => required.has(key));
  const hasType = (key: string, type: string): boolean =>
    isJsonObject(properties[key]) && properties[key]["type"] === type;
  // A tool's own data may have fields of these names; in an envelope they have these types.
  return isComplete && hasType("success", "boolean") && hasType("meta", "object");
}

interface AdvertiseOutputOptions {
  /** The dialects that a result of this tool may have. */
  readonly dialects: readonly DialectId[];
  /** Whether a result may be cut down to its stub. Default: true. */
  readonly stub?: boolean;
  /** Whether lists in the data may come as tables. */
  readonly tables?: boolean;
  /** Whether the answer to a question may replace the data. */
  readonly select?: boolean;
  /** The schema of the data in an envelope, if it differs from that of a plain result. */
  readonly inEnvelope?: JsonObject | undefined;
  readonly onNote?: OnNote;
}

function rootOf(
  payload: Payload,
  dialects: readonly DialectId[],
  forms: Omit<RootOptions, "isSaid">,
  inEnvelope: Payload = payload,
): JsonObject | undefined {
  const isSaid = saysData(dialects, payload, inEnvelope);
  const roots = dialects.map((dialect) =>
    dialectRoots[dialect](dialect === "plain" ? payload : inEnvelope, { ...forms, isSaid }),
  );
  if (roots.length === 0 || roots.some((found) => found === undefined)) return undefined;
  return joinRoots(roots.flatMap((found) => found ?? []));
}

/**
 * Whether the plain form describes the same data as an envelope beside it, which then has only a cut, a failure, an answer, or
 * a success with a warning. Each list would say it twice, for a reader that finds it in one place.
 */
function saysData(dialects: readonly DialectId[], payload: Payload, inEnvelope: Payload): boolean {
  return dialects.includes("plain") && payload.schema === inEnvelope.schema;
}

/** How often the payload's schema occurs in the root; every whole occurrence is the same object. */
function countUses(value: JsonValue, schema: JsonObject): number {
  if (value === schema) return 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, child) => sum + countUses(child, schema), 0);
}

function isRepeated(payload: Payload, root: JsonObject, dialects: readonly DialectId[]): boolean {
  if (payload.schema["$ref"] !== undefined || acceptsEveryObject(payload)) return false;
  const isSaidOnce = dialects.every((dialect) => dialect === "plain" || envelopeDialects.includes(dialect));
  if (dialects.includes("plain") && isSaidOnce) return countUses(root, payload.schema) > 1;
  return dialects.length > 1 || countUses(root, payload.schema) > 1;
}

/** The `outputSchema` of a tool whose data follows `toolSchema`; undefined if it must have none. */
export function advertiseOutput(
  toolSchema: JsonObject | undefined,
  options: AdvertiseOutputOptions,
): JsonObject | undefined {
  const { dialects, stub = true, tables = false, select = false, onNote = () => {} } = options;
  const distinct = [...new Set(dialects)];
  const payload = readPayload(toolSchema, { tables, onNote });
  const forms = { stub, select };
  const inEnvelope = options.inEnvelope && readPayload(options.inEnvelope, { tables, onNote });
  const root = rootOf(payload, distinct, forms, inEnvelope);
  if (root === undefined) return undefined;
  const shared = isRepeated(payload, root, distinct) ? shareSchema(payload) : payload;
  const { type, ...rest } = rootOf(shared, distinct, forms, inEnvelope ?? shared) ?? root;
  const $defs = Object.keys(shared.defs).length > 0 ? { $defs: shared.defs } : {};
  return { type: type ?? "object", ...rest, ...$defs };
}

const string = { type: "string" };
const object = { type: "object" };

// These are used beside `type: "object"`, so they need not repeat it. They say only what tells one form from another:
// every conversation pays for each word of a list, once for each tool.
const fault: JsonObject = { required: ["error_code", "error_type"] };
const stub: JsonObject = { required: ["omitted"] };
/** The answer to a question, which may be anything. */
const answer: JsonObject = { required: [SELECTED_KEY] };
const empty: JsonObject = { maxProperties: 0 };
const dataNotes: readonly JsonObject[] = [{ required: ["_meta"] }, { required: ["_warnings"] }];

const scalpelFailure: JsonObject = {
  properties: {
    error: {
      type: "object",
      properties: { error: string, error_code: string },
      required: ["error", "error_code"],
    },
  },
  required: ["error"],
};
const v1Failure: JsonObject = { properties: { error: string }, required: ["error"] };
const v1Wrapped: JsonObject = { properties: { result: { required: ["error"] } }, required: ["result"] };

interface RootOptions {
  readonly stub: boolean;
  readonly select: boolean;
  /** The plain form beside it describes the data. */
  readonly isSaid: boolean;
}

const envelopeDialects: readonly DialectId[] = ["response-v2", "response-v2-draft"];

/** The forms of a dialect's `structuredContent`, or undefined if some result would have none. */
type Roots = (payload: Payload, options: RootOptions) => readonly JsonObject[] | undefined;

function anyOf(members: readonly JsonObject[]): JsonObject {
  const distinct = new Map(members.map((member) => [JSON.stringify(member), member]));
  const [only, ...more] = distinct.values();
  return only !== undefined && more.length === 0 ? only : { anyOf: [...distinct.values()] };
}

/** The payload as `wrapData` writes it: objects stay, null is `{}`, anything else goes under `result`. */
function wrapped({ branches }: Payload): JsonObject[] {
  const under = branches.filter(isWrapped).map(({ schema }) => schema);
  return [
    ...branches.filter(({ types }) => types.has("object")).map(({ schema }) => schema),
    ...(under.length > 0 ? [{ properties: { result: anyOf(under) }, required: ["result"] }] : []),
    ...(branches.some(({ types }) => types.has("null")) ? [empty] : []),
  ];
}

function envelope(
  payload: Payload,
  others: readonly JsonObject[],
  { isSaid }: RootOptions,
): readonly JsonObject[] {
  const success = { type: "boolean" };
  if (isSaid) return [{ properties: { success, data: object }, required: envelopeKeys }];
  const about = annotationsOf(payload);
  const data = acceptsEveryObject(payload)
    ? { type: "object", ...about }
    : { type: "object", ...about, ...anyOf([...wrapped(payload), ...others]) };
  return [
    {
      properties: { success, data, error: { type: ["string", "null"] }, meta: object },
      required: envelopeKeys,
    },
  ];
}

/** What may replace the tool's own data. */
function instead({ stub: mayStub, select }: RootOptions): readonly JsonObject[] {
  return [...(mayStub ? [stub] : []), ...(select ? [answer] : [])];
}

const responseV2: Roots = (payload, options) => envelope(payload, [fault, ...instead(options)], options);

/** Metadata may be in `data`, where a schema for all other keys would refuse it. */
const responseV2Draft: Roots = (payload, options) => {
  const meetsNotes = payload.restrictsKeys || payload.types.has("null");
  return envelope(payload, [empty, ...(meetsNotes ? dataNotes : []), ...instead(options)], options);
};

/** The data of a failure is the author's own, so only a success is checked against the tool's schema. */
const scalpel: Roots = (payload, options) => {
  const isAny = acceptsEveryObject(payload) && payload.types.size > 1;
  const others = [...instead(options).map((form) => ({ type: "object", ...form })), { type: "null" }];
  const data = isAny ? payload.schema : anyOf([payload.schema, ...others]);
  return [{ properties: { data }, required: ["data"] }, scalpelFailure];
};

/** A payload that looks like a failure is sent under `result`. A further required key excludes that case. */
const responseV1: Roots = (payload, { select }) => {
  if (!isAlwaysObject(payload)) return undefined;
  const { required } = payload.schema;
  const isTold = Array.isArray(required) && required.some((key) => key !== "error");
  return [payload.schema, v1Failure, ...(isTold ? [] : [v1Wrapped]), ...(select ? [answer] : [])];
};

const dialectRoots: Readonly<Record<DialectId, Roots>> = {
  "response-v2": responseV2,
  "response-v2-draft": responseV2Draft,
  "response-v1": responseV1,
  scalpel,
  drf: () => undefined,
  plain: (payload, { select }) => {
    if (!isAlwaysObject(payload)) return undefined;
    return select && !acceptsEveryObject(payload) ? [payload.schema, answer] : [payload.schema];
  },
};

/** All forms under one root type, without which `listTools` of legacy clients fails. */
function joinRoots(roots: readonly JsonObject[]): JsonObject {
  const joined = anyOf(roots);
  // Ajv 6 ignores keywords beside a ref, and says so on the client's stderr.
  return joined["$ref"] === undefined ? { ...joined, type: "object" } : { type: "object", allOf: [joined] };
}

// The same schema for data that a setting changes.

const MAX_DEPTH = 100;

/** The schema without some keywords, at every depth. */
function relax(
  value: JsonValue,
  drops: (value: JsonValue, keyword: string) => boolean,
  depth = 0,
): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => relax(item, drops, depth + 1));
  if (!isJsonObject(value)) return value;
  return mapObject(value, (item, key) => (drops(item, key) ? undefined : relax(item, drops, depth + 1)));
}

/** The schema of data from which a configured filter may remove any field. */
export function withoutRequired(schema: JsonObject): JsonObject {
  // As a keyword `required` is a list; a property with that name is a schema.
  return relax(schema, (value, key) => key === "required" && Array.isArray(value)) as JsonObject;
}

/** The keywords that a mask in place of a secret would break: length and form, but not the type string. */
const textRules: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "contentEncoding",
  "contentMediaType",
]);

/** The schema of data in which any text may have been masked. */
export function withoutTextRules(schema: JsonObject): JsonObject {
  // As a keyword each is a number or a text; a property with that name is a schema.
  return relax(schema, (value, key) => textRules.has(key) && !isJsonObject(value)) as JsonObject;
}

// What another server's tool schema describes. Some servers list a schema of their whole envelope; if Waybill reads
// their results, the list must promise the data alone.

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
  const alternatives = [schema["anyOf"], schema["oneOf"]].flatMap(schemasIn);
  return [...Object.keys(propertiesOf(schema).properties), ...alternatives.flatMap(namesIn)];
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
function dataIn(schema: JsonObject): JsonObject {
  const { $defs } = schema;
  const { data } = propertiesOf(schema).properties;
  if (!isJsonObject(data) || data["type"] !== "object") return anyObject;
  return $defs === undefined ? data : { ...data, $defs };
}

/** The form that a server speaks, as far as it is known. */
export interface SpokenForm {
  readonly speaks: DialectChoice;
  readonly isScalpel: boolean;
}

const v2Forms: readonly DialectChoice[] = ["auto", "response-v2", "response-v2-draft"];

/** The envelope that a schema describes, by its server's form; undefined if it describes the data itself. */
export function envelopeFormOf(
  schema: JsonObject,
  { speaks, isScalpel }: SpokenForm,
): EnvelopeForm | undefined {
  if (isOpenSchema(schema)) return { data: schema, isOpen: true };
  if (v2Forms.includes(speaks) && isEnvelopeSchema(schema)) return { data: dataIn(schema), isOpen: false };
  const isRead = speaks === "auto" || speaks === "scalpel";
  return isRead && isScalpelSchema(schema, isScalpel) ? { data: anyObject, isOpen: false } : undefined;
}
