import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { validateInput } from "./called-tool.ts";

const leafKinds = ["text", "word", "number", "integer", "boolean", "either", "nullable"] as const;
type LeafKind = (typeof leafKinds)[number];

/** A schema as a tree, so that a test can say of each place whether it takes text. */
type Shape =
  | { readonly kind: LeafKind }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "object"; readonly fields: readonly Field[] };

interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  readonly shape: Shape;
}

const { object: objectShape } = fc.letrec<{ shape: Shape; object: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constantFrom(...leafKinds) }),
    fc.record({ kind: fc.constant("list" as const), of: tie("shape") }),
    tie("object"),
  ),
  object: fc.record({
    kind: fc.constant("object" as const),
    fields: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom("a", "b", "ids", "limit", "from"),
        isOptional: fc.boolean(),
        shape: tie("shape"),
      }),
      { maxLength: 4, selector: ({ name }) => name },
    ),
  }),
}));

const leafSchemas: Readonly<Record<LeafKind, z.ZodType>> = {
  text: z.string().max(4),
  word: z.enum(["1", "true", "[]"]),
  number: z.number(),
  integer: z.int(),
  boolean: z.boolean(),
  either: z.union([z.string().max(2), z.number()]),
  nullable: z.number().nullable(),
};

function schemaOf(shape: Shape): z.ZodType {
  if (shape.kind === "list") return z.array(schemaOf(shape.of));
  if (shape.kind !== "object") return leafSchemas[shape.kind];
  const fields = shape.fields.map(({ name, isOptional, shape: inner }) => {
    const schema = schemaOf(inner);
    return [name, isOptional ? schema.optional() : schema] as const;
  });
  return z.object(Object.fromEntries(fields));
}

const numbers = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((n) => n || 0);

const leafValues: Readonly<Record<LeafKind, fc.Arbitrary<JsonValue>>> = {
  text: fc.constantFrom("", "5", "true", "[1]", "null", "{}"),
  word: fc.constantFrom("1", "true", "[]"),
  number: numbers,
  integer: fc.integer(),
  boolean: fc.boolean(),
  either: fc.oneof(fc.constantFrom("5", "x"), fc.integer()),
  nullable: fc.oneof(fc.constant(null), fc.integer()),
};

/** Values that the schema accepts. */
function validFor(shape: Shape): fc.Arbitrary<JsonValue> {
  if (shape.kind === "list") return fc.array(validFor(shape.of), { maxLength: 3 });
  if (shape.kind !== "object") return leafValues[shape.kind];
  const fields = shape.fields.map(({ name, isOptional, shape: inner }) => {
    const values = validFor(inner);
    const given = isOptional ? fc.option(values, { nil: undefined }) : values;
    return given.map((value) => (value === undefined ? [] : [[name, value] as const]));
  });
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()));
}

/** Values as a careless model may send them, whatever the schema. */
const careless: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom("5", "12345", "true", "FALSE", "null", "[1]", '["a"]', '{"a":"5"}', "{", "", "1e3", "x"),
  fc.constantFrom(null, 5, true, [], {}),
  fc.array(fc.constantFrom("5", null, "true", 1)),
);

/** Each value as it is, or as text, or careless. */
function spoilt(value: JsonValue): fc.Arbitrary<JsonValue> {
  const inside: fc.Arbitrary<JsonValue> = Array.isArray(value)
    ? fc.tuple(...(value as readonly JsonValue[]).map(spoilt))
    : isJsonObject(value)
      ? fc
          .tuple(...Object.entries(value).map(([key, item]) => spoilt(item).map((changed) => [key, changed])))
          .map((entries) => Object.fromEntries(entries) as JsonObject)
      : fc.constant(value);
  return fc.oneof(
    { arbitrary: inside, weight: 6 },
    { arbitrary: inside.map((item) => JSON.stringify(item)), weight: 2 },
    { arbitrary: careless, weight: 1 },
  );
}

/** Every text where the schema takes text is the same after as before; texts that are lists and objects in JSON are opened. */
function keepsTexts(shape: Shape, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const takesText = shape.kind === "text" || shape.kind === "word" || shape.kind === "either";
  if (takesText) return typeof before === "string" ? after === before : true;
  const opened =
    typeof before === "string" && typeof after === "object" ? (JSON.parse(before) as JsonValue) : before;
  if (shape.kind === "list" && Array.isArray(opened) && Array.isArray(after))
    return (
      opened.length === after.length && opened.every((item, at) => keepsTexts(shape.of, item, after[at]))
    );
  if (shape.kind === "object" && isJsonObject(opened) && isJsonObject(after))
    return shape.fields.every(({ name, shape: inner }) =>
      keepsTexts(
        inner,
        Object.hasOwn(opened, name) ? opened[name] : undefined,
        Object.hasOwn(after, name) ? after[name] : undefined,
      ),
    );
  return true;
}

async function validated(args: JsonObject, schema: z.ZodType) {
  const warnings: WarningDetail[] = [];
  try {
    const value = await validateInput(args, schema, undefined, (warning) => warnings.push(warning));
    return { value: value as JsonValue, warnings };
  } catch (error) {
    return { refusal: error as Error, warnings };
  }
}

function refusalOf(args: JsonObject, schema: z.ZodType): string | undefined {
  try {
    validateInput(args, schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const calls = objectShape.chain((shape) =>
  validFor(shape).chain((valid) =>
    spoilt(valid).map((sent) => ({ shape, valid, sent: isJsonObject(sent) ? sent : {} })),
  ),
);

describe("argument repair", () => {
  it("changes nothing that the schema accepts, and never a text where the schema takes text", async () => {
    await fc.assert(
      fc.asyncProperty(calls, async ({ shape, sent }) => {
        const schema = schemaOf(shape);
        const before = structuredClone(sent);
        const { value, refusal, warnings } = await validated(sent, schema);
        expect(sent).toEqual(before);
        const plain = schema.safeParse(sent);
        // Accepted as it is, refused as without repair, or repaired.
        const [seen, wanted] = plain.success
          ? [
              { value, warnings },
              { value: plain.data, warnings: [] },
            ]
          : refusal !== undefined
            ? [
                { refusal: refusal.message, warnings },
                { refusal: refusalOf(sent, schema), warnings: [] },
              ]
            : [
                {
                  codes: warnings.map(({ code, severity }) => `${code} ${severity}`),
                  isAccepted: schema.safeParse(value).success,
                  keepsTexts: keepsTexts(shape, sent, value),
                },
                { codes: ["ARGUMENT_REPAIRED info"], isAccepted: true, keepsTexts: true },
              ];
        expect(seen).toEqual(wanted);
      }),
      lawRuns(2_000),
    );
  });

  it("gives back what was meant, where a list, a number or a switch was sent as text", async () => {
    const asText = (shape: Shape, value: JsonValue): JsonValue => {
      if (shape.kind === "list") {
        const items = (value as readonly JsonValue[]).map((item) => asText(shape.of, item));
        return JSON.stringify(items);
      }
      if (shape.kind === "object") {
        const given = value as JsonObject;
        return Object.fromEntries(
          shape.fields.flatMap(({ name, isOptional, shape: inner }) => {
            const item = Object.hasOwn(given, name) ? given[name] : undefined;
            if (item !== undefined) return [[name, asText(inner, item)]];
            return isOptional && inner.kind !== "nullable" ? [[name, null]] : [];
          }),
        );
      }
      const isOther = shape.kind === "number" || shape.kind === "integer" || shape.kind === "boolean";
      return isOther ? JSON.stringify(value) : value;
    };
    // A text in a list in a list in a list is one round more than is tried.
    const depthOf = (shape: Shape): number =>
      shape.kind === "list"
        ? 1 + depthOf(shape.of)
        : shape.kind === "object"
          ? Math.max(0, ...shape.fields.map((field) => depthOf(field.shape)))
          : 1;
    const meant = objectShape
      .filter((shape) => depthOf(shape) <= 4)
      .chain((shape) => validFor(shape).map((valid) => ({ shape, valid })));
    await fc.assert(
      fc.asyncProperty(meant, async ({ shape, valid }) => {
        const sent = asText(shape, valid) as JsonObject;
        const { value } = await validated(sent, schemaOf(shape));
        expect(value).toEqual(valid);
      }),
      lawRuns(1_000),
    );
  });
});
