import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { looseGaps, looseValue, writeLoosely } from "../../../test/arbitrary/loose-json.ts";
import { findDoubledKey } from "./doubled-keys.ts";

const message = fc.record({ gaps: looseGaps, args: fc.dictionary(fc.string(), looseValue, { maxKeys: 4 }) });
const toCall = (args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "read", arguments: args, _meta: { progressToken: 1 } },
});
/** A place for another member: behind an opening brace, outside of every text. */
const places = fc.constantFrom('"read"', '"2.0"', '"tools/call"');
const owners = { '"read"': "name", '"2.0"': "jsonrpc", '"tools/call"': "method" } as const;

describe("findDoubledKey", () => {
  it("finds none in what JSON.stringify and any white space make", () => {
    fc.assert(
      fc.property(message, ({ gaps, args }) => {
        expect(findDoubledKey(writeLoosely(toCall(args), gaps))).toBeUndefined();
      }),
      lawRuns(1_000),
    );
  });

  it("finds a second key wherever it is, in any case of its letters", () => {
    fc.assert(
      fc.property(message, places, fc.boolean(), ({ gaps, args }, place, isUpper) => {
        const like = owners[place];
        const key = isUpper ? like.toUpperCase() : like;
        const text = writeLoosely(toCall(args), gaps).replace(place, (value) => `${value},"${key}":${value}`);
        expect(findDoubledKey(text)).toEqual({ key, like, where: like === "name" ? "params" : "" });
      }),
      lawRuns(1_000),
    );
  });
});
