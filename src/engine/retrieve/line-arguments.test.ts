import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { anyJson } from "../../../test/arbitrary/outcomes.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { archived } from "./archive.fixture.ts";
import { readRange } from "./line-arguments.ts";
import { openQuestions } from "./question/open-questions.ts";
import { type RetrieveRequest, readRequest } from "./retrieve-request.ts";

const text = Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join("\n");

async function numbers(args: object): Promise<readonly number[]> {
  const { ask } = await archived(text, { questions: openQuestions });
  const { data } = await ask(args);
  return (data["lines"] as unknown as readonly { readonly line: number }[]).map(({ line }) => line);
}

function refusal(args: JsonObject): unknown {
  try {
    return readRequest({ archive: "3f2a9c01b7de", ...args });
  } catch (error) {
    return error;
  }
}

describe("lines of a text", () => {
  test("are the last ones with tail", async () => {
    expect(await numbers({ tail: 2 })).toEqual([49, 50]);
    expect(await numbers({ tail: "1" })).toEqual([50]);
    expect(await numbers({ tail: 900 })).toHaveLength(50);
  });

  test("are those around one", async () => {
    expect(await numbers({ around: { line: 20, n: 2 } })).toEqual([18, 19, 20, 21, 22]);
    expect(await numbers({ around: { line: 2, n: 1 } })).toEqual([1, 2, 3]);
    expect(await numbers({ around: { line: 1, n: 3 } })).toEqual([1, 2, 3, 4]);
    expect(await numbers({ around: { line: "50", n: "0" } })).toEqual([50]);
    expect(await numbers({ around: 30 })).toEqual(Array.from({ length: 21 }, (_, at) => at + 20));
    expect(await numbers({ around: { line: 20, n: 5 }, grep: "2\\d" })).toEqual([20, 21, 22, 23, 24, 25]);
  });

  test("of several ranges come in order, each once, and not around a match of another range", async () => {
    expect(await numbers({ lines: "40-42,3, 41-43,49-" })).toEqual([3, 40, 41, 42, 43, 49, 50]);
    expect(await numbers({ lines: "1-4,6-9", grep: { pattern: "\\b6$", context: 3 } })).toEqual([6, 7, 8, 9]);
  });

  test.each([
    [{ lines: "3-5,-20" }, "lines", "lines names last lines beside other lines: ask for them apart."],
    [{ lines: "3-5,,9" }, "lines", 'lines is "", no range.'],
    [{ lines: Array.from({ length: 101 }, (_, at) => at + 1).join(",") }, "lines", "lines has 101 ranges."],
    [{ tail: 0 }, "tail", "tail is not a whole number of 1 or more."],
    [{ tail: "all" }, "tail", "tail is not a whole number of 1 or more."],
    [{ around: {} }, "around", "line of around is not a whole number of 1 or more."],
    [{ around: { line: 3, n: 2_000 } }, "around", "n of around is not a whole number of 0 to 1000."],
    [{ around: { lines: 3 } }, "around", /^around has no "lines"/],
    [{ around: "here" }, "around", "around is not an object with a line."],
    [{ tail: 3, lines: "1-2" }, "tail", "tail is not taken together with lines: give one of them."],
    [{ tail: 3, query: "a" }, "query", /^query is not taken together with lines, tail, around and grep/],
    [{ around: { line: 1 }, select: "@" }, "around", /^around is not taken together with select/],
  ])("are refused of %j, with what is right", (args, field, says) => {
    expect(refusal(args as unknown as JsonObject)).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(says) as unknown,
      remediation: expect.stringMatching(new RegExp(`^${field}: `)) as unknown,
      fault: { details: { field } },
    });
  });

  test("absent as null or an empty text are absent", () => {
    expect(readRequest({ archive: "3f2a9c01b7de", tail: null, around: "" })).toEqual({
      archive: "3f2a9c01b7de",
    });
  });

  test("any value of the arguments names lines or is a fault", () => {
    fc.assert(
      fc.property(anyJson, anyJson, fc.boolean(), (tail, around, isTail) => {
        const asked = refusal(isTail ? { tail } : { around });
        if (ToolFault.isInstance(asked)) return;
        const range = readRange(asked as RetrieveRequest);
        if (range === undefined) return;
        const spans = "last" in range ? [] : range.spans;
        expect("last" in range ? range.last > 0 : spans.length > 0).toBe(true);
        expect(spans.every(({ from, to }, at) => from > (spans[at - 1]?.to ?? 0) && from <= to)).toBe(true);
      }),
      lawRuns(1_000),
    );
  });
});
