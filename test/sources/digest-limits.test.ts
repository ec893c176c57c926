import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type DigestPayload, PayloadError, validatePayload } from "../../src/digest/index.ts";

const payload = JSON.parse(
  readFileSync(new URL("../fixtures/seeds/001-L350-digest-payload.json", import.meta.url), "utf8"),
) as DigestPayload;
const [quote] = payload.evidence_snippets;
const quotes = (count: number) => Array.from({ length: count }, () => quote);

function pathsOf(change: object): readonly string[] {
  try {
    validatePayload({ ...payload, ...change });
    return [];
  } catch (error) {
    return error instanceof PayloadError ? error.issues.map(({ path }) => path) : ["no PayloadError"];
  }
}

describe("the limits of source 001's payload", () => {
  it("take ten quotes", () => {
    expect(pathsOf({ evidence_snippets: quotes(10) })).toEqual([]);
  });

  it.each([
    ["an eleventh quote", { evidence_snippets: quotes(11) }, "evidence_snippets"],
    ["a negative original_chars", { original_chars: -1 }, "original_chars"],
    ["half a character in original_chars", { original_chars: 2.5 }, "original_chars"],
  ])("refuses %s", (_, change, path) => {
    expect(pathsOf(change)).toContain(path);
  });
});
