// Fields of an input schema that no JSON can satisfy: the list shows them as "anything", and every call is refused.
// Zod's schemas say what they are made of; those of other libraries are not looked into.

import type { StandardSchema } from "../../engine/settings/standard-schema.ts";
import { appendPointer } from "../../core/json/pointer.ts";
import type { ImpossibleInput } from "../../core/rules/author/author-rules.ts";

/** What is read of a schema of Zod 4, of its mini form too. */
interface ZodDef {
  readonly type?: unknown;
  /** z.coerce makes the value of what was sent. */
  readonly coerce?: unknown;
  readonly shape?: Readonly<Record<string, unknown>> | undefined;
  readonly element?: unknown;
  readonly items?: readonly unknown[] | undefined;
  readonly valueType?: unknown;
  readonly innerType?: unknown;
  readonly options?: readonly unknown[] | undefined;
  readonly left?: unknown;
  readonly right?: unknown;
  readonly in?: unknown;
}

const MAX_DEPTH = 32;
/** Schemas that share parts may be far larger than their source; what comes after this many is not looked at. */
const MAX_VISITS = 10_000;

const instead: ReadonlyMap<unknown, string> = new Map([
  ["date", "Take a text and make the date of it: z.iso.datetime().transform((text) => new Date(text))"],
  ["bigint", "Take the digits as a text: z.string().regex(/^-?\\d+$/).transform(BigInt)"],
  ["map", "Take an object: z.record(z.string(), …).transform((object) => new Map(Object.entries(object)))"],
  ["set", "Take a list: z.array(…).transform((items) => new Set(items))"],
  ["file", "Take its path, its URL or its bytes in base64, as a text"],
  ["symbol", "Take a text"],
  ["function", "Take the name of what is to be done, as a text"],
  ["nan", "Take a number, and let it be null where there is no number: z.number().nullable()"],
]);

function defOf(schema: unknown): ZodDef | undefined {
  const { _zod: inner } = Object(schema) as { _zod?: { def?: unknown } };
  return typeof inner?.def === "object" && inner.def !== null ? inner.def : undefined;
}

/** The impossible fields of a tool's arguments, each with its place in the definition. */
export function impossibleInputs(input: StandardSchema | undefined): readonly ImpossibleInput[] {
  return findIn(input, "/inputSchema", new Set(), { left: MAX_VISITS });
}

function findIn(
  schema: unknown,
  path: string,
  above: ReadonlySet<unknown>,
  visits: { left: number },
): readonly ImpossibleInput[] {
  const def = defOf(schema);
  // A schema that contains itself is known by then.
  if (def === undefined || above.has(schema) || above.size > MAX_DEPTH || visits.left <= 0) return [];
  visits.left -= 1;
  const within = new Set([...above, schema]);
  const visit = (inner: unknown, place = path): readonly ImpossibleInput[] =>
    findIn(inner, place, within, visits);
  const { type, shape = {}, items = [], options = [] } = def;
  const fix = def.coerce === true ? undefined : instead.get(type);
  if (fix !== undefined) return [{ path, kind: String(type), fix }];
  switch (type) {
    case "object":
      return Object.keys(shape).flatMap((key) => visit(shape[key], appendPointer(`${path}/properties`, key)));
    case "array":
      return visit(def.element, `${path}/items`);
    case "tuple":
      return items.flatMap((item, index) => visit(item, `${path}/prefixItems/${index}`));
    case "record":
      return visit(def.valueType, `${path}/additionalProperties`);
    case "union":
      return ofUnion(options.map((option) => visit(option)));
    case "intersection":
      return [...visit(def.left), ...visit(def.right)];
    case "pipe":
      // What a transform takes first may be anything.
      return visit(def.in);
    default:
      // Optional, nullable, with a default, read-only: the value that is given must still be the inner one.
      return visit(def.innerType);
  }
}

/** One form of a union that JSON can have is enough. */
function ofUnion(forms: readonly (readonly ImpossibleInput[])[]): readonly ImpossibleInput[] {
  return forms.every((found) => found.length > 0) ? (forms[0] ?? []) : [];
}
