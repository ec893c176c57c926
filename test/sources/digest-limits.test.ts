import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type DigestPayload,
  PayloadError,
  deserializePayload,
  serializePayload,
  validatePayload,
} from "../../src/engine/digest/index.ts";
import { readSource } from "../../src/doors/client/index.ts";

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

describe("the defaults of source 001's payload", () => {
  // shows 001.113 with content_type
  // shows 001.112 with version
  it.each(["version", "content_type"] as const)("fill %s where it is absent", async (key) => {
    const { [key]: _, ...rest } = payload;
    expect(validatePayload(rest)).toEqual(payload);
    expect(deserializePayload(JSON.stringify(rest))).toEqual(payload);
    expect(serializePayload(rest as DigestPayload)).toBe(serializePayload(payload));
    const source = { id: "source-014", content_type: "digest/v1", content: JSON.stringify(rest) };
    expect(await readSource(source)).toMatchObject({ kind: "digest", payload });
  });

  it("do not replace a value that is there and wrong", () => {
    expect(pathsOf({ version: "2.0" })).toEqual(["version"]);
    expect(pathsOf({ content_type: null })).toEqual(["content_type"]);
  });
});

describe("the limits of source 001's payload", () => {
  it("take ten quotes", () => {
    expect(pathsOf({ evidence_snippets: quotes(10) })).toEqual([]);
  });

  // shows 001.118 with a negative original_chars
  // shows 001.117 with an eleventh quote
  it.each([
    ["an eleventh quote", { evidence_snippets: quotes(11) }, "evidence_snippets"],
    ["a negative original_chars", { original_chars: -1 }, "original_chars"],
    ["half a character in original_chars", { original_chars: 2.5 }, "original_chars"],
  ])("refuses %s", (_, change, path) => {
    expect(pathsOf(change)).toContain(path);
  });
});
