import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { freeName, retrieveNameFor, retrieveNameProblem } from "./wire-names.ts";

const anyName = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/),
  fc.constantFrom("", "--", "数据库", "my server", "a/b", "__", "x".repeat(200)),
);

describe("the name of the tool that gives back what was cut", () => {
  it("is legal for every gateway, and is found nowhere among the server's own tools", () => {
    fc.assert(
      fc.property(anyName, fc.array(fc.nat({ max: 12 }), { maxLength: 12 }), (gateway, numbers) => {
        const name = retrieveNameFor(gateway);
        expect(retrieveNameProblem(name)).toBeUndefined();
        const numbered = numbers.map((number) => freeName(name, (each) => each.endsWith(`_${number}`)));
        const taken = new Set([name, ...numbered, `${name}_2`]);
        const free = freeName(name, (each) => taken.has(each));
        expect(taken.has(free)).toBe(false);
        expect(retrieveNameProblem(free)).toBeUndefined();
      }),
      lawRuns(1_000),
    );
  });

  it("keeps what can be kept of the gateway's name", () => {
    expect(["files", "my server", "a.b", "数据库", "x".repeat(80)].map(retrieveNameFor)).toEqual([
      "files_retrieve",
      "my_server_retrieve",
      "a_b_retrieve",
      "waybill_retrieve",
      `${"x".repeat(51)}_retrieve`,
    ]);
  });

  it.each([[""], ["a b"], ["a.b"], ["x".repeat(61)], [7]])("is refused where no API takes it: %j", (name) => {
    expect(retrieveNameProblem(name)).toMatch(/^is not the name of a tool/);
  });
});
