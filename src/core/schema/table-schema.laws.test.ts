import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeTables } from "../json/table/encode-tables.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import { accepts, anySpec, clientOptions, judges } from "./any-spec.fixture.ts";
import { readPayload } from "./payload.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

/** The same value with longer lists of objects, so that tables pay. */
function grow(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return mapObject(value, grow);
  if (!Array.isArray(value)) return value;
  const items = (value as readonly JsonValue[]).map(grow);
  return items.length > 0 && items.every(isJsonObject)
    ? Array.from({ length: 12 }, () => items).flat()
    : items;
}

function openWith(own: JsonObject, tables: boolean): JsonObject {
  const { schema, defs } = readPayload(own, { tables, onNote: () => {} });
  return { ...schema, $defs: defs };
}

describe("the schema of data with tables", () => {
  it("accepts every instance, as it is and as tables", () => {
    const cases = anySpec.chain((spec) => spec.instance.map(({ value }) => ({ spec, value: grow(value) })));
    let tables = 0;
    const law = fc.property(cases, ({ spec, value }) => {
      const own = { ...spec.schema, $defs: spec.defs };
      fc.pre(accepts(new Ajv2020(clientOptions), own, value));
      const encoded = encodeTables(value);
      const schema = openWith(own, true);
      for (const ajv of judges) {
        expect(accepts(ajv, schema, value)).toBe(true);
        expect(accepts(ajv, schema, encoded)).toBe(true);
      }
      if (encoded !== value) tables += 1;
    });
    const runs = lawRuns(2_000);
    fc.assert(law, runs);
    expect(tables).toBeGreaterThan(runs.numRuns / 100);
  });
});
