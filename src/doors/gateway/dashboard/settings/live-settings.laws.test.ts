import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import { defaultSettings } from "../../../../engine/settings/settings.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { ApiProblem } from "../dashboard-parts.ts";
import { layOver, type LiveChange, livePath, readChange, readLivePlace } from "./live-settings.ts";

const keys = ["budget.tokens", "budget.bytes", "profile", "include_only", "exclude", "include_on_error"];
const key = fc.constantFrom(...keys);
const name = fc.string().filter((text) => text !== "__proto__");
const path = fc.oneof(
  fc.string(),
  key.map((known) => `tools.a.${known}`),
);
const value = fc.oneof(
  fc.jsonValue(),
  fc.integer({ min: -5, max: 2_000_000_000 }),
  fc.constantFrom("off", "debug", "true"),
  fc.array(fc.string()),
) as fc.Arbitrary<JsonValue>;

function tryChange(given: string, to: JsonValue): LiveChange | ApiProblem {
  try {
    return readChange(given, to, defaultSettings);
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}

describe("changes of settings", () => {
  it("are found again by the path that the page shows, whatever a tool is called", () => {
    fc.assert(
      fc.property(name, key, (tool, known) => {
        expect(readLivePlace(livePath({ tool, key: known }))).toEqual({ tool, key: known });
      }),
      lawRuns(1_000),
    );
  });

  it("are refused in words, or can be laid over settings without touching them", () => {
    const before = JSON.stringify(defaultSettings);
    fc.assert(
      fc.property(path, value, (given, to) => {
        const change = tryChange(given, to);
        if (change instanceof ApiProblem) return;
        const { origins } = layOver(defaultSettings, [change]);
        expect(origins?.[livePath(change)]).toEqual({ source: "page" });
        expect(JSON.stringify(defaultSettings)).toBe(before);
      }),
      lawRuns(1_000),
    );
  });
});
