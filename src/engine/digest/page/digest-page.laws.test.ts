import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextSpan } from "../document.ts";
import { digestPage } from "./digest-page.ts";
import { readPage } from "./read-page.fixture.ts";
import { sampleDigest } from "./sample-digest.fixture.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const hostile = fc.constantFrom(
  "<script>alert(1)</script>",
  "</mark></p></article>",
  "<img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "' autofocus onfocus='alert(1)",
  "<!--",
  "-->",
  "]]>",
  "</style><style>*{display:none}",
  "</title>",
  "&lt;b&gt;",
  "&#0;",
  "\u0000\u0007\u001b[31m\u007f\u0085",
  "\u202e",
  "\n\n",
  "\n",
  " ",
);
const words = fc
  .array(fc.oneof(hostile, fc.string({ maxLength: 12 }), fc.string({ unit: "binary", maxLength: 8 })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((parts) => parts.join(""));

/** Stretches of a text that do not overlap, as the engine chooses evidence: without white space at their ends. */
function cut(text: string, shares: readonly number[]): TextSpan[] {
  const points = Array.from(text);
  const offsets = points.map(
    (
      (at) => (point: string) =>
        (at += point.length) - point.length
    )(0),
  );
  const places = shares
    .map((share) => offsets[Math.floor(share * points.length)] ?? text.length)
    .sort((a, b) => a - b);
  return places.slice(1).flatMap((end, index) => {
    const start = places[index] ?? 0;
    const whole = text.slice(start, end);
    const trimmed = whole.trim();
    const from = start + whole.indexOf(trimmed);
    return index % 2 === 0 && trimmed !== "" ? [{ start: from, end: from + trimmed.length }] : [];
  });
}

const shares = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 8 });

/** What is on a page for a text: control characters as their pictures. */
function drawn(text: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20 && character !== "\n" && character !== "\t") return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return code > 0x7f && code < 0xa0 ? "\ufffd" : character;
  }).join("");
}

const ownElements = (
  "html head meta title style body a header p h1 ul li span q div main section h2 ol svg rect blockquote article " +
  "h3 mark footer code"
).split(" ");
const ownAttributes = (
  "lang charset http-equiv content name class href dir id aria-labelledby aria-label aria-hidden viewBox viewbox " +
  "preserveAspectRatio preserveaspectratio width height rel"
).split(" ");

const digests = fc.record({
  text: fc.oneof(words, fc.array(words, { minLength: 1, maxLength: 4 })),
  title: words,
  query: words,
  evidence: shares,
  summary: shares,
  keyPoints: shares,
});

async function pageOf(parts: typeof digests extends fc.Arbitrary<infer Parts> ? Parts : never) {
  const { text, title, query } = parts;
  const { document } = await sampleDigest({ text });
  const evidence = cut(document.text, parts.evidence);
  const input = await sampleDigest({
    text,
    title,
    evidence,
    summary: cut(document.text, parts.summary),
    keyPoints: cut(document.text, parts.keyPoints),
  });
  const options = { query, name: title };
  return { page: digestPage(input, options), again: digestPage(input, options), input, evidence };
}

describe("the laws of the page", () => {
  it("no element or attribute of the document, its title or the query survives", async () => {
    await fc.assert(
      fc.asyncProperty(digests, async (parts) => {
        const { page } = await pageOf(parts);
        const { elements } = readPage(page);
        expect(elements.filter(({ name }) => !ownElements.includes(name))).toEqual([]);
        const attributes = new Set(elements.flatMap((element) => Object.keys(element.attributes)));
        expect([...attributes].filter((name) => !ownAttributes.includes(name))).toEqual([]);
        const hrefs = elements.flatMap((element) => element.attributes["href"] ?? []);
        expect(hrefs.filter((href) => !href.startsWith("#"))).toEqual([]);
        expect(page).not.toMatch(/<!--|<script/i);
      }),
      lawRuns(1_000),
    );
  });

  it("every quote is in a mark, character for character, and the same digest gives the same page", async () => {
    await fc.assert(
      fc.asyncProperty(digests, async (parts) => {
        const { page, again, input, evidence } = await pageOf(parts);
        const { marks } = readPage(page);
        const quotes = evidence.map(({ start, end }) => drawn(input.document.text.slice(start, end)));
        expect(quotes.map((_, index) => marks.get(`evidence-${index + 1}`))).toEqual(quotes);
        expect(again).toBe(page);
      }),
      lawRuns(1_000),
    );
  });

  it("of a long document every quote is still marked, and the page stays small", async () => {
    await fc.assert(
      fc.asyncProperty(words, fc.integer({ min: 1, max: 2_000 }), shares, async (part, times, places) => {
        const text = `x${part.repeat(times)}x`;
        const { document } = await sampleDigest({ text });
        const evidence = cut(document.text, places).map(({ start }) => ({ start, end: start + 1 }));
        const whole = evidence.filter(({ start }) => !/[\ud800-\udfff\s]/.test(document.text.charAt(start)));
        const page = digestPage(await sampleDigest({ text, evidence: whole }), { maxWholeLength: 1_000 });
        const { marks } = readPage(page);
        expect([...marks.values()].sort()).toEqual(
          whole.map(({ start }) => drawn(document.text.charAt(start))).sort(),
        );
        // A character is at most six on the page, a paragraph of one some twenty more.
        expect(page.length).toBeLessThan(20_000 + (whole.length + 1) * 4_500 * 12);
      }),
      lawRuns(1_000),
    );
  });
});
