import type { JsonObject } from "../../core/json/json-value.ts";

/** One problem that a schema finds; libraries add fields of their own. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface ConvertOptions {
  readonly target: "draft-2020-12";
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** A schema of any library: Zod, ArkType, Valibot through its adapter (standardschema.dev). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema?:
      | {
          readonly input: (options: ConvertOptions) => Record<string, unknown>;
          readonly output: (options: ConvertOptions) => Record<string, unknown>;
        }
      | undefined;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type InferOutput<Schema> =
  Schema extends StandardSchema<infer _Input, infer Output> ? Output : Record<string, unknown>;

/** The type of a value before the schema parses it: without defaults, before coercions. */
export type InferInput<Schema> = Schema extends StandardSchema<infer Input, infer _Output> ? Input : unknown;

type Side = "input" | "output";
/** By the schema, which is an object of its author's library. */
const converted = { input: new WeakMap<object, JsonObject>(), output: new WeakMap<object, JsonObject>() };

/** The JSON Schema of a schema, converted once; undefined if its library cannot convert it. */
export function jsonSchemaOf(schema: StandardSchema | undefined, side: Side): JsonObject | undefined {
  const known = schema && converted[side].get(schema);
  if (known !== undefined) return known;
  const convert = schema?.["~standard"].jsonSchema?.[side];
  if (schema === undefined || convert === undefined) return undefined;
  const json = toJsonSchema(convert, side);
  converted[side].set(schema, json);
  return json;
}

function toJsonSchema(convert: (options: ConvertOptions) => Record<string, unknown>, side: Side): JsonObject {
  if (side === "input") return toInputSchema(convert);
  const json = convert({ target: "draft-2020-12" }) as JsonObject;
  // An output schema becomes part of the envelope's schema, and only the root may name its JSON Schema dialect.
  const { $schema: _, ...data } = json;
  return data;
}

/**
 * The schema itself checks arguments, so a list may be less exact. A field that JSON Schema cannot express,
 * such as Zod's dates, is listed as anything; if the library cannot do that either, all fields are.
 */
function toInputSchema(convert: (options: ConvertOptions) => Record<string, unknown>): JsonObject {
  for (const libraryOptions of [undefined, { unrepresentable: "any" }]) {
    try {
      return convert({ target: "draft-2020-12", libraryOptions }) as JsonObject;
    } catch {
      continue;
    }
  }
  return { type: "object" };
}

/**
 * A schema that advertises `json` and accepts anything: the contract validates itself, so that failures are
 * envelopes.
 */
export function acceptingSchema(json: JsonObject): StandardSchema<unknown, unknown> {
  const give = (): Record<string, unknown> => ({ ...json });
  return {
    "~standard": {
      version: 1,
      vendor: "waybill",
      validate: (value) => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  };
}
