import { describe, expect, it } from "vitest";
import { staleFiles } from "../../scripts/generate/generate.ts";

describe("generated files", () => {
  // One of them is written from a walk, which is a process of its own.
  it("are current; `npm run generate` writes them", async () => {
    expect((await staleFiles()).map(({ path }) => path)).toEqual([]);
  });
});
