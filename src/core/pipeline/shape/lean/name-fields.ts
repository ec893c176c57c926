// The names of the fields that lean left out: as entries of `dropped_content_ids`, each of which `waybill_retrieve` takes
// in `ids`, and in the words of one line.

import { appendPointer } from "../../../json/pointer.ts";
import { sayName } from "../../../text/say-name.ts";
import { type LeanRule, leanRules } from "./lean-rules.ts";
import type { DroppedField } from "./lean-value.ts";

/** Up to this many places are named one by one; for more, a name means the field in any place. */
const MAX_PLACES = 8;
/** A longer list would cost more than it says. */
const MAX_NAMES = 60;
/** Longer names are refused when they are sent back. */
const MAX_LENGTH = 1_000;

/**
 * `/items/*\/node_id`: the field of every item. If there are many places, `/**\/node_id`: the field wherever it is. `prefix`
 * is the pointer of the data in what the reader sees; undefined if that is not known yet.
 */
export function nameFields(dropped: readonly DroppedField[], prefix: string | undefined): readonly string[] {
  if (dropped.some(isUnspeakable)) return everything;
  const places = new Set<string>();
  for (const { path, key } of dropped) {
    if (places.size > MAX_PLACES) break;
    places.add(appendPointer(path.reduce(appendPointer, prefix ?? ""), key));
  }
  const exact = [...places];
  if (prefix !== undefined && exact.length <= MAX_PLACES && isSendable(exact)) return exact;
  const keys = new Set<string>();
  for (const { key } of dropped) {
    if (keys.size > MAX_NAMES) break;
    keys.add(key);
  }
  const anywhere = [...keys].map((key) => appendPointer("/**", key));
  return anywhere.length <= MAX_NAMES && isSendable(anywhere) ? anywhere : everything;
}

const everything: readonly string[] = ["/*"];

/** Keys that are signs in a name: a name with such a key would mean something else. */
function isUnspeakable({ path, key }: DroppedField): boolean {
  return key === "*" || path.includes("**") || /^\*\*$|\.\.|#char=/.test(key);
}

function isSendable(names: readonly string[]): boolean {
  return names.every((name) => name.length <= MAX_LENGTH);
}

/** The most names of each kind in the line; the others are in `dropped_content_ids`. */
const MAX_SAID = 16;
/** From this many on, names with the same ending are written as one. */
const MIN_ALIKE = 4;

/** How many fields were left out, and which, by the rules that left them out. */
export function sayFields(dropped: readonly DroppedField[]): string {
  const byRule = new Map<LeanRule, Set<string>>();
  for (const { rule, key } of dropped) {
    const names = byRule.get(rule) ?? new Set();
    byRule.set(rule, names.add(key));
  }
  const groups = [...byRule].map(([rule, names]) => `${leanRules[rule].label}: ${sayKeys([...names])}`);
  const count = dropped.length.toLocaleString("en-US");
  return `${count} ${dropped.length === 1 ? "field" : "fields"} left out (${groups.join("; ")})`;
}

function endOf(key: string): string {
  return /_url$|Url$|URL$/.exec(key)?.[0] ?? "";
}

function sayKeys(keys: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(endOf(key), (counts.get(endOf(key)) ?? 0) + 1);
  const isAlike = (key: string): boolean => endOf(key) !== "" && (counts.get(endOf(key)) ?? 0) >= MIN_ALIKE;
  const said = keys.filter((key) => !isAlike(key)).map(sayName);
  const alike = [...counts].flatMap(([end, count]) =>
    end !== "" && count >= MIN_ALIKE ? [`${count} named *${end}`] : [],
  );
  const more = said.length > MAX_SAID ? [`${said.length - MAX_SAID} more`] : [];
  return [...said.slice(0, MAX_SAID), ...alike, ...more].join(", ");
}
