import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../test/arbitrary/law-runs.ts";
import { jsonLines } from "./json-lines.ts";
import { readJson } from "./read-json.ts";

const laidOut = (text: string): string =>
  jsonLines(readJson(text)?.node ?? { kind: "literal", source: "" }).join("\n");

describe("readJson", () => {
  it("loses nothing of any JSON, and reads every beginning of an object", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        expect(JSON.parse(laidOut(json))).toEqual(JSON.parse(json));
        const whole = JSON.stringify({ json: JSON.parse(json) as unknown });
        expect(readJson(whole.slice(0, 1 + (at % (whole.length - 1))))).toMatchObject({ isCut: true });
      }),
      lawRuns(1_000),
    );
  });
});
