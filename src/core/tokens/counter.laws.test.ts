import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCut } from "./create-counter.ts";
import { hardBits } from "./hard-texts.fixture.ts";
import { tokenEncodings, loadCounter } from "./token-counter.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const hardTexts = fc
  .array(fc.oneof(fc.constantFrom(...hardBits), fc.string({ unit: "binary", maxLength: 4 })), {
    maxLength: 40,
  })
  .map((bits) => bits.join(""));

describe.each(tokenEncodings)("laws of counting in %s", async (encoding) => {
  const counter = await loadCounter(encoding);
  const count = (text: string, limit?: number): number => counter.count(text, limit);
  const check = (property: (text: string, number: number) => void): void =>
    fc.assert(fc.property(hardTexts, fc.nat(60), property), lawRuns(3_000));

  it("is exact up to the limit and above it beyond", () => {
    check((text, limit) => {
      const exact = count(text);
      const limited = count(text, limit);
      expect(exact <= limit ? limited === exact : limited > limit).toBe(true);
    });
  });

  it("is never more than the bytes and never less than the bytes by the longest token", () => {
    check((text) => {
      const bytes = Buffer.byteLength(text);
      const tokens = count(text);
      expect(tokens).toBeLessThanOrEqual(bytes);
      expect(tokens).toBeGreaterThanOrEqual(Math.ceil(bytes / 128));
    });
  });

  it("adds up over a cut", () => {
    check((text, near) => {
      const cut = findCut(text, Math.min(near, text.length));
      expect(count(text.slice(0, cut)) + count(text.slice(cut))).toBe(count(text));
    });
  });

  it("gives the same count again, whatever was counted in between", () => {
    check((text, other) => {
      const first = count(text);
      count(`${other}${text}`);
      expect(count(text)).toBe(first);
    });
  });
});
