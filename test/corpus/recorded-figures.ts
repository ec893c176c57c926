// What the rules for failures find in the labelled results, in every way in which the same result can arrive.

import type { JsonObject } from "../../src/core/json/json-value.ts";
import {
  type Figures,
  type Recorded,
  figuresOf,
  learntOf,
  readAs,
  readRecorded,
  unmarked,
  unpacked,
} from "./recorded-results.ts";

interface Way {
  readonly change: (result: JsonObject) => JsonObject;
  readonly reading?: (each: Recorded, half: readonly Recorded[]) => Parameters<typeof readAs>[2];
}

const ways = {
  "as recorded": { change: (result) => result },
  "as the server sent it": { change: unpacked },
  "without its mark": { change: (result) => unmarked(unpacked(result)) },
  "with a policy learnt from the tool's other results": {
    change: unpacked,
    reading: (each, half) => {
      const failureStarts = learntOf(each, half);
      return failureStarts === undefined ? {} : { failureStarts };
    },
  },
  // No annotations were recorded, so only a name makes a tool one that gives documents.
  "with the tool's name and arguments known": {
    change: unpacked,
    reading: ({ isDocument }) => ({ isDocument }),
  },
} as const satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof ways;
export const wayNames = Object.keys(ways) as readonly WayName[];

/** What is found in one half of the labelled results, where they arrive in this way. */
export function figuresFor(isHeldOut: boolean, name: WayName): Figures {
  const way: Way = ways[name];
  const half = readRecorded().filter((each) => each.isHeldOut === isHeldOut);
  return figuresOf(half.map((each) => readAs(each, way.change(each.result), way.reading?.(each, half))));
}
