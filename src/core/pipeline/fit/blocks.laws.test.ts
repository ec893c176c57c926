import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import { largeJson } from "../../../../test/arbitrary/large-json.ts";
import { dialects } from "../dialect/dialects.ts";
import { partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { TestArchive, contextWith, dialectIds, tokensOf } from "./fit-bench.fixture.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const word = fc.constantFrom("alpha", "beta", "Straße", "中文", "😀", "1234");
const text = fc.array(word, { minLength: 1, maxLength: 600, size: "max" }).map((words) => words.join(" "));
const uri = fc.nat({ max: 99 }).map((number) => `file:///folder/${number}.txt`);

const block: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant("resource"), resource: fc.record({ uri, text }) }, { noNullPrototype: true }),
  fc.record({ type: fc.constant("resource_link"), uri, name: text }, { noNullPrototype: true }),
  fc.record({ type: fc.constant("text"), text }, { noNullPrototype: true }),
  fc.nat({ max: 4_000 }).map((length) => ({
    type: "image",
    mimeType: "image/png",
    data: Buffer.alloc(length, 7).toString("base64"),
  })),
);
const settings = fc.record({
  tokens: fc.integer({ min: 256, max: 3_000 }),
  dialect: fc.constantFrom(...dialectIds),
  profile: fc.constantFrom("minimal", "standard", "debug"),
});

describe("blocks beside a result", () => {
  test("never take it over the budget, and whatever does not travel is kept", async () => {
    await fc.assert(
      fc.asyncProperty(
        largeJson,
        fc.array(block, { maxLength: 40, size: "max" }),
        settings,
        async (value, blocks, setting) => {
          const archive = new TestArchive();
          // As the engine has it: where only text is sent, bytes of any number are kept.
          const maxBlobBytes = dialects[setting.dialect].writeBlock === undefined ? 2_000 : 0;
          const context = contextWith({ ...setting, archive, fit: { maxBlobBytes } });
          // As structure: without one, the texts would be the data.
          const result = { content: blocks, structuredContent: { value } };
          const parcel = await runStages({ kind: "result", result }, context);
          expect(tokensOf(parcel, context)).toBeLessThanOrEqual(setting.tokens);
          const { blocks: sent = [] } = parcel;
          const kept = [...archive.contents.values()].map(String).join("\n");
          const texts = sent.map(({ text: said }) => said);
          // One dialect sends text alone: that of a text block as a JSON string, other blocks as their JSON.
          const isSent = (one: JsonObject): boolean =>
            sent.includes(one) ||
            texts.includes(JSON.stringify(one["text"] ?? null)) ||
            texts.includes(JSON.stringify(one));
          const bodies = blocks.filter((one) => !isSent(one));
          for (const one of bodies) {
            const {
              resource,
              name,
              data,
              text: said,
            } = one as {
              resource?: { text: string };
              name?: string;
              data?: string;
              text?: string;
            };
            const body = data === undefined ? undefined : Buffer.from(data, "base64").toString();
            const isKept = [resource?.text, name, data, body, said].some(
              (part) => part !== undefined && kept.includes(part),
            );
            expect(isKept).toBe(true);
          }
          expect(partOf(parcel, "outcome").notes.fidelity === undefined || parcel.cut !== undefined).toBe(
            true,
          );
        },
      ),
      lawRuns(1_000),
    );
  });
});
