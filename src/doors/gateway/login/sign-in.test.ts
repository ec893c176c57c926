import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { pastedParams } from "./sign-in.ts";

describe("pastedParams", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !/[?=&:]/.test(text));

  it("reads code and state of a whole address, and of what follows its question mark", () => {
    fc.assert(
      fc.property(word, word, (code, state) => {
        const query = new URLSearchParams({ code, state, iss: "https://as.example" }).toString();
        for (const pasted of [`http://127.0.0.1:1234/callback?${query}`, `?${query}`, query]) {
          const params = pastedParams(pasted, "own");
          expect([params.get("code"), params.get("state")]).toEqual([code, state]);
        }
      }),
      lawRuns(1_000),
    );
  });

  it("takes a code alone for one of this sign-in", () => {
    fc.assert(
      fc.property(word, (code) => {
        const params = pastedParams(code, "own");
        expect([params.get("code"), params.get("state")]).toEqual([code, "own"]);
      }),
      lawRuns(1_000),
    );
  });

  it("reads every text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(pastedParams(text, "own")).toBeInstanceOf(URLSearchParams);
      }),
      lawRuns(1_000),
    );
  });
});
