// Lean over any JSON that has what APIs send: nulls, links, second ids, JSON inside texts.

import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson } from "../../../test/arbitrary/outcomes.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { anySpec } from "../../core/schema/any-spec.fixture.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { leanPresets } from "../../core/pipeline/shape/lean/lean-rules.ts";
import { leanValue } from "../../core/pipeline/shape/lean/lean-value.ts";
import { nameFields } from "../../core/pipeline/shape/lean/name-fields.ts";
import { ProtectedNames } from "../../core/pipeline/shape/lean/protected-names.ts";
import { openTexts } from "../../core/json/open-texts.ts";
import { selectName } from "../retrieve/select-pointer.ts";
import { eachItem } from "../retrieve/item-list.ts";
import { answerOf, leanCall } from "./lean-call.fixture.ts";
import { ToolSchemas } from "./tool-schemas.ts";

const nothing = fc.constantFrom<JsonValue>(null, "", [], {});
const link = fc
  .tuple(fc.constantFrom("api.example.com", "example.com/api/v4", "example.com"), fc.nat(3), fc.nat(9))
  .map(([host, id, more]) => `https://${host}/items/${id}${more > 5 ? "/notes" : ""}`);
const key = fc.oneof(
  fc.constantFrom("id", "node_id", "url", "self", "html_url", "a", "b", "*", "**", "a/b", "__proto__", "1"),
  fc.constantFrom(...leanPresets.flatMap(({ fields }) => fields.map(({ field }) => field))),
);
const { record } = fc.letrec<{ value: JsonValue; record: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(nothing, link, fc.nat(3), fc.constantFrom("I_kwDOTGdGNM7z", "text"), anyJson),
    tie("record"),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("record").map((value) => JSON.stringify(value, null, 2)),
  ),
  record: fc
    .array(fc.tuple(key, tie("value")), { maxLength: 6 })
    .map(
      (members) =>
        JSON.parse(
          `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
        ) as JsonObject,
    ),
}));
const anyData = fc.oneof(record, fc.array(record, { maxLength: 5 }));
const anySetting = fc.record({
  presets: fc.subarray(leanPresets.map(({ id }) => id)),
  args: fc.subarray(["id", "url", "a_b", "node_id", "cursor"]),
  opensTexts: fc.boolean(),
});

const leanOf = (
  data: JsonValue,
  setting: { presets: readonly string[]; args: readonly string[]; opensTexts: boolean },
) => leanValue(data, { ...setting, guarded: new ProtectedNames(setting.args) });

/** The places of a value that differ from the whole, each where a field is missing; fails if anything else differs. */
function missingIn(whole: JsonValue, given: JsonValue, pointer = ""): readonly string[] {
  const part =
    typeof whole === "object" && typeof given === "string" ? (JSON.parse(given) as JsonValue) : given;
  if (typeof whole !== "object" || whole === null || typeof part !== "object" || part === null) {
    if (part !== whole) throw new Error(`The value at ${pointer} was changed.`);
    return [];
  }
  const keys = Object.keys(whole).filter((name) => Object.hasOwn(part, name));
  const isSame = Object.keys(part).join("\n") === keys.join("\n");
  if (!isSame || (Array.isArray(whole) && keys.length !== whole.length))
    throw new Error(`The keys at ${pointer} are others, or in another order.`);
  const at = (value: object, name: string): JsonValue => (value as JsonObject)[name] as JsonValue;
  return Object.keys(whole).flatMap((name) => {
    const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return keys.includes(name) ? missingIn(at(whole, name), at(part, name), place) : [place];
  });
}

describe("lean", () => {
  test("leaves out nothing a second time", () => {
    fc.assert(
      fc.property(anyData, anySetting, (data, setting) => {
        const once = leanOf(data, setting);
        const twice = leanOf(once.value, setting);
        expect(twice.value).toBe(once.value);
        expect(twice.dropped).toEqual([]);
      }),
      lawRuns(2_000),
    );
  });

  test("changes no value that it keeps, keeps the order of keys, and names every field that it leaves out", () => {
    fc.assert(
      fc.property(anyData, anySetting, (data, setting) => {
        const { value, dropped } = leanOf(data, setting);
        const opened = openTexts(data);
        const missing = missingIn(opened, value);
        expect(missing.length).toBe(dropped.length);
        const named = nameFields(dropped, "").flatMap((name) => [
          ...eachItem(selectName(opened, name) ?? fail(name)),
        ]);
        for (const place of missing)
          expect(named.some(({ pointer }) => place === pointer || place.startsWith(`${pointer}/`))).toBe(
            true,
          );
      }),
      lawRuns(2_000),
    );
  });

  test("keeps what the output schema asks for", () => {
    const withNulls = fc.array(fc.tuple(fc.constantFrom("x", "y", "z"), nothing), { maxLength: 3 });
    const judge = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    fc.assert(
      fc.property(
        anySpec.chain(({ schema, defs, instance }) =>
          fc.tuple(fc.constant({ ...schema, $defs: defs }), instance, withNulls, fc.boolean()),
        ),
        ([schema, { value }, more, isUnder]) => {
          const added = isJsonObject(value) && isUnder ? { ...value, ...Object.fromEntries(more) } : value;
          const isValid = judge.compile(schema);
          if (!isValid(added)) return;
          const { limits } = ToolSchemas.ofListed(schema);
          if (limits.bindsFields) return;
          const guarded = new ProtectedNames([], limits.required);
          const lean = leanValue(added, { presets: [], guarded, opensTexts: !limits.bindsTexts });
          expect(isValid(lean.value)).toBe(true);
        },
      ),
      lawRuns(2_000),
    );
  });

  test("is given back whole through the contract", async () => {
    const filler = Array.from({ length: 40 }, (_, id) => ({ id, more: null, less: "", list: [] }));
    await fc.assert(
      fc.asyncProperty(anyData, async (data) => {
        const whole = { data, filler };
        const { complete, dropped, hashes } = await leanCall(answerOf(whole));
        expect(dropped.length).toBeGreaterThan(0);
        expect(hashes).toHaveLength(1);
        expect(JSON.stringify(await complete())).toBe(JSON.stringify(whole));
      }),
      lawRuns(1_000, 20),
    );
  });
});

function fail(name: string): never {
  throw new Error(`${name} names nothing.`);
}
