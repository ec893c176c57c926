import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { advertiseOutput } from "./envelope-schema.ts";
import { stripWaybill } from "./input-schema.ts";
import { slimDefinition } from "./slim-definition.ts";

const page = readFileSync(new URL("../../../docs/advertise.md", import.meta.url), "utf8");

/** The values of the page's blocks by the comments above them. */
const shown = new Map(
  [...page.matchAll(/```jsonc\n([^]*?)```/g)].flatMap(([, block = ""]) =>
    Array.from(block.matchAll(/^\/\/ (\w+).*\n((?:(?!\/\/).*\n)+)/gm), ([, label = "", text = ""]) => [
      [label, JSON.parse(text) as JsonObject] as const,
    ]).flat(),
  ),
);

describe("docs/advertise.md", () => {
  it("shows what a tool's schema becomes", () => {
    const advertised = advertiseOutput(shown.get("toolSchema") ?? {}, { dialects: ["response-v2"] });
    expect(advertised).toEqual(shown.get("outputSchema"));
  });

  it("shows what a definition is in fewer words", () => {
    expect(slimDefinition(shown.get("tool") ?? {})).toEqual(shown.get("slimDefinition"));
  });

  it("shows what stripWaybill takes off", () => {
    const { args, waybill } = stripWaybill(shown.get("arguments") ?? {});
    expect({ args, waybill }).toEqual(shown.get("stripWaybill"));
  });
});
