import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { MAX_NAME, MergedNames } from "./merged-names.ts";

const word = fc.oneof(
  fc.constantFrom("a", "b", "a_b", "b_a", "a_b_a", "search", "a.b", "a-b", "waybill_retrieve"),
  fc.stringMatching(/^[a-z_.-]{1,90}$/),
);
const servers = fc.uniqueArray(fc.oneof(fc.constantFrom("a", "b", "a_b", "a.b", "a-b"), word), {
  minLength: 1,
  maxLength: 5,
});
const lists = servers.chain((names) =>
  fc.tuple(fc.constant(names), fc.array(fc.array(word, { maxLength: 6 }), { minLength: 5, maxLength: 5 })),
);
const prefix = fc.constantFrom("collision" as const, "always" as const);

describe("the names of several servers at one address", () => {
  it("are different, at most 64 characters long, and lead back to what they stand for", () => {
    fc.assert(
      fc.property(lists, prefix, ([names, tools], mode) => {
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
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 8 }), (tools) => {
        const merged = new MergedNames({ servers: ["one"], prefix: "collision" }, new Map([["one", tools]]));
        for (const name of tools)
          if (name.length <= MAX_NAME) expect(merged.shown("one", name)).toBe(name);
      }),
      lawRuns(1_000),
    );
  });
});
