import { type JsonObject, isJsonObject, mapObject } from "../json/json-value.ts";
import { type Defs, hoistDefs, inPlace } from "./hoist-defs.ts";
import { type OnNote, createNamer, defOf, defRef, schemaExcess } from "./definitions.ts";
import { possibleTypes } from "./possible-types.ts";
import { type JsonType, isAnnotation, jsonTypes } from "./schema-keywords.ts";
import { withTables } from "./table-schema.ts";

export interface Branch {
  readonly schema: JsonObject;
  readonly types: ReadonlySet<JsonType>;
}

/** What is known of a tool's data, ready to be placed in an envelope. */
export interface Payload {
  /** Open(T): accepts what the tool returns, whole or with list items left out. */
  readonly schema: JsonObject;
  readonly defs: Defs;
  readonly types: ReadonlySet<JsonType>;
  /** The schema, or the members of the union it is when each is either always or never an object. */
  readonly branches: readonly Branch[];
  /** True where a further key may be refused by what the schema says of all other keys. */
  readonly restrictsKeys: boolean;
}

const anyType: ReadonlySet<JsonType> = new Set(jsonTypes);
const unknown: Payload = {
  schema: {},
  defs: {},
  types: anyType,
  branches: [{ schema: {}, types: anyType }],
  restrictsKeys: false,
};

/** True when the schema says no more than the type, so that any object will do. */
export function acceptsEveryObject({ schema, types }: Payload): boolean {
  return types.has("object") && Object.keys(schema).every((key) => key === "type" || isAnnotation(key));
}

export function isAlwaysObject({ types }: Payload): boolean {
  return types.has("object") && types.size === 1;
}

function refusesKeys(schema: JsonObject, defs: Defs): boolean {
  const entered = new Set<JsonObject>();
  const pending = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (entered.has(next)) continue;
    entered.add(next);
    for (const part of inPlace(next)) {
      if (part["additionalProperties"] !== undefined || part["patternProperties"] !== undefined) return true;
      const def = defs[defOf(part["$ref"]) ?? ""];
      if (def !== undefined) pending.push(def);
    }
  }
  return false;
}

/** What the schema says in words, for envelopes that do not show it whole. */
export function annotationsOf(payload: Payload): JsonObject {
  const { schema, branches } = payload;
  const isWhole = branches.some((branch) => branch.schema === schema) && !acceptsEveryObject(payload);
  return mapObject(schema, (value, key) => (isAnnotation(key) && !isWhole ? value : undefined));
}

/** Whether some of its values sit under `result`: neither objects nor null. */
export function isWrapped({ types }: Branch): boolean {
  return [...types].some((type) => type !== "object" && type !== "null");
}

/** Whether its values stand in two places, some whole and some under `result`. */
function isMixed(branch: Branch): boolean {
  return branch.types.has("object") && isWrapped(branch);
}

function splitUnion(schema: JsonObject, types: ReadonlySet<JsonType>, defs: Defs): readonly Branch[] {
  const { anyOf, ...rest } = schema;
  const whole = [{ schema, types }];
  if (!Array.isArray(anyOf) || !Object.keys(rest).every(isAnnotation)) return whole;
  const members = anyOf.filter(isJsonObject);
  const branches = members.map((member) => ({ schema: member, types: possibleTypes(member, defs) }));
  return branches.some(isMixed) ? whole : branches;
}

interface ReadOptions {
  readonly tables: boolean;
  readonly onNote: OnNote;
}

export function readPayload(toolSchema: JsonObject | undefined, { tables, onNote }: ReadOptions): Payload {
  if (toolSchema === undefined) return unknown;
  const excess = schemaExcess(toolSchema);
  const hoisted = excess === undefined ? hoistDefs(toolSchema, onNote) : undefined;
  if (hoisted === undefined) {
    onNote(`The tool's schema is ${excess ?? "too deep when its refs are followed"} and was opened.`);
    return unknown;
  }
  const { schema, defs } = tables ? withTables(hoisted) : hoisted;
  const types = possibleTypes(schema, defs);
  // A schema that nothing satisfies says nothing that helps.
  if (types.size === 0) return unknown;
  const branches = splitUnion(schema, types, defs);
  return { schema, defs, types, branches, restrictsKeys: refusesKeys(schema, defs) };
}

/** The same payload with its schema as one definition, for envelopes that show it more than once. */
export function shareSchema(payload: Payload): Payload {
  const { types, defs } = payload;
  const name = createNamer(Object.keys(defs))("data");
  const schema = { $ref: defRef(name) };
  return { ...payload, schema, branches: [{ schema, types }], defs: { ...defs, [name]: payload.schema } };
}
