import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { staleFiles } from "../../scripts/generate/generate.ts";

describe("generated files", () => {
  // The walks of two of them take ten seconds; only the full run takes those.
  it("are current; `npm run generate` writes them", async () => {
    expect((await staleFiles({ withWalks: isFullRun })).map(({ path }) => path)).toEqual([]);
  });
});
