import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLog } from "./log-event.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

function lineOf(fields: unknown): string {
  const lines: string[] = [];
  createLog({ level: "debug", sink: (line) => void lines.push(line) }).error(
    "event",
    fields as Record<string, unknown>,
  );
  return lines.join("");
}

const unreadable = () => {
  throw new Error("hostile");
};
const circular: Record<string, unknown> = { a: 1 };
circular["self"] = { circular };

const hostile: Readonly<Record<string, unknown>> = {
  "a getter that throws": Object.defineProperty({}, "x", { enumerable: true, get: unreadable }),
  "a circle": circular,
  "a BigInt": 10n ** 30n,
  "a symbol": Symbol("s"),
  "a function": unreadable,
  "a toJSON that throws": { toJSON: unreadable },
  "a toJSON that gives itself": Object.assign(
    {},
    {
      toJSON(this: unknown) {
        return this;
      },
    },
  ),
  "a proxy that refuses": new Proxy({}, { ownKeys: unreadable, get: unreadable, getPrototypeOf: unreadable }),
  "a revoked proxy": (() => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  })(),
  "an invalid date": new Date(Number.NaN),
  "an error with hostile parts": Object.defineProperties(new Error("x"), {
    stack: { get: unreadable },
    message: { get: unreadable },
    extra: { enumerable: true, get: unreadable },
  }),
  "an error that causes itself": (() => {
    const error = new Error("loop");
    error.cause = error;
    return error;
  })(),
  "a huge text": "x".repeat(5_000_000),
  "a deep value": JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  "a wide value": Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => ({ a: { b: 1 } }))),
  "many keys": Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index])),
  bytes: new Uint8Array(1e6),
  "maps and sets": [new Map<unknown, unknown>([[{}, 1]]), new Set([1])],
  "a lone surrogate": "\uD800",
  "no number": Number.NaN,
  nothing: undefined,
};

describe("createLog, whatever it is given,", () => {
  it.each(Object.entries(hostile))("writes one short valid line for %s", (_, value) => {
    for (const fields of [{ value }, { err: value }, value]) {
      const line = lineOf(fields);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(JSON.parse(line)).toMatchObject({ level: 50, msg: "event" });
      expect(line.length).toBeLessThan(200_000);
    }
  });

  it("writes a valid line for any value", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.anything({
            withBigInt: true,
            withMap: true,
            withSet: true,
            withDate: true,
            withNullPrototype: true,
            withTypedArray: true,
            withSparseArray: true,
          }),
        ),
        (fields) => {
          expect(JSON.parse(lineOf(fields))).toMatchObject({ level: 50, msg: "event", name: "waybill" });
        },
      ),
      lawRuns(2_000),
    );
  });

  it("cuts a text at eight kibibytes and says how much is missing", () => {
    const { text } = JSON.parse(lineOf({ text: "y".repeat(10_000) })) as { text: string };
    expect(text).toBe(`${"y".repeat(8_192)}… [1808 more]`);
  });
});
