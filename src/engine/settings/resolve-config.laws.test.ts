import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContractError } from "../../core/contract/contract-error.ts";
import { describeConfig, settingsForTool } from "./describe-config.ts";
import { resolveConfig, type ConfigSources } from "./resolve-config.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const words = [
  "dialect",
  "scalpel",
  "profile",
  "profiles",
  "debug",
  "minimal",
  "tools",
  "budget",
  "tokens",
  "off",
  "extends",
  "show",
  "__proto__",
  "constructor",
  "toString",
  "exclude",
  "global",
  "tool_overrides",
  "envelope",
  "include",
  "tiers",
  "order",
  "",
];
const key = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "grapheme" }));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.constantFrom(null, true, false, 0, 1, -1, 1e300),
    key,
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc
    .array(fc.tuple(key, tie("value")), { maxLength: 5 })
    .map((pairs) => Object.fromEntries(pairs) as object),
})).object;
const noise = fc.oneof(
  fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\uFEFF",
    "\\u12",
    "1e",
    "\0",
  ),
  fc.string({ unit: "binary" }),
);
const damaged = fc
  .tuple(
    json.map((value) => JSON.stringify(value, null, 1)),
    noise,
    fc.nat(),
  )
  .map(
    ([text, insert, at]) =>
      text.slice(0, at % (text.length + 1)) + insert + text.slice(at % (text.length + 1)),
  );
const content = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(noise).map((parts) => parts.join("")),
  json.map((value) => JSON.stringify(value)),
  damaged,
);

/** "settings", or the message of the refusal; anything else is thrown. */
function load(sources: ConfigSources): string {
  try {
    const loaded = resolveConfig(sources);
    const names = [...Object.keys(loaded.settings.tools), "__proto__", "toString"];
    for (const name of names) settingsForTool(loaded.settings, name);
    describeConfig({ ...loaded, files: [] });
    return "settings";
  } catch (error) {
    if (!ContractError.isInstance(error) || error.code !== "INVALID_CONFIG") throw error;
    return error.message;
  }
}

const SETTINGS_OR_PLACE = /^(settings$|[wr]\.json:\d+:\d+: \S)/;

describe("resolveConfig", () => {
  it("ends in settings or in an error with a place, whatever the waybill file says", () => {
    const law = fc.property(content, (text) => {
      expect(load({ waybill: { file: "w.json", text } })).toMatch(SETTINGS_OR_PLACE);
    });
    fc.assert(law, lawRuns(1_000));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("ends in settings or in an error with a place, whatever the scalpel file says", () => {
    const law = fc.property(content, (text) => {
      expect(load({ scalpel: { file: "r.json", text } })).toMatch(SETTINGS_OR_PLACE);
    });
    fc.assert(law, lawRuns(1_000));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("is a pure function of its sources", () => {
    const text = '{"tools": {"a": {"exclude": ["x"]}}, "profiles": {"p": {"extends": "debug"}}}';
    const sources = { waybill: { file: "w.json", text }, environment: { WAYBILL_PROFILE: "p" } };
    expect(resolveConfig(sources)).toEqual(resolveConfig(sources));
  });
});
