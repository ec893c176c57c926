import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { contractClient } from "../../src/doors/client/index.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { isFullRun, lawRuns, lawSeed, someOf } from "../arbitrary/law-runs.ts";
import { schemaAndResults } from "../arbitrary/tool-results.ts";
import { type ForeignTool, autoClient, text, textsOf } from "./auto-dialect.fixture.ts";

// A client compiles each schema that it is listed, which takes longer than many calls: so a schema has many results.
const RESULTS_A_SCHEMA = 10;
const SCHEMAS = isFullRun ? 200 : 4;
const drawn = fc.sample(schemaAndResults(RESULTS_A_SCHEMA), { numRuns: SCHEMAS, seed: lawSeed });
const tools: Readonly<Record<string, ForeignTool>> = Object.fromEntries(
  drawn.flatMap(({ outputSchema, results }, at) => [
    [`typed_${at}`, { outputSchema, results }],
    [`free_${at}`, { results }],
  ]),
);
const kinds = ["2.4.0", "1.32.2", "1.25.3", "1.18.2"] as const;

describe("everything sent under auto", () => {
  it.each(someOf(kinds, 2))("is accepted by the client %s, whole and cut", async (kind) => {
    const refused: object[] = [];
    const client = await autoClient(tools, { allow: { budgetOff: true } }, kind);
    for (const [name, { results, outputSchema }] of Object.entries(tools)) {
      for (const [at, result] of results.entries()) {
        for (const budget of ["off", 400] as const) {
          const meta = { "waybill/contract": { budget_tokens: budget } };
          await client.call(name, { at }, { meta }).then(
            (sent) => {
              const isAdded = sent["structuredContent"] !== undefined && sent["structuredContent"] !== null;
              const isOwn =
                JSON.stringify(sent["structuredContent"]) === JSON.stringify(result["structuredContent"]);
              if (outputSchema === undefined && isAdded && !isOwn)
                refused.push({ seed: lawSeed, name, why: "a structure that no schema promises", sent });
            },
            (error: unknown) =>
              refused.push({ seed: lawSeed, name, outputSchema, result, budget, why: String(error) }),
          );
        }
      }
    }
    expect(refused.slice(0, 3)).toEqual([]);
    await client.close();
  });
});

/** One client whose tool says what it is told. */
const results: JsonObject[] = [];
const opened = autoClient({ read: { results } });
afterAll(async () => (await opened).close());

const line = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.constantFrom("", '{"a":1}', '"quoted"', "12", "    return value;", "<|endoftext|>", "\u0000\uFEFF"),
);
const longText = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 30 }), fc.integer({ min: 20, max: 60 }))
  .map(([lines, times]) => Array.from({ length: times }, () => lines.join("\n")).join("\n"));

describe("a text of a tool without a schema under auto", () => {
  it("is whole, or its beginning word for word of which all comes back", async () => {
    const client = await opened;
    const reader = contractClient({
      callTool: ({ name, arguments: args, _meta: meta }: never) =>
        client.call(name, args, meta === undefined ? {} : { meta }),
      readResource: ({ uri }: { uri: string }) => client.readResource(uri),
    });
    const meta = { "waybill/contract": { budget_tokens: 300 } };
    await fc.assert(
      fc.asyncProperty(longText, async (said) => {
        // What reads as JSON is data, and has its own cuts.
        fc.pre(!/^\s*[[{]/.test(said));
        results[0] = text(said);
        const result: JsonObject = await client.call("read", {}, { meta });
        expect(result).not.toHaveProperty("structuredContent");
        const [head = "", ...notes] = textsOf(result);
        expect(said.startsWith(head)).toBe(true);
        expect(notes).toHaveLength(head === said ? 0 : 1);
        if (notes.length === 0) return;
        const answer = await reader.call("read", {}, { budget: 300 });
        expect(answer.data).toBe(head);
        expect((await reader.complete(answer)).data).toBe(said);
      }),
      lawRuns(1_000, 40),
    );
  });
});
