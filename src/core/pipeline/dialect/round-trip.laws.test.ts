import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyOutcome } from "../../../../test/arbitrary/outcomes.ts";
import { dialectIds } from "../../contract/dialect-id.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { presentNotes, profiles } from "../../contract/profile.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { type Dialect, type RenderOptions, forget } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { translate } from "./translate.ts";
import { validateResponse } from "./validate-response.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000, 30);

/** What a dialect's own document says it cannot tell apart or refuses; see each dialect's page. */
function canCarry(dialect: Dialect, outcome: Outcome): boolean {
  if (!outcome.ok || !isJsonObject(outcome.data)) return true;
  const keys = Object.keys(outcome.data);
  // Sent one level deeper, so that it is not read as a failure.
  if (dialect.id === "response-v1") return !(keys.length === 1 && keys[0] === "error");
  return dialect.id !== "response-v2-draft" || !keys.some((key) => key === "_meta" || key === "_warnings");
}

/** The outcome a reader gets: what the profile shows, less what the dialect cannot carry. */
function expected(dialect: Dialect, outcome: Outcome, options: RenderOptions): Outcome {
  const show = { ...options.profile.show, ...dialect.presence?.[options.profile.name] };
  const shown = { ...outcome, notes: presentNotes(outcome, show, options.requestIdFrom ?? "client") };
  return forget(shown, dialect.losses);
}

for (const id of dialectIds) {
  const dialect = dialects[id];
  describe(`the ${id} dialect`, () => {
    for (const profile of Object.values(profiles)) {
      // shows 002.2
      it(`renders a valid ${profile.name} response that reads back as what went in`, () => {
        fc.assert(
          fc.property(anyOutcome, fc.constantFrom("client", "server"), (outcome, requestIdFrom) => {
            fc.pre(canCarry(dialect, outcome));
            const options = { profile, requestIdFrom } as const;
            const rendered = dialect.render(outcome, options);
            const verdict = validateResponse(rendered, { dialect: id });
            expect(verdict.violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
            expect(dialect.schema.safeParse(rendered).error).toBeUndefined();
            expect(dialect.read(rendered)).toEqual(expected(dialect, outcome, options));
          }),
          runs,
        );
      });
    }
  });
}

describe("the draft with metadata in data", () => {
  it("reads back what it renders", () => {
    const dialect = dialects["response-v2-draft"];
    fc.assert(
      fc.property(anyOutcome, (outcome) => {
        fc.pre(canCarry(dialect, outcome));
        const options = { profile: profiles.debug, metadata: "data" } as const;
        expect(dialect.read(dialect.render(outcome, options))).toEqual(expected(dialect, outcome, options));
      }),
      runs,
    );
  });
});

/** What no translation between enveloped dialects may lose. */
function essence(outcome: Outcome): unknown {
  return outcome.ok ? [true, outcome.data] : [false, outcome.fault.code];
}

describe("translate", () => {
  const lossless = ["response-v2", "response-v2-draft", "scalpel"] as const;
  for (const to of dialectIds) {
    it(`from response-v2 to ${to} and back keeps all that ${to} can carry`, () => {
      fc.assert(
        fc.property(anyOutcome, (outcome) => {
          const profile = profiles.debug;
          const source = dialects["response-v2"].render(outcome, { profile }) as JsonObject;
          const there = dialects["response-v2"].read(source);
          fc.pre(canCarry(dialects[to], there));
          const back = translate(translate(source, { from: "response-v2", to, profile }), {
            from: to,
            to: "response-v2",
            profile,
          });
          expect(dialects["response-v2"].read(back)).toEqual(forget(there, dialects[to].losses));
        }),
        runs,
      );
    });
  }

  it("never loses success, code or data between the three enveloped dialects", () => {
    fc.assert(
      fc.property(
        anyOutcome,
        fc.constantFrom(...lossless),
        fc.constantFrom(...lossless),
        (outcome, from, to) => {
          fc.pre(canCarry(dialects[from], outcome) && canCarry(dialects[to], outcome));
          const source = dialects[from].render(outcome, { profile: profiles.minimal });
          const before = dialects[from].read(source);
          const after = dialects[to].read(translate(source, { from, to, profile: "minimal" }));
          expect(essence(after)).toEqual(essence(forget(before, dialects[to].losses)));
        },
      ),
      runs,
    );
  });
});
