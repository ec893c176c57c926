import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { dropSpaces } from "./scan-json.ts";

describe("dropSpaces", () => {
  it("leaves every number, text and escape as it is written", () => {
    const text = ' {\r\n\t"a b" : [ 1.10 , -0, 1E5,1.0 ],"c\\" : \\\\": "\\u00e9 \\/  x" , "d":{ } }\n';
    expect(dropSpaces(text)).toBe('{"a b":[1.10,-0,1E5,1.0],"c\\" : \\\\":"\\u00e9 \\/  x","d":{}}');
  });

  it("makes of laid out JSON what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(1, 4, "\t", "\r\n "), (value, space) => {
        expect(dropSpaces(JSON.stringify(value, undefined, space))).toBe(JSON.stringify(value));
      }),
      lawRuns(2_000),
    );
  });
});
