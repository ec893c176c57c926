import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { kindOf, rawIdOf, withRawId } from "./raw-message.ts";

const id = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 20 }),
  fc.string({ minLength: 150, maxLength: 250 }),
);
const payload = fc.oneof(
  fc.object({ maxDepth: 3 }),
  // Text that looks like what is searched for.
  fc.constantFrom(
    { a: ',"id":5}' },
    { a: '"id":7,' },
    { id: 3 },
    { b: { id: 4 } },
    { 'x,"id': 5 },
    { a: "\\" },
  ),
);

/** A response whose members are in any order, on one line, with or without spaces. */
const response = fc
  .record({
    id,
    payload,
    isError: fc.boolean(),
    indent: fc.constantFrom("", " "),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  })
  .map(({ id: given, payload: said, isError, indent, order }) => {
    const members = [
      ["jsonrpc", "2.0"],
      ["id", given],
      [isError ? "error" : "result", said],
    ];
    const text = JSON.stringify(Object.fromEntries(order.map((at) => members[at] ?? [])), undefined, indent);
    return { given, bytes: Buffer.from(text.replaceAll("\n", " ")) };
  });

describe("a response", () => {
  it("is told from its ends or from all of it, with its id", () => {
    fc.assert(
      fc.property(response, ({ given, bytes }) => {
        expect(kindOf(bytes).kind).toBe("response");
        expect(JSON.parse(rawIdOf(bytes) ?? "")).toEqual(given);
      }),
      lawRuns(1_000),
    );
  });

  it("under another id is the same but for the id", () => {
    fc.assert(
      fc.property(response, id, ({ bytes }, next) => {
        const before = JSON.parse(bytes.toString()) as object;
        const after = JSON.parse(withRawId(bytes, JSON.stringify(next)).toString()) as object;
        expect(after).toEqual({ ...before, id: next });
        expect(Object.keys(after)).toEqual(Object.keys(before));
      }),
      lawRuns(1_000),
    );
  });
});
