import type { JsonObject } from "../../core/json/json-value.ts";

/** One thing a schema finds wrong; libraries add fields of their own. */
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

/** Any schema library's schema: Zod, ArkType, Valibot through its adapter (standardschema.dev). */
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

/** What a value is before the schema has it: without defaults, before coercions. */
export type InferInput<Schema> = Schema extends StandardSchema<infer Input, infer _Output> ? Input : unknown;

type Side = "input" | "output";
const converted = { input: new WeakMap<object, JsonObject>(), output: new WeakMap<object, JsonObject>() };

/** The JSON Schema a schema advertises, converted once; undefined when its library cannot say. */
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
  // An output schema moves into the envelope's, where only the root may name its JSON Schema dialect.
  const { $schema: _, ...data } = json;
  return data;
}

/**
 * Arguments are checked by the schema itself, so a list may say less of them: a field that JSON Schema has no words for,
 * such as Zod's dates, may be anything there, and where the library cannot say that either, all fields may.
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

/** A schema that advertises `json` and takes anything: the contract validates itself, so that failures are envelopes. */
export function openSchema(json: JsonObject): StandardSchema<unknown, unknown> {
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
