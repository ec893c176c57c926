// Tools whose results are far over the budget, and whose schemas say what a careless cut would break. Each schema is
// written twice: as JSON Schema for a server under a contract, and in Zod for servers that know nothing of Waybill.

import type * as z3 from "zod/v3";
import type * as z4 from "zod/v4";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";

/** The fields of a result in the words of Zod, which 3 and 4 share as far as they are used here. */
type Shape = (z: typeof z4) => Readonly<Record<string, unknown>>;

export interface CutTool {
  readonly name: string;
  readonly schema: JsonObject;
  /** Undefined where an SDK server's own `registerTool` cannot say it. */
  readonly shape?: Shape;
  readonly data: JsonValue;
}

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const prose = (at: number, sentences: number): string =>
  times(sentences, (turn) => `Parcel ${at} passed gate ${turn} without a remark.`).join(" ");
const states = ["open", "sent", "lost"] as const;
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "array", items, ...more });
const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const text = { type: "string" } as const;
const orderId = "^ord-[0-9]{5}$";
const moment = { type: "string", format: "date-time" } as const;

const orders: CutTool = {
  name: "orders",
  schema: closed({
    orders: list(
      closed({
        id: { ...text, pattern: orderId },
        state: { ...text, enum: [...states] },
        at: moment,
        note: text,
      }),
      { minItems: 1_000 },
    ),
    total: { type: "integer" },
  }),
  shape: (z) => ({
    orders: z
      .array(
        z
          .object({
            id: z.string().regex(/^ord-[0-9]{5}$/),
            state: z.enum(states),
            at: z.string().datetime(),
            note: z.string(),
          })
          .strict(),
      )
      .min(1_000),
    total: z.number().int(),
  }),
  data: {
    orders: times(2_000, (at) => ({
      id: `ord-${String(at).padStart(5, "0")}`,
      state: states[at % 3] ?? "open",
      at: new Date(1_790_000_000_000 + at * 60_000).toISOString(),
      note: prose(at, at % 4),
    })),
    total: 2_000,
  },
};

/** Cut at the same place, these texts would be equal. */
const labels: CutTool = {
  name: "labels",
  schema: closed({ labels: list({ ...text, minLength: 10 }, { uniqueItems: true, minItems: 500 }) }),
  data: { labels: times(900, (at) => `${"the same beginning ".repeat(8)}${at}`) },
};

const atoms: CutTool = {
  name: "atoms",
  schema: closed({
    keys: list({ ...text, pattern: "^[0-9a-f]{400}$" }),
    mails: list({ ...text, format: "email" }),
    body: text,
  }),
  shape: (z) => ({
    keys: z.array(z.string().regex(/^[0-9a-f]{400}$/)),
    mails: z.array(z.string().email()),
    body: z.string(),
  }),
  data: {
    keys: times(300, (at) => (at * 7_919).toString(16).padStart(400, "0")),
    mails: times(2_000, (at) => `reader.${at}@example.org`),
    body: prose(1, 2_000),
  },
};

const tuples: CutTool = {
  name: "tuples",
  schema: closed({
    points: list({
      type: "array",
      prefixItems: [{ type: "number" }, { ...text, enum: ["n", "s"] }, list({ type: "integer" })],
      minItems: 3,
    }),
  }),
  shape: (z) => ({ points: z.array(z.tuple([z.number(), z.enum(["n", "s"]), z.array(z.number().int())])) }),
  data: { points: times(1_500, (at) => [at + 0.5, at % 2 === 0 ? "n" : "s", times(at % 9, (turn) => turn)]) },
};

const grid: CutTool = {
  name: "grid",
  schema: closed({ grid: list(list(list({ type: "integer" }, { minItems: 4 }), { minItems: 20 })) }),
  shape: (z) => ({ grid: z.array(z.array(z.array(z.number().int()).min(4)).min(20)) }),
  data: { grid: times(40, (row) => times(40, (column) => times(6, (depth) => row * column + depth))) },
};

const events: CutTool = {
  name: "events",
  schema: closed({
    events: list({
      oneOf: [
        closed({ kind: { const: "said" }, text }),
        closed({ kind: { const: "seen" }, places: list({ ...text, minLength: 3 }, { minItems: 2 }) }),
        { type: "null" },
      ],
    }),
  }),
  shape: (z) => ({
    events: z.array(
      z.union([
        z.object({ kind: z.literal("said"), text: z.string() }).strict(),
        z.object({ kind: z.literal("seen"), places: z.array(z.string().min(3)).min(2) }).strict(),
        z.null(),
      ]),
    ),
  }),
  data: {
    events: times(1_200, (at) => {
      if (at % 3 === 0) return { kind: "said", text: prose(at, 6) };
      return at % 3 === 1 ? { kind: "seen", places: times(12, (turn) => `dock ${turn}`) } : null;
    }),
  },
};

const story: CutTool = {
  name: "story",
  schema: closed({
    title: text,
    chapter: closed({
      number: { type: "integer" },
      words: text,
      author: closed({ name: text, about: text }),
    }),
  }),
  shape: (z) => ({
    title: z.string(),
    chapter: z
      .object({
        number: z.number().int(),
        words: z.string(),
        author: z.object({ name: z.string(), about: z.string() }).strict(),
      })
      .strict(),
  }),
  data: {
    title: "The long way",
    chapter: { number: 1, words: prose(2, 3_000), author: { name: "Ada", about: prose(3, 900) } },
  },
};

/** Nothing of it may be cut, so only its Stub is left. */
const seal: CutTool = {
  name: "seal",
  schema: closed({ seal: { ...text, pattern: "^x{40000}$" }, kind: { enum: ["wax"] } }),
  shape: (z) => ({ seal: z.string().min(40_000), kind: z.enum(["wax"]) }),
  data: { seal: "x".repeat(40_000), kind: "wax" },
};

const rows: CutTool = {
  name: "rows",
  schema: list(closed({ row_id: { type: "integer" }, said: text }), { minItems: 800, uniqueItems: true }),
  data: times(900, (at) => ({ row_id: at, said: prose(at, 2) })),
};

const letter: CutTool = { name: "letter", schema: { ...text, minLength: 5 }, data: prose(4, 4_000) };
const diary: CutTool = { name: "diary", schema: text, data: prose(5, 4_000) };

export const cutTools: readonly CutTool[] = [
  orders,
  labels,
  atoms,
  tuples,
  grid,
  events,
  story,
  seal,
  rows,
  letter,
  diary,
];

/** The same in one SDK's own Zod; undefined where the SDK has no way to say it. */
export function shapeOf({ shape }: CutTool, z: typeof z3 | typeof z4): object | undefined {
  return shape?.(z as typeof z4);
}
