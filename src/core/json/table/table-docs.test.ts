import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../json-value.ts";
import { encodeTables } from "./encode-tables.ts";

const page = readFileSync(new URL("../../../../docs/shape.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = ""]) => JSON.parse(text) as JsonValue,
);

describe("docs/shape.md", () => {
  it.each([0, 2])("shows what its example really becomes: block %i", (at) => {
    const [given = null, sent] = examples.slice(at, at + 2);
    expect(JSON.stringify(encodeTables(given))).toBe(JSON.stringify(sent));
  });
});
