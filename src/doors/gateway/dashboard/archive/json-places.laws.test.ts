import { assert, json, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import { traceJson } from "../../../../core/json/find-losses.ts";
import { pointersAt } from "./find-words.ts";

describe("places in JSON", () => {
  it("are those that a walk over every token gives", () => {
    assert(
      property(json(), (text) => {
        const offsets: number[] = [];
        const pointers: string[] = [];
        traceJson(text, text.length, ({ offset }, pointer) => {
          offsets.push(offset);
          pointers.push(pointer());
        });
        expect(pointersAt(text, offsets)).toEqual(pointers);
        // A place inside a text is where the text is.
        const inside = offsets.filter((offset) => text[offset] === '"').map((offset) => offset + 1);
        const named = pointers.filter((_, index) => text[offsets[index] ?? 0] === '"');
        expect(pointersAt(text, inside)).toEqual(named);
      }),
      lawRuns(1_000),
    );
  });
});
