import { describe, expect, it } from "vitest";
import { faults } from "../../core/contract/faults.ts";
import { readableError } from "./answered-call.ts";

const failing = (): never => {
  throw new Error("private");
};

describe("readableError", () => {
  it.each([
    undefined,
    null,
    "text",
    7n,
    Symbol.iterator,
    new Error("x"),
    faults.conflict("x"),
    { a: 1 },
    failing,
  ])("gives %s back as it is", (error) => {
    expect(readableError(error)).toBe(error);
  });

  it.each([
    ["a proxy that throws", new Proxy({}, { has: failing, get: failing, getPrototypeOf: failing })],
    ["a getter that throws", Object.defineProperty(new Error("x"), "message", { get: failing })],
    ["a code that throws", { code: { toString: failing } }],
    ["what only looks like a fault", { [Symbol.for("waybill.ToolFault")]: true }],
  ])("replaces %s, and says nothing of it", (_, error) => {
    expect(readableError(error)).toEqual(new Error("The tool threw a value that cannot be read"));
  });
});
