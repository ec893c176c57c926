import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { mayNeedReading } from "../../src/core/pipeline/outcome/failure-signs.ts";
import { fromResult } from "../../src/core/pipeline/outcome/from-result.ts";
import { readCorpus, resultOf } from "./error-corpus.ts";
import { ordinaryResults } from "./ordinary.fixture.ts";

describe("an ordinary result", () => {
  it("is never read as a failure, and hardly ever noted", () => {
    expect(ordinaryResults.length).toBeGreaterThanOrEqual(500);
    const misread = ordinaryResults.filter(({ result }) => !fromResult(result).outcome.ok);
    expect(misread.map(({ name }) => name)).toEqual([]);
    const noted = ordinaryResults.filter(
      ({ result }) => fromResult(result).outcome.notes.warnings !== undefined,
    );
    // Two pieces of source code that begin in the middle, with "Error: ".
    expect(noted.length).toBeLessThanOrEqual(3);
  });

  it("is no failure of a tool without a schema either, with its structure beside a text, beside other words or alone", () => {
    const structures = ordinaryResults.filter(({ result }) => result["structuredContent"] !== undefined);
    expect(structures.length).toBeGreaterThan(50);
    const besides: readonly JsonObject[] = [
      {},
      { content: [] },
      { content: [{ type: "text", text: "done" }] },
    ];
    const read = structures.flatMap(({ name, result }) =>
      besides.map((beside) => ({
        name,
        outcome: fromResult({ ...result, ...beside }, { isTyped: false }).outcome,
      })),
    );
    const odd = read.filter(({ outcome }) => !outcome.ok || outcome.notes.warnings !== undefined);
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  it("is also whatever is in a file, however it reads, where a tool reads files", () => {
    const names = ["tuning", "first-held-out", "held-out"] as const;
    const rows = names.flatMap((name) => readCorpus(name).flatMap((source) => source.rows));
    const files = rows.map((row) => ({ content: resultOf(row)["content"] ?? [] }));
    expect(files.length).toBeGreaterThan(300);
    const misread = files.filter((file) => !fromResult(file, { isDocument: true }).outcome.ok);
    expect(misread).toEqual([]);
    // The same texts are read as failures by the dozen where the tool is not known to read files.
    const decided = files.filter((file) => !fromResult(file).outcome.ok);
    expect(decided.length).toBeGreaterThan(50);
  });

  it("seldom has to be read at all", () => {
    const read = ordinaryResults.filter(({ result }) => mayNeedReading(result));
    expect(read.length / ordinaryResults.length).toBeLessThan(0.2);
  });
});
