// Makes arguments smaller for as long as they still show the same thing.

import { smallerArguments, smallerForms } from "../../check/probe/arguments/smaller-arguments.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { Seen } from "./judge-answer.ts";

/** Calls for one finding. */
const MAX_CALLS = 150;

/** What is left of something long without its end, or without its beginning: half of it first, then ever less. */
function* shorter<Long extends string | readonly JsonValue[]>(value: Long): Generator<Long> {
  for (let less = Math.ceil(value.length / 2); less >= 1; less = less === 1 ? 0 : Math.ceil(less / 2)) {
    yield value.slice(0, value.length - less) as Long;
    yield value.slice(less) as Long;
  }
}

/** A call here costs little, so more is tried than by a check, and what is inside a list too. */
function* forms(value: JsonValue): Generator<JsonValue> {
  // A part of a path is another place, which is nobody's bait: such texts stay whole.
  if (typeof value === "string" && value.length > 1 && !/[\\/]|%2f|touch/i.test(value)) {
    yield "";
    yield* shorter(value);
  }
  if (typeof value === "number" && Math.abs(value) > 1) yield 0;
  if (typeof value === "number") yield* smallerForms(value);
  if (!Array.isArray(value) || value.length === 0) return;
  yield [];
  const items = value as readonly JsonValue[];
  if (items.length > 1) yield* shorter(items);
  const [item = null, ...others] = items;
  if (others.length > 0) return;
  for (const less of forms(item)) yield [less];
  if (isJsonObject(item)) for (const less of smallerArguments(item, "", forms)) yield [less];
}

interface Shown {
  readonly seen: Seen;
  readonly arguments: JsonObject;
}

export async function shrink(
  first: Seen,
  args: JsonObject,
  use: {
    readonly isOver: () => boolean;
    /** The same finding with other arguments; undefined where they do not show it. */
    readonly again: (args: JsonObject) => Promise<Seen | undefined>;
  },
): Promise<Shown> {
  let best: Shown = { seen: first, arguments: args };
  let calls = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const less of smallerArguments(best.arguments, "", forms)) {
      if (calls >= MAX_CALLS || use.isOver()) return best;
      calls += 1;
      const seen = await use.again(less);
      if (seen === undefined) continue;
      best = { seen, arguments: less };
      isSmaller = true;
      break;
    }
  }
  return best;
}
