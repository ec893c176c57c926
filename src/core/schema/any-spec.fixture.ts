import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

interface Instance {
  readonly value: JsonValue;
  /** The value after a cut: list items gone, free strings shortened, atoms and tuples whole. */
  readonly cut: JsonValue;
}

interface Spec {
  readonly schema: JsonObject;
  readonly defs: JsonObject;
  readonly instance: fc.Arbitrary<Instance>;
}

const whole = (value: JsonValue): Instance => ({ value, cut: value });
const leaf = (schema: JsonObject, values: fc.Arbitrary<JsonValue>): Spec => ({
  schema,
  defs: {},
  instance: values.map(whole),
});

const freeText: Spec = {
  schema: { type: "string", maxLength: 20 },
  defs: {},
  instance: fc
    .tuple(fc.string({ maxLength: 20 }), fc.nat(20))
    .map(([value, length]) => ({ value, cut: value.slice(0, length) })),
};

const leaves: readonly Spec[] = [
  freeText,
  leaf({ type: "integer", minimum: 0 }, fc.nat()),
  leaf({ type: ["boolean", "null"] }, fc.constantFrom(true, false, null)),
  leaf({ enum: ["a", "bb", 3, null] }, fc.constantFrom("a", "bb", 3, null)),
  leaf({ type: "string", pattern: "^x+$" }, fc.stringMatching(/^x+$/)),
  leaf({ type: "string", nullable: true, minLength: 2 }, fc.string({ minLength: 2 })),
  {
    schema: { const: [1, [2], "abc"] },
    defs: {},
    instance: fc.constant({ value: [1, [2], "abc"], cut: [1, []] }),
  },
  {
    schema: { enum: [[1], { a: [2] }] },
    defs: {},
    instance: fc.constant({ value: { a: [2] }, cut: { a: [] } }),
  },
];

const flags = fc.subarray(["minItems", "uniqueItems", "contains", "not", "unevaluatedItems"]);

/** A list with bounds that a cut breaks. */
const listOf = (item: Spec): fc.Arbitrary<Spec> =>
  flags.map((on) => ({
    schema: {
      type: "array",
      items: item.schema,
      ...(on.includes("minItems") ? { minItems: 2 } : {}),
      ...(on.includes("uniqueItems") ? { uniqueItems: true } : {}),
      ...(on.includes("contains") ? { contains: item.schema, minContains: 1 } : {}),
      ...(on.includes("not") ? { not: { maxItems: 0 } } : {}),
      ...(on.includes("unevaluatedItems") ? { unevaluatedItems: false } : {}),
    },
    defs: item.defs,
    instance: fc
      .array(item.instance, { maxLength: 4 })
      .chain((items) =>
        fc
          .subarray(items)
          .map((kept) => ({ value: items.map(({ value }) => value), cut: kept.map(({ cut }) => cut) })),
      ),
  }));

const tupleOf = (items: readonly Spec[]): Spec => ({
  schema: {
    type: "array",
    prefixItems: items.map(({ schema }) => schema),
    minItems: items.length,
  },
  defs: Object.assign({}, ...items.map(({ defs }) => defs)) as JsonObject,
  instance: fc
    .tuple(...items.map(({ instance }) => instance))
    .map((found) => whole(found.map(({ value }) => value))),
});

const closings: readonly JsonObject[] = [
  {},
  { additionalProperties: false },
  { unevaluatedProperties: false },
  { propertyNames: { enum: ["a", "b", "c"] } },
  { additionalProperties: { type: "null" }, minProperties: 1 },
  { if: { properties: { a: { minItems: 1 } } }, else: { properties: { b: false } } },
];

function objectOf(fields: Readonly<Record<string, Spec>>, closing: JsonObject): Spec {
  const keys = Object.keys(fields);
  const pick = (side: keyof Instance, found: Readonly<Record<string, Instance>>): JsonObject =>
    Object.fromEntries(Object.entries(found).map(([key, instance]) => [key, instance[side]]));
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key, fields[key]?.schema ?? {}])),
      required: keys.slice(0, 1),
      ...closing,
    },
    defs: Object.assign({}, ...Object.values(fields).map(({ defs }) => defs)) as JsonObject,
    instance: fc
      .record(Object.fromEntries(keys.map((key) => [key, fields[key]?.instance ?? fc.constant(whole(null))])))
      .map((found) => ({ value: pick("value", found), cut: pick("cut", found) })),
  };
}

const unionOf = (left: Spec, right: Spec, keyword: string): Spec => ({
  schema: { [keyword]: [left.schema, right.schema] },
  defs: { ...left.defs, ...right.defs },
  instance: fc.oneof(left.instance, right.instance),
});

const referTo = (spec: Spec, name: string): Spec => ({
  schema: { $ref: `#/$defs/${name}` },
  defs: { ...spec.defs, [name]: spec.schema },
  instance: spec.instance,
});

/** A schema with instances of it. */
export const { spec: anySpec } = fc.letrec<{ spec: Spec }>((tie) => ({
  spec: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(...leaves),
    tie("spec").chain(listOf),
    fc.array(tie("spec"), { minLength: 1, maxLength: 2 }).map(tupleOf),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("spec"), { maxKeys: 3 }),
        fc.constantFrom(...closings),
      )
      .map(([fields, closing]) => objectOf(fields, closing)),
    fc
      .tuple(tie("spec"), tie("spec"), fc.constantFrom("anyOf", "oneOf"))
      .map(([left, right, keyword]) => unionOf(left, right, keyword)),
    fc.tuple(tie("spec"), fc.uuid()).map(([spec, name]) => referTo(spec, name)),
  ),
}));

export const clientOptions = { strict: false, validateSchema: false, logger: false } as const;
export const judges = [new Ajv2020(clientOptions), new Ajv(clientOptions)];

export function accepts(ajv: Ajv | Ajv2020, schema: JsonObject, value: JsonValue): boolean {
  const isValid = ajv.compile(schema)(value);
  ajv.removeSchema(schema);
  return isValid;
}
