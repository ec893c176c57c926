import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { codeBy } from "./failure-rule.ts";
import { failureTextRules, vetoes } from "./failure-rules.ts";
import { fromResult } from "./from-result.ts";
import { messagePart } from "./report-forms.ts";

const pieces = fc.constantFrom(
  ..."{ } [ ] \" ' : \\ \n ^ < > Error: (SQLSTATE 42 only SELECT waiting for locator Timeout Traceback content results isError : true".split(
    " ",
  ),
  "Traceback (most recent call last):\n",
  "<html><title>",
  '{"results":[{"success":false,"error":"x"}',
  '{"content":[{"type":"text","text":"',
  " ",
);
const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(pieces, { maxLength: 60 }).map((all) => all.join("")),
);

describe("every recogniser of failures", () => {
  it("never throws, whatever a text is, and gives a code or nothing", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const line = messagePart(text).slice(0, 400);
        const said = { heading: "", line, tails: [line], lines: line };
        for (const rule of [...failureTextRules, ...vetoes])
          expect(["string", "undefined"]).toContain(typeof codeBy(rule, said));
        for (const isError of [true, false])
          expect(() => fromResult({ content: [{ type: "text", text }], isError })).not.toThrow();
      }),
      lawRuns(1_000),
    );
  });

  // A pattern that is not linear would not end before the limit of a test.
  it.each([
    "x",
    " ",
    "\n",
    "{",
    "[",
    '"',
    "\\",
    "^\n",
    "a:1\n",
    "Error",
    "only SELECT ",
    "<title>",
    '{"content":[',
    "Traceback (most recent call last):\n",
  ])("takes a megabyte of %j for no failure", (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const { outcome } = fromResult({ content: [{ type: "text", text }] });
    expect(outcome.ok).toBe(true);
    expect(outcome.notes.warnings).toBeUndefined();
    expect(fromResult({ content: [{ type: "text", text }], isError: true }).outcome.ok).toBe(false);
  });

  it.each([
    "x",
    " ",
    "only SELECT ",
    "waiting for selector ",
    "syntax error ",
    "SQLSTATE ",
    'near "',
    "rate limit ",
  ])("reads a line as long as lines may be, of %j", (piece) => {
    const text = piece.repeat(40).slice(0, 399);
    expect(fromResult({ content: [{ type: "text", text }], isError: true }).outcome.ok).toBe(false);
  });
});
