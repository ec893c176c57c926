import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { applyToJson, writeJson } from "./find-non-json.ts";

class Decimal {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toJSON(): string {
    return this.#digits;
  }
}

const values: readonly (readonly [string, unknown])[] = [
  ["a Date", new Date(0)],
  ["an invalid Date", new Date(Number.NaN)],
  ["a URL", new URL("https://example.org/?q=1")],
  ["a decimal", new Decimal("12.30")],
  ["a Buffer", Buffer.from("hi")],
  ["an object of such", { at: new Date(0), price: new Decimal("0.10"), n: 1 }],
  ["a list of such", [new Date(0), 1, [new Decimal("1")]]],
  ["one that gives others", { toJSON: () => ({ at: new Date(0), list: [new Decimal("2")] }) }],
  ["one that is left out of an object", { gone: { toJSON: () => undefined }, n: 1 }],
  ["one that is null in a list", [{ toJSON: () => undefined }, 1]],
  ["one that asks for its key", { first: { toJSON: (key: string) => key }, rest: [{ toJSON: String }] }],
  ["a key that is no ordinary one", JSON.parse('{"__proto__":{"n":1}}')],
  ["a list with a toJSON of its own", Object.assign([1], { toJSON: () => "list" })],
];

describe("writeJson", () => {
  it.each(values)("gives what JSON.stringify writes for %s", (_, value) => {
    const { value: said, problem } = writeJson(value);
    expect(problem).toBeUndefined();
    expect(JSON.stringify(said)).toBe(JSON.stringify(value));
    expect(said).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it("gives the very same value where nothing has a toJSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const said = writeJson(value);
        expect(said.problem).toBeUndefined();
        expect(said.value).toBe(value);
        expect(applyToJson(value, 1_000)).toEqual(value);
      }),
      lawRuns(1_000),
    );
  });

  it("never changes its argument", () => {
    const given = { at: new Date(0), list: [new Date(1)] };
    writeJson(given);
    expect(given).toEqual({ at: new Date(0), list: [new Date(1)] });
  });

  it.each([
    ["a Map", { at: new Date(0), map: new Map() }, "/map"],
    ["a Set", { at: new Date(0), set: new Set() }, "/set"],
    ["a BigInt", { at: new Date(0), big: 1n }, "/big"],
    ["NaN", { at: new Date(0), n: Number.NaN }, "/n"],
    ["a NaN that a toJSON gives", { n: { toJSON: () => Number.NaN } }, "/n"],
  ])("still names %s", (_, value, pointer) => {
    expect(writeJson(value).problem?.pointer).toBe(pointer);
  });

  it("names a cycle, and one that never ends", () => {
    const circle: Record<string, unknown> = { at: new Date(0) };
    circle["self"] = circle;
    expect(writeJson(circle).problem?.reason).toBe("circular");
    const endless = (): object => ({ toJSON: () => ({ left: endless(), right: endless() }) });
    expect(writeJson(endless()).problem).toBeDefined();
  });
});
