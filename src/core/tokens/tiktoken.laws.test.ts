import { describe, expect, it } from "vitest";
import { hardText, seededRandom } from "./hard-texts.fixture.ts";
import { tokenEncodings, loadCounter } from "./token-counter.ts";
import { hasData, oracleFor, readSamples } from "./oracle.fixture.ts";
import { isFullRun, someOf } from "../../../test/arbitrary/law-runs.ts";

const isDataRequired = process.env["WAYBILL_REQUIRE_DATA"] === "1";
// oxlint-disable-next-line no-console
if (!hasData) console.warn("../shared/data is absent: token counts of real texts are not compared.");

const differences = (
  texts: Iterable<string>,
  count: (text: string) => number,
  oracle: (text: string) => number,
) => {
  const found: { text: string; count: number; oracle: number }[] = [];
  for (const text of texts) {
    const pair = { text: text.slice(0, 200), count: count(text), oracle: oracle(text) };
    if (pair.count !== pair.oracle) found.push(pair);
    if (found.length === 5) break;
  }
  return found;
};

function* hardTexts(amount: number, maxBits: number): Generator<string> {
  const random = seededRandom(amount + maxBits);
  for (let index = 0; index < amount; index++) yield hardText(random, 1 + Math.floor(random() * maxBits));
}

/** One text a hundred code points, each between things that a class would join it to. */
function* codePoints(): Generator<string> {
  const random = seededRandom(1);
  let text = "";
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    // Planes 4 to 13 are not assigned, 15 and 16 for private use: a sample of them is enough.
    const plane = codePoint >> 16;
    if (plane > 3 && plane !== 14 && random() > 0.01) continue;
    const character = String.fromCodePoint(codePoint);
    text += `a${character}'s 1${character}\n${character}B `;
    if (text.length < 1_500) continue;
    yield text;
    text = "";
  }
  yield text;
}

const unbroken: readonly string[] = [
  "a",
  "A",
  " ",
  "\n",
  "=",
  "/",
  "0",
  "中",
  "あ",
  "한",
  "é",
  "😀",
  "\u0301",
  "'",
  "ab",
  "的的中",
  "QUJD",
  "\t ",
  "\uFEFF",
];

describe.each(tokenEncodings)("counting in %s agrees with tiktoken", async (encoding) => {
  const counter = await loadCounter(encoding);
  const count = (text: string, limit?: number): number => counter.count(text, limit);
  const oracle = oracleFor(encoding);

  it("on texts of hard bits", () => {
    expect(differences(hardTexts(isFullRun ? 40_000 : 4_000, 14), count, oracle)).toEqual([]);
  });

  it("on texts longer than one stretch", () => {
    expect(differences(hardTexts(isFullRun ? 12 : 3, 60_000), count, oracle)).toEqual([]);
  });

  it("on every code point", () => {
    expect(differences(someOf([...codePoints()], 400), count, oracle)).toEqual([]);
  });

  it("on unbroken runs of every length to 300, and of some beyond", () => {
    const lengths = [...Array.from({ length: 300 }, (_, index) => index + 1), 511, 1_000, 2_049];
    const runs = unbroken.flatMap((unit) => lengths.map((length) => unit.repeat(length).slice(0, 2_049)));
    expect(differences(someOf(runs, 600), count, oracle)).toEqual([]);
  });

  it("on long words of random letters, digits and Chinese characters", () => {
    const random = seededRandom(5);
    const alphabets = [
      "abcdefghijklmnop",
      "0123456789abcdef",
      "ACGT",
      "人民共和国的一是了我在他有这个",
      "のはがをにとで東京",
    ];
    const words = Array.from({ length: 600 }, (_, index) => {
      const alphabet = Array.from(alphabets[index % alphabets.length] ?? "");
      const letter = (): string => alphabet[Math.floor(random() * alphabet.length)] ?? "";
      return Array.from({ length: 1 + Math.floor(random() * 400) }, letter).join("");
    });
    expect(differences(someOf(words, 100), count, oracle)).toEqual([]);
  });

  it.runIf(hasData || isDataRequired)("on every payload and every paragraph of the question sets", () => {
    expect(hasData).toBe(true);
    const samples = readSamples().map(([, text]) => text);
    expect(samples.length).toBeGreaterThan(700);
    expect(differences(someOf(samples, 100), count, oracle)).toEqual([]);
  });
});
