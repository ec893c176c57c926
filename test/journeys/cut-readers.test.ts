// For each kind of reader: each call that a cut result proposes gives the lines or items that are missing first, and every
// one that is missing in the places that it names.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { autoClient, text } from "./auto-dialect.fixture.ts";
import { followsItems, followsLines } from "./following.fixture.ts";
import { allOf, headsIn, noticesIn } from "./proposed.fixture.ts";

/** Texts, the structure, both, all as JSON, the structure of tools without a schema, and what is not known. */
const kinds = ["gemini-cli", "opencode", "codex", "qwen-code", "cline", "mastra", "unknown", "python-lines"];

const lines = Array.from({ length: 2_000 }, (_, at) => `${at} ${"word ".repeat((at * 7) % 12)}end;`);
const source = lines.join("\n");

/** As a file system's tree: lists in lists, of many lengths. */
function treeOf(depth: number, width: number): readonly JsonObject[] {
  return Array.from({ length: width }, (_, at) => ({
    name: `folder-${depth}-${at}`,
    type: "directory",
    children: depth === 0 ? [] : treeOf(depth - 1, (at * 5) % 9),
  }));
}
const tree = JSON.stringify(treeOf(2, 60), null, 2);

const schema: JsonObject = {
  type: "object",
  properties: { content: { type: "string" } },
  required: ["content"],
  additionalProperties: false,
};
const typed = (whole: string): JsonObject => text(whole, { structuredContent: { content: whole } });

const cases = kinds.flatMap((reader) =>
  (["head", "auto"] as const).map((strategy) => [reader, strategy] as const),
);

/** A call that gave fewer lines would be of little use. */
const MIN_LINES = 20;

describe.each(cases)("a long result for %s, by the strategy %s", (reader, strategy) => {
  it.each([
    ["lines of a text", source, text(source), undefined, followsLines],
    ["lines of a text that a structure repeats", source, typed(source), schema, followsLines],
    ["items of JSON in a text that a structure repeats", tree, typed(tree), schema, followsItems],
  ] as const)(
    "is a beginning and the call for the following %s",
    async (_, whole, result, outputSchema, judge) => {
      const tool = outputSchema === undefined ? { results: [result] } : { outputSchema, results: [result] };
      const client = await autoClient({ read: tool }, { reader, fit: { clientLimits: true, strategy } });
      const sent = await client.call("read");
      const heads = headsIn(sent);
      expect(heads.length).toBeGreaterThan(0);
      const notices = noticesIn(sent);
      expect(notices.length).toBeGreaterThan(0);
      for (const notice of notices) {
        const given = await allOf((name, args) => client.call(name, args), notice);
        expect(given.isWhole).toBe(true);
        for (const head of heads) {
          expect(head.length).toBeGreaterThan(2_000);
          const {
            says,
            count = MIN_LINES,
            again = count,
            ...others
          } = judge(whole, head, given, notice.args);
          expect(others).toEqual({});
          expect(says).toMatch(/\d/);
          expect(count).toBeGreaterThanOrEqual(MIN_LINES);
          expect(again * 2).toBeLessThanOrEqual(count);
        }
      }
      await client.close();
    },
  );
});
