import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import type { TextSpan } from "../document.ts";
import { selectPassages } from "./select-passages.ts";

const words = (
  "the City a Bürgermeister river Repairs of Kosten paid und Haus die Straße not never should account Brücke in " +
  "Rat decided that Donau flood 1998 for Gemeinde bridge opened Monday May 12 or U.S. Dr. Smith fell (down) cost, and,"
).split(" ");

const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 6, maxLength: 30 })
  // A short form at the end could be the end of the sentence or not: that is unknown.
  .map((parts) => `The ${parts.join(" ")} ended well.`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 6 });
const paragraphs = fc.array(paragraph, { minLength: 1, maxLength: 5 });
const query = fc.option(fc.constantFrom("Who paid for the repairs?", "Brücke Kosten", "flood of 1998"), {
  nil: undefined,
});

/** As an editor wraps a paragraph: a word that has no room goes to the next line. */
function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

const sizes = {
  maxSnippets: 3,
  snippetChars: 400,
  maxSummaryChars: 900,
  maxKeyPoints: 5,
  keyPointChars: 300,
} as const;

async function choose(text: string, asked: string | undefined) {
  const { summary, keyPoints, evidence } = await selectPassages(text, { ...sizes, query: asked });
  const quote = (spans: readonly TextSpan[]): string[] =>
    spans.map(({ start, end }) => text.slice(start, end).replaceAll("\n", " "));
  return { summary: quote(summary), keyPoints: quote(keyPoints), evidence: quote(evidence) };
}

describe("laws of wrapped text", () => {
  it("a wrapped text gives what the same text gives on one line a paragraph", async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, fc.integer({ min: 40, max: 100 }), query, async (parts, width, asked) => {
        const joined = parts.map((one) => one.join(" "));
        const wrapped = joined.map((one) => wrap(one, width)).join("\n\n");
        expect(await choose(wrapped, asked)).toEqual(await choose(joined.join("\n\n"), asked));
      }),
      lawRuns(1_000),
    );
  });

  it("however lines are broken, summary and key points hold whole sentences", async () => {
    const breaks = fc.array(fc.boolean(), { minLength: 7, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(paragraphs, breaks, query, async (parts, places, asked) => {
        let at = 0;
        const text = parts
          .map((one) => one.join(" ").replaceAll(" ", () => (places[at++ % places.length] ? "\n" : " ")))
          .join("\n\n");
        const said = new Set(parts.flat());
        const { summary, keyPoints } = await choose(text, asked);
        expect([...summary, ...keyPoints].filter((one) => !said.has(one))).toEqual([]);
      }),
      lawRuns(1_000),
    );
  });
});
