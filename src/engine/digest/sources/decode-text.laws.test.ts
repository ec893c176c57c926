import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText } from "./read-document.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const text = fc.string({ unit: "grapheme", maxLength: 200 });
const label = fc.option(
  fc.oneof(
    fc.constantFrom("utf-8", "latin1", "gb18030", "utf-16le", "shift_jis", "iso-2022-jp"),
    fc.string(),
  ),
  { nil: undefined },
);

describe("laws of decodeText", () => {
  test("any bytes with any label become a text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        label,
        fc.boolean(),
        async (bytes, charset, isHtml) => {
          const decoded = await decodeText(bytes, { charset, isHtml });
          expect(typeof decoded.text).toBe("string");
        },
      ),
      runs,
    );
  });

  test("what can be decoded strictly is never said to be undecodable", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const bytes = new TextEncoder().encode(`\ufeff${given}`);
        const { text: decoded, warnings } = await decodeText(bytes);
        expect(decoded).toBe(given);
        expect(warnings).toEqual([]);
      }),
      runs,
    );
  });
});
