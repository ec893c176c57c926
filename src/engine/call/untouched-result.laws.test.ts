import { ToolSchemas } from "./tool-schemas.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { schemaAndResults } from "../../../test/arbitrary/tool-results.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { blockText } from "../../core/pipeline/parcel.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import type { CalledTool } from "./called-tool.ts";
import { createState } from "./contract-state.ts";
import { answerCall } from "./run-call.ts";

const counter = await loadCounter();
const state = createState({ dialect: "auto", logLevel: "silent", budget: { tokens: 400 }, store: "memory" });

/** A tool of another server that answers with this. */
function toolWith(result: JsonObject, listedSchema: JsonObject | null): CalledTool {
  return {
    name: "any",
    config: {},
    schemas: ToolSchemas.ofListed(listedSchema),
    listedSchema,
    parse: (_state, args) => args,
    run: () => ({ kind: "result", result }),
  };
}

const words = fc.oneof(
  fc.string({ maxLength: 400 }),
  fc.lorem({ maxCount: 300 }),
  fc.json(),
  fc.constantFrom('{"success":false}', '{"error":"gone"}', "Error: gone", '{"ok":true,"items":[]}'),
);
const textResult = fc
  .array(words, { maxLength: 3 })
  .map((texts): JsonObject => ({ content: texts.map((text) => ({ type: "text", text })) }));
const anyResult = fc.oneof(
  textResult.map((result) => ({ result, schema: null })),
  schemaAndResults(1).map(({ results: [result = {}], outputSchema }) => ({ result, schema: outputSchema })),
);

function weigh({ content, structuredContent }: JsonObject): number {
  const blocks = (content as readonly JsonObject[]).filter(isJsonObject);
  const texts = blocks.reduce((sum, block) => sum + counter.count(blockText(block)), 0);
  const structure = structuredContent === undefined ? 0 : counter.count(JSON.stringify(structuredContent));
  return Math.max(texts, structure);
}

describe("a ready-made result under auto", () => {
  it("is the same object and unchanged where it is untouched, and within the budget whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(anyResult, async ({ result, schema }) => {
        const before = JSON.stringify(result);
        const answered = await answerCall(state, toolWith(result, schema), {}, { meta: {} });
        expect(JSON.stringify(result)).toBe(before);
        expect(answered.isUntouched).toBe(answered.result === result);
        expect(weigh(answered.result)).toBeLessThanOrEqual(400);
      }),
      lawRuns(1_000),
    );
  });

  it("is untouched wherever it succeeded, has room and nothing is noted of it", async () => {
    await fc.assert(
      fc.asyncProperty(anyResult, async ({ result, schema }) => {
        // The room that a cut's own words may take is left free, since near the edge either is right.
        fc.pre(weigh(result) <= 360);
        const answered = await answerCall(state, toolWith(result, schema), {}, { meta: {} });
        const isFailure = answered.result["isError"] === true;
        const isNoted = (answered.outcome?.notes.warnings ?? []).length > 0;
        expect(answered.isUntouched).toBe(!isFailure && !isNoted);
      }),
      lawRuns(1_000),
    );
  });
});
