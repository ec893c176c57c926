import type { DialectId } from "../contract/dialect-id.ts";
import { SELECTED_KEY } from "../contract/wire-names.ts";
import type { JsonObject } from "../json/json-value.ts";
import { type Payload, acceptsEveryObject, annotationsOf, isAlwaysObject, isWrapped } from "./payload.ts";

const string = { type: "string" };
const object = { type: "object" };

// These stand beside `type: "object"`, so that they need not repeat it. They say only what tells one form from another:
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
}

/** The forms of a dialect's `structuredContent`, or undefined when some result would carry none. */
type Roots = (payload: Payload, options: RootOptions) => readonly JsonObject[] | undefined;

function anyOf(members: readonly JsonObject[]): JsonObject {
  const distinct = new Map(members.map((member) => [JSON.stringify(member), member]));
  const [only, ...more] = distinct.values();
  return only !== undefined && more.length === 0 ? only : { anyOf: [...distinct.values()] };
}

/** The payload as `wrapData` writes it: objects stay, null is `{}`, anything else sits under `result`. */
function wrapped({ branches }: Payload): JsonObject[] {
  const under = branches.filter(isWrapped).map(({ schema }) => schema);
  return [
    ...branches.filter(({ types }) => types.has("object")).map(({ schema }) => schema),
    ...(under.length > 0 ? [{ properties: { result: anyOf(under) }, required: ["result"] }] : []),
    ...(branches.some(({ types }) => types.has("null")) ? [empty] : []),
  ];
}

function envelope(payload: Payload, others: readonly JsonObject[]): readonly JsonObject[] {
  const about = annotationsOf(payload);
  const data = acceptsEveryObject(payload)
    ? { type: "object", ...about }
    : { type: "object", ...about, ...anyOf([...wrapped(payload), ...others]) };
  return [
    {
      properties: { success: { type: "boolean" }, data, error: { type: ["string", "null"] }, meta: object },
      required: ["success", "data", "error", "meta"],
    },
  ];
}

/** What may stand in the place of the tool's own data. */
function instead({ stub: mayStub, select }: RootOptions): readonly JsonObject[] {
  return [...(mayStub ? [stub] : []), ...(select ? [answer] : [])];
}

const responseV2: Roots = (payload, options) => envelope(payload, [fault, ...instead(options)]);

/** Metadata may be in `data`, where a schema for all other keys would refuse it. */
const responseV2Draft: Roots = (payload, options) => {
  const meetsNotes = payload.restrictsKeys || payload.types.has("null");
  return envelope(payload, [empty, ...(meetsNotes ? dataNotes : []), ...instead(options)]);
};

/** The data of a failure is the author's own, so only a success is held against the tool's schema. */
const scalpel: Roots = (payload, options) => {
  const isAny = acceptsEveryObject(payload) && payload.types.size > 1;
  const others = [...instead(options).map((form) => ({ type: "object", ...form })), { type: "null" }];
  const data = isAny ? payload.schema : anyOf([payload.schema, ...others]);
  return [{ properties: { data }, required: ["data"] }, scalpelFailure];
};

/** A payload that looks like a failure is sent under `result`, which a further required key rules out. */
const responseV1: Roots = (payload, { select }) => {
  if (!isAlwaysObject(payload)) return undefined;
  const { required } = payload.schema;
  const isTold = Array.isArray(required) && required.some((key) => key !== "error");
  return [payload.schema, v1Failure, ...(isTold ? [] : [v1Wrapped]), ...(select ? [answer] : [])];
};

export const dialectRoots: Readonly<Record<DialectId, Roots>> = {
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

/** All the forms under one root type, without which `listTools` of legacy clients fails. */
export function joinRoots(roots: readonly JsonObject[]): JsonObject {
  const joined = anyOf(roots);
  // Ajv 6 ignores what stands beside a ref, and says so on the client's stderr.
  return joined["$ref"] === undefined ? { ...joined, type: "object" } : { type: "object", allOf: [joined] };
}
