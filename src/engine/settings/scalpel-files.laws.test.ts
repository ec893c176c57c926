import { readFileSync, readdirSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { resolveConfig } from "./resolve-config.ts";

const folder = new URL("../../../test/fixtures/scalpel-files/", import.meta.url);
const read = (url: URL): JsonObject => JSON.parse(readFileSync(url, "utf8")) as JsonObject;
const files = readdirSync(folder).map((name) => ({ name, json: read(new URL(name, folder)) }));
const load = (json: unknown) =>
  resolveConfig({ scalpel: { file: "r.json", text: JSON.stringify(json) }, followScalpel: true });

describe("files of Code Scalpel", () => {
  it("there are eight, one for each form that was published", () => {
    expect(files).toHaveLength(8);
  });

  it.each(files)("$name loads, and its profile and tools apply", ({ json }) => {
    const { global, tool_overrides: tools = {} } = json as {
      global?: JsonObject;
      tool_overrides?: JsonObject;
    };
    const { settings } = load(json);
    expect(settings.dialect).toBe("scalpel");
    expect(settings.profile).toBe(global?.["profile"] ?? "minimal");
    const named = Object.entries(tools).filter(([, tool]) => isJsonObject(tool));
    expect(Object.keys(settings.tools)).toEqual(named.map(([name]) => name));
  });

  it("keys that are not known are notices, remarks and keys without effect one more", () => {
    const { notices } = load(files.find(({ name }) => name.startsWith("4-"))?.json);
    expect(notices).toEqual([
      expect.stringContaining("results are written in the scalpel dialect"),
      'r.json:1: "global.include_tool_id" is not known here and is ignored.',
      expect.stringContaining("without effect here: tool_overrides._comment, $schema, version, description"),
    ]);
  });

  it.each(files)("the published JSON Schema accepts $name", ({ json }) => {
    const schema = read(
      new URL("../../../schemas/code-scalpel.response_config.schema.json", import.meta.url),
    );
    const validate = new Ajv2020({ strict: false }).compile(schema);
    validate(json);
    expect(validate.errors).toBeNull();
  });
});

// `__proto__` is refused in every file. A name near a known one could be meant for it.
const extraKey = fc.string({ maxLength: 12 }).map((text) => `x-${text}`);
const extras = fc.dictionary(extraKey, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

/** The objects of a file whose keys the format chooses, or whose values are objects. */
function withExtras(json: JsonObject, take: () => JsonObject): JsonObject {
  const inner = Object.entries(json).map(([key, value]) => [
    key,
    isJsonObject(value) && key !== "exclude_when_tier" ? withExtras(value, take) : value,
  ]);
  return { ...(Object.fromEntries(inner) as JsonObject), ...take() };
}

describe("any extra keys", () => {
  // shows 002.34
  it("never stop a server, and leave the settings as they were", () => {
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.array(extras, { minLength: 1 }), ({ json }, given) => {
        let at = 0;
        const changed = withExtras(json, () => given[at++ % given.length] as JsonObject);
        const [before, after] = [load(json).settings, load(changed).settings];
        expect(after).toMatchObject({ dialect: before.dialect, profile: before.profile });
        expect(after.tools).toMatchObject(before.tools);
        expect(after.profiles).toMatchObject(before.profiles);
      }),
      lawRuns(1_000),
    );
  });
});
