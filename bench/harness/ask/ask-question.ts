import type { JsonValue } from "../../../src/core/json/json-value.ts";

export const questionKinds = ["count", "filter", "group", "top", "lookup", "text"] as const;
type QuestionKind = (typeof questionKinds)[number];

/** What is asked, the expression that asks it, and the same computed apart, in plain JavaScript. */
export interface Question<Value> {
  readonly kind: QuestionKind;
  readonly select: string;
  readonly answer: (value: Value) => unknown;
}

/** A question with its right answer. */
export interface AskedQuestion {
  readonly kind: QuestionKind;
  readonly select: string;
  readonly expected: JsonValue;
}

/** A value with the questions that are put to it. */
export interface QuestionSet {
  readonly name: string;
  readonly value: JsonValue;
  readonly questions: readonly AskedQuestion[];
}

/** Computes the right answers once, before anything is asked. */
export function questionSet<Value>(
  name: string,
  value: JsonValue,
  questions: readonly Question<Value>[],
): QuestionSet {
  const asked = questions.map(({ kind, select, answer }) => ({
    kind,
    select,
    expected: JSON.parse(JSON.stringify(answer(value as Value) ?? null)) as JsonValue,
  }));
  return { name, value, questions: asked };
}

/** How often each key occurs, in the order in which they appear. */
export function tally<Item>(list: readonly Item[], key: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of list) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}

/** The amounts of each key added up. */
export function total<Item>(
  list: readonly Item[],
  key: (item: Item) => string,
  amount: (item: Item) => number,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const item of list) sums[key(item)] = (sums[key(item)] ?? 0) + amount(item);
  return sums;
}

/** The first of those with the largest amount. */
export function largest<Item>(list: readonly Item[], amount: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  for (const item of list) if (best === undefined || amount(item) > amount(best)) best = item;
  return best;
}

/** The ones with the largest amounts; equal ones keep their order. */
export function largestOf<Item>(
  list: readonly Item[],
  amount: (item: Item) => number,
  count: number,
): readonly Item[] {
  return list.toSorted((one, other) => amount(other) - amount(one)).slice(0, count);
}

/** In the order of a text, code unit by code unit. */
export function ordered<Item>(list: readonly Item[], text: (item: Item) => string): readonly Item[] {
  return list.toSorted((one, other) => Number(text(one) > text(other)) - Number(text(one) < text(other)));
}
