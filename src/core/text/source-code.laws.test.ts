import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { findCode, withoutCode } from "./source-code.ts";

const words =
  "the file task is not was found could be read because of a wrong name in your request please try again with another id".split(
    " ",
  );
const word = fc.constantFrom(...words);
const token = fc.oneof(
  { weight: 6, arbitrary: word },
  fc.constantFrom(
    "/srv/data.json",
    "task_id",
    "'name'",
    '"a b"',
    "(42)",
    "5,000",
    "user.id",
    "items[0]",
    "HTTP 404",
    "id=7",
    "read()",
    "<id>",
  ),
);
const sentence = fc
  .tuple(fc.array(token, { minLength: 5, maxLength: 14 }), fc.constantFrom(".", ":", "!", "?", ""))
  .map(([tokens, end]) => `${tokens.join(" ")}${end}`);

describe("source code", () => {
  it("law: JSON that is laid out is not code, whatever its values", () => {
    const plain = fc.jsonValue({
      stringUnit: fc.constantFrom("a", "b", "x", "y", " ", "/", "_", "-", "0", "7"),
    });
    fc.assert(
      fc.property(plain, (value) => {
        expect(findCode(JSON.stringify(value, null, 2))).toEqual([]);
      }),
      lawRuns(1_000),
    );
  });

  it("law: sentences are not code, one or several", () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), (sentences) => {
        const text = sentences.join("\n");
        expect([text, withoutCode(text)]).toEqual([text, text]);
      }),
      lawRuns(1_000),
    );
  });

  it("law: spans are in order and apart, and nothing is left to find in what stays", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "def f(x):",
        "    return x",
        "const a = 1;",
        "}",
        "{",
        "",
        "a = b(c)",
        "x: y",
        "SELECT a FROM b",
        "import os",
        "```js",
        "```",
        "if x:",
        "<div>",
        "</div>",
        "Bad code: y = f(1);",
        "  and then",
      ),
      fc.string({ maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (lines) => {
        const text = lines.join("\n");
        let before = -1;
        for (const { start, end } of findCode(text)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          before = end;
        }
        expect(findCode(withoutCode(text)).length).toBe(0);
      }),
      lawRuns(1_000),
    );
  });
});
