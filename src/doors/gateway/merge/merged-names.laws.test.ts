import {
  array,
  assert,
  constant,
  constantFrom,
  oneof,
  property,
  stringMatching,
  tuple,
  uniqueArray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { MAX_NAME, MergedNames } from "./merged-names.ts";

const word = oneof(
  constantFrom("a", "b", "a_b", "b_a", "a_b_a", "search", "a.b", "a-b", "waybill_retrieve"),
  stringMatching(/^[a-z_.-]{1,90}$/),
);
const servers = uniqueArray(oneof(constantFrom("a", "b", "a_b", "a.b", "a-b"), word), {
  minLength: 1,
  maxLength: 5,
});
const lists = servers.chain((names) =>
  tuple(constant(names), array(array(word, { maxLength: 6 }), { minLength: 5, maxLength: 5 })),
);
const prefix = constantFrom("collision" as const, "always" as const);

describe("the names of several servers at one address", () => {
  it("are different, at most 64 characters long, and lead back to what they stand for", () => {
    assert(
      property(lists, prefix, ([names, tools], mode) => {
        const known = new Map(names.map((name, at) => [name, tools[at] ?? []]));
        const reserved = ["waybill_retrieve"];
        const merged = new MergedNames({ servers: names, prefix: mode, reserved }, known);
        const seen = new Set<string>();
        for (const [server, own] of known)
          for (const name of new Set(own)) {
            const shown = merged.shown(server, name);
            expect(shown.length).toBeLessThanOrEqual(MAX_NAME);
            expect(reserved).not.toContain(shown);
            expect(seen.has(shown)).toBe(false);
            seen.add(shown);
            expect(merged.find(shown)).toEqual({ server, name });
          }
      }),
      lawRuns(1_000),
    );
  });

  it("of one server stay what they are, unless they are too long", () => {
    assert(
      property(uniqueArray(word, { maxLength: 8 }), (tools) => {
        const merged = new MergedNames({ servers: ["one"], prefix: "collision" }, new Map([["one", tools]]));
        const short = tools.filter((name) => name.length <= MAX_NAME);
        expect(short.map((name) => merged.shown("one", name))).toEqual(short);
      }),
      lawRuns(1_000),
    );
  });
});
