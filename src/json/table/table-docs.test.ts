import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../json-value.ts";
import { encodeTables } from "./encode-tables.ts";

const page = readFileSync(new URL("../../../docs/table.md", import.meta.url), "utf8");
const [given, sent] = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = ""]) => JSON.parse(text) as JsonValue,
);

describe("docs/table.md", () => {
  it("shows what its example really becomes", () => {
    expect(JSON.stringify(encodeTables(given ?? null))).toBe(JSON.stringify(sent));
  });
});
