import { describe, expect, it } from "vitest";
import { staleFiles } from "../../scripts/generate/generate.ts";

describe("generated files", () => {
  it("are current; `npm run generate` writes them", async () => {
    expect(await staleFiles()).toEqual([]);
  });
});
