import { describe, expect, test } from "vitest";
import { shapes } from "../../../test/clients/shapes.ts";
import { refusal, shownBy } from "../../../test/clients/shown-by.ts";
import type { JsonObject } from "../json/json-value.ts";
import { readerChosen, readers, unknownReader } from "./readers.ts";
import { sayBlocks, shownResult, usedOf } from "./shown-result.ts";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const structure = { items: [{ id: "task-41" }] };
const json = JSON.stringify(structure);
const both = { content: [text("1 overdue")], structuredContent: structure };

const shown = (id: string, result: JsonObject, isTyped = false) =>
  shownResult(result, readerChosen(id) ?? unknownReader, isTyped);

describe("what a client shows of a result", () => {
  test.each([
    ["gemini-cli", [["blocks", "1 overdue"]]],
    ["codex", [["structure", json]]],
    ["qwen-code", [["both", "1 overdue", json]]],
    ["cline", [["whole", JSON.stringify(both)]]],
    [
      "unknown",
      [
        ["blocks", "1 overdue"],
        ["structure", json],
      ],
    ],
  ])("is for %s as its row says", (id, readings) => {
    expect(shown(id, both).readings.map(({ channel, texts }) => [channel, ...texts])).toEqual(readings);
  });

  test("is the blocks where there is no structure, and the structure where there are no blocks", () => {
    expect(shown("codex", { content: [text("fine")] }).readings).toEqual([
      { channel: "blocks", texts: ["fine"] },
    ]);
    const bare = { content: [], structuredContent: structure };
    expect(shown("opencode", bare).readings).toEqual([{ channel: "structure", texts: [json] }]);
    expect(shown("gemini-cli", bare).readings).toEqual([{ channel: "blocks", texts: [] }]);
  });

  test("depends on the tool's schema for some clients", () => {
    expect(shown("mastra", both, true).readings.map(({ channel }) => channel)).toEqual(["blocks"]);
    expect(shown("mastra", both, false).readings.map(({ channel }) => channel)).toEqual(["structure"]);
  });

  test("names what is dropped, leaves out bytes, and says failures twice where the client does", () => {
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    const picture = { type: "image", mimeType: "image/png", data: "AAAA" };
    const { readings, dropped } = shown("opencode", { content: [link, picture, link] });
    expect([sayBlocks(dropped), readings[0]?.texts]).toEqual([
      "2 × resource_link",
      ['{"type":"image","mimeType":"image/png"}'],
    ]);
    const failure = { content: [text("No such task")], isError: true };
    expect(shown("qwen-code", failure).readings[0]?.texts).toEqual([
      JSON.stringify(failure),
      JSON.stringify(failure.content),
    ]);
  });

  test("is measured in the unit of the limit, with what is between texts", () => {
    const reader = readerChosen("opencode") ?? unknownReader;
    const sizes = {
      tokens: () => 0,
      characters: ({ length }: string) => length,
      bytes: (words: string) => Buffer.byteLength(words),
      lines: (words: string) => words.split("\n").length,
    };
    const [reading] = shown("opencode", { content: [text("é\nb"), text("c")] }).readings;
    const used = reader.limits.map((limit) => reading && usedOf(reading, limit, reader, sizes));
    expect(used).toEqual([Buffer.byteLength("é\nb\n\nc"), 4]);
  });

  test("is what clients were seen to show, for every shape and row", () => {
    for (const reader of [...readers, unknownReader])
      for (const { name, answer, outputSchema } of shapes) {
        if (!("result" in answer)) continue;
        const result = answer.result as JsonObject;
        const seen = shownBy(reader, result, outputSchema === undefined ? undefined : true);
        // A client's own error, and the end of its run, are not what it shows of the result.
        if (seen.includes(refusal) || seen.includes("the run ended")) continue;
        const { readings } = shownResult(result, reader, outputSchema !== undefined);
        // Neither bytes nor the order of members matter.
        const words = (views: readonly string[]): string[] =>
          views.map((view) => {
            const found = view.replaceAll(/"(?:data|blob)":"[^"]*"/g, "").match(/\w+/g) ?? [];
            return found.toSorted().join(" ");
          });
        const mine = words(
          readings.map(({ texts }) => texts.join(reader.joins === "apart" ? "\n" : reader.joins)),
        );
        expect([reader.id, name, [...new Set(mine)]]).toEqual([reader.id, name, [...new Set(words(seen))]]);
      }
  });
});
