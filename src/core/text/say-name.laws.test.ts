import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { sayName } from "./say-name.ts";

const anyName = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string());

describe("sayName", () => {
  it("gives one visible word, or one pair of quotes with at most 60 characters between", () => {
    const law = fc.property(anyName, (name) => {
      const said = sayName(name);
      expect(said).toMatch(/^(?:[\p{L}\p{M}\p{N}_./-]{1,60}|"(?:[^"\\]|\\.)*")$/u);
      expect(said).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      const shown = said.replaceAll(/\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\./gu, "x");
      expect(Array.from(shown).length).toBeLessThanOrEqual(63);
    });
    fc.assert(law, lawRuns(1_000));
  });
});
