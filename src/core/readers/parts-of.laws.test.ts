import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { PartsOf, wordsIn } from "./parts-of.ts";

const word = fc.constantFrom(
  "alder",
  "Birch",
  "task-41",
  "1",
  "20",
  "a.b",
  "数据行",
  "é",
  "🚚",
  "C:\\new",
  "\\u0041b",
);
const gap = fc.constantFrom(" ", "\n", "", ", ", "\\n", "/".repeat(300));
const texts = fc
  .array(fc.tuple(word, gap), { maxLength: 60 })
  .map((pieces) => pieces.map(([each, between]) => each + between).join(""));
/** Some of the text itself, from anywhere, and some that may be nowhere. */
const sought = fc.array(
  fc.oneof(word, fc.string({ maxLength: 4 }), fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 40 }))),
  { maxLength: 30 },
);

test("a text has exactly the parts that it contains, in whatever order they are looked for", () => {
  fc.assert(
    fc.property(texts, sought, (text, parts) => {
      const found = new PartsOf(text);
      for (const part of parts) {
        const [from, length] = typeof part === "string" ? [0, 0] : part;
        const looked = typeof part === "string" ? part : text.slice(from, from + length);
        expect([looked, found.has(looked)]).toEqual([looked, text.includes(looked)]);
      }
    }),
    lawRuns(1_000),
  );
});

test("a part counts as missing where looking for all of them would take too long", () => {
  const found = new PartsOf(`alders${"/".repeat(1_000_000)}birches`);
  const turns = Array.from({ length: 40 }, (_, at) => found.has(at % 2 === 0 ? "irche" : "lder"));
  expect(turns.slice(0, 8)).not.toContain(false);
  expect(turns.slice(-2)).toContain(false);
  // A word of its own is found without another look.
  expect(found.has("birches")).toBe(true);
});

test("the words of a text are runs of letters and digits, with dots, lines and underscores inside, in any script", () => {
  const everyWord = /[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;
  const pieces = fc.oneof(
    texts,
    fc.string({ unit: "grapheme", maxLength: 600 }),
    fc.string({ maxLength: 600 }),
  );
  fc.assert(
    fc.property(pieces, (text) => {
      expect([...wordsIn(text)]).toEqual(text.match(everyWord) ?? []);
    }),
    lawRuns(1_000),
  );
});
