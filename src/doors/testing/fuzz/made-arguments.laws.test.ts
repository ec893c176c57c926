import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inferJsonSchema } from "../../../../test/arbitrary/infer-schema.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { type MadeCall, makeArguments } from "./made-arguments.ts";

const names = fc.constantFrom("id", "path", "file", "limit", "tags", "note", "__proto__", "a/b", "url");
const values = fc.jsonValue({ maxDepth: 3, depthSize: "small" }) as fc.Arbitrary<JsonValue>;
const argumentSets = fc.dictionary(names, values, { maxKeys: 3, noNullPrototype: true });

const BAIT = "/tmp/bait/secret.txt";

async function callsOf(schema: JsonObject, count: number, seed: number): Promise<readonly MadeCall[]> {
  const made = await makeArguments({
    name: "t",
    schema,
    given: [],
    seed,
    use: { bait: [{ text: `../../${BAIT}`, why: "an absolute path" }] },
    isReadOnly: false,
    accepts: async () => true,
  });
  const calls: MadeCall[] = [];
  for (const call of made) {
    calls.push(call);
    if (calls.length >= count) break;
  }
  return calls;
}

/** Every text with the name of its field. */
function* textsIn(value: JsonValue, name = ""): Generator<readonly [name: string, text: string]> {
  if (typeof value === "string") yield [name, value];
  else if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) yield* textsIn(item, name);
  else if (isJsonObject(value)) for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, key);
}

const written = (calls: readonly MadeCall[]): readonly string[] =>
  calls.map(({ arguments: args }) => JSON.stringify(args));

describe("made arguments", () => {
  it("are bounded, the same for the same seed, none twice, and lead a tool that may change things nowhere", async () => {
    const law = fc.asyncProperty(argumentSets, fc.nat(), async (example, seed) => {
      const schema = inferJsonSchema(example);
      const calls = await callsOf(schema, 15, seed);
      const texts = written(calls);
      expect(calls.every(({ arguments: args }) => isJsonObject(args))).toBe(true);
      expect(new Set(texts).size).toBe(texts.length);
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(1_000_000);
      expect(written(await callsOf(schema, 4, seed))).toEqual(texts.slice(0, 4));
      expect(Object.keys(Object.prototype)).toEqual([]);
      const named = calls.flatMap(({ arguments: args }) => [...textsIn(args)]);
      const places = named.filter(([name]) => /path|file/.test(name)).map(([, text]) => text);
      expect(places.filter((text) => ["", ".", "*"].includes(text))).toEqual([]);
      expect(named.filter(([, text]) => text.includes("example.com"))).toEqual([]);
    });
    await fc.assert(law, lawRuns(1_000, 10));
  });
});
