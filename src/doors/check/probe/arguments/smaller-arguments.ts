// Smaller versions of arguments: a finding is shown with the smallest, so that a person sees at a glance what matters.

import { type JsonObject, type JsonValue, isJsonObject } from "../../../../core/json/json-value.ts";
import { appendPointer } from "../../../../core/json/pointer.ts";

/** Smaller forms of a value, the largest reduction first. */
export type SmallerForms = (value: JsonValue) => Iterable<JsonValue>;

export function* smallerForms(value: JsonValue): Generator<JsonValue> {
  if (typeof value === "string" && value.length > 1) {
    yield value.slice(0, 1);
    if (value.length > 3) yield value.slice(0, Math.ceil(value.length / 2));
  }
  if (typeof value === "number" && value !== 0) yield Math.trunc(value / 2);
  if (Array.isArray(value) && value.length > 0) {
    yield [];
    if (value.length > 1) yield value.slice(0, Math.ceil(value.length / 2)) as JsonValue;
  }
}

/** The arguments without one of them, or with one made smaller. The wrong value, at `kept`, stays. */
export function* smallerArguments(
  args: JsonObject,
  kept = "",
  forms: SmallerForms = smallerForms,
): Generator<JsonObject> {
  const isFree = (name: string): boolean => !`${kept}/`.startsWith(`${appendPointer("", name)}/`);
  const names = Object.keys(args).filter(isFree);
  for (const name of names) {
    const { [name]: _left, ...rest } = args;
    yield rest;
  }
  for (const name of names) {
    const value = args[name];
    if (value === undefined) continue;
    for (const less of forms(value)) yield { ...args, [name]: less };
    if (isJsonObject(value))
      for (const less of smallerArguments(value, "", forms)) yield { ...args, [name]: less };
  }
}

export interface ShrinkOptions<Shown> {
  /** The wrong value, which stays as it is. */
  readonly kept?: string | undefined;
  readonly forms?: SmallerForms | undefined;
  /** Whether no more may be tried. */
  readonly isOver: () => boolean;
  /** What smaller arguments show; undefined if they do not show the finding. */
  readonly again: (args: JsonObject) => Promise<Shown | undefined>;
}

/** Makes arguments smaller as long as they still show the finding: what the smallest show, undefined if none do. */
export async function shrinkArguments<Shown>(
  args: JsonObject,
  { kept, forms, isOver, again }: ShrinkOptions<Shown>,
): Promise<{ readonly arguments: JsonObject; readonly shown: Shown } | undefined> {
  let best: { readonly arguments: JsonObject; readonly shown: Shown } | undefined;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const less of smallerArguments(best?.arguments ?? args, kept, forms)) {
      if (isOver()) return best;
      const shown = await again(less);
      if (shown === undefined) continue;
      best = { arguments: less, shown };
      isSmaller = true;
      break;
    }
  }
  return best;
}
