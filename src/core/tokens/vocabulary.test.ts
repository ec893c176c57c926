import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findVocabulary } from "./read-counter.ts";
import { tokenEncodings } from "./token-counter.ts";
import { NO_RANK, Vocabulary } from "./vocabulary.ts";

const sizes = { o200k_base: 199_998, cl100k_base: 100_256 } as const;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each(tokenEncodings)("the vocabulary of %s", (encoding) => {
  const vocabulary = new Vocabulary(readFileSync(findVocabulary(encoding)));
  const rankOf = (bytes: Uint8Array): number => vocabulary.rankOf(bytes, 0, bytes.length);

  it("has the published number of tokens, of at most 128 bytes", () => {
    expect(vocabulary.size).toBe(sizes[encoding]);
    expect(vocabulary.maxTokenBytes).toBe(128);
  });

  it("finds every token at its rank", () => {
    let wrong = 0;
    for (let rank = 0; rank < vocabulary.size; rank++) {
      const token = vocabulary.tokenAt(rank);
      if (rankOf(token) !== rank || (token.length === 2 && vocabulary.rankOfPair(token, 0) !== rank)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it("has every single byte as a token", () => {
    const ranks = Array.from({ length: 256 }, (_, byte) => rankOf(Uint8Array.of(byte)));
    expect(ranks.includes(NO_RANK)).toBe(false);
  });

  it("has no rank for what is not a token, however long", () => {
    expect(rankOf(utf8("zqxjkvb"))).toBe(NO_RANK);
    expect(rankOf(utf8("a".repeat(1_000)))).toBe(NO_RANK);
    expect(vocabulary.rankOfPair(Uint8Array.of(0xff, 0xff), 0)).toBe(NO_RANK);
  });
});

it("refuses a file that ends early", () => {
  const file = readFileSync(findVocabulary("cl100k_base"));
  for (const end of [file.length - 1, 50_000]) {
    expect(() => new Vocabulary(file.subarray(0, end))).toThrow("install waybill again");
  }
});

it("starts o200k_base and cl100k_base with the same printable characters", () => {
  for (const encoding of tokenEncodings) {
    const vocabulary = new Vocabulary(readFileSync(findVocabulary(encoding)));
    expect(vocabulary.rankOf(utf8("!"), 0, 1)).toBe(0);
    expect(vocabulary.rankOf(utf8("~"), 0, 1)).toBe(93);
  }
});
