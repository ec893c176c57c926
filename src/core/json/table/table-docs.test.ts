import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../json-value.ts";
import { encodeTables } from "./encode-tables.ts";

const page = readFileSync(new URL("../../../../docs/shape.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = ""]) => JSON.parse(text) as JsonValue,
);

describe("docs/shape.md", () => {
  it("shows what its examples really become, plain and dense", () => {
    const [first = null, plain, dense, second = null, named] = examples;
    expect(JSON.stringify(encodeTables(first))).toBe(JSON.stringify(plain));
    expect(JSON.stringify(encodeTables(first, "dense"))).toBe(JSON.stringify(dense));
    expect(JSON.stringify(encodeTables(second, "dense"))).toBe(JSON.stringify(named));
  });
});
