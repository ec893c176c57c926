// What a question that did not fit may have meant. Whoever shows one of these tries it first.

import { isJsonObject } from "../../../core/json/json-value.ts";
import { didYouMean } from "../../../core/text/did-you-mean.ts";
import type { CheckedExpression } from "./check-expression.ts";
import type { MissedKey } from "./key-use.ts";
import { writeKey } from "./example-question.ts";
import { type ExpressionNode, partsOf } from "./expression-node.ts";
import { applyEdit } from "./mistake.ts";

const LENGTHS: ReadonlySet<string> = new Set(["length", "count", "size"]);

/** With another key, or with what is asked of a list asked of its items. */
export function* mendings(
  { node, where }: MissedKey,
  { text, placeOf }: CheckedExpression,
): Generator<string> {
  const at = placeOf(node);
  if (at === undefined) return;
  const written = [JSON.stringify(node.name), node.name].find((key) => text.startsWith(key, at));
  if (written === undefined) return;
  const isBehindDot = text[at - 1] === ".";
  if (LENGTHS.has(node.name)) yield* lengths(text, at, written.length);
  if (isJsonObject(where)) {
    // A key with a minus in it is read as a subtraction unless it has its quotes.
    const [whole = ""] = /^\w+(?:-\w+)+/.exec(text.slice(at)) ?? [];
    if (Object.hasOwn(where, whole))
      yield applyEdit(text, { at, remove: whole.length, insert: JSON.stringify(whole) });
    const meant = didYouMean(node.name, Object.keys(where));
    if (meant !== undefined) yield applyEdit(text, { at, remove: written.length, insert: writeKey(meant) });
    yield text;
    return;
  }
  if (Array.isArray(where)) {
    // The whole may be meant for every item: as a field of it, or as a condition.
    if (!isBehindDot) yield text;
    const place = isBehindDot ? at - 1 : at;
    yield applyEdit(text, { at: place, remove: 0, insert: isBehindDot ? "[*]" : "[*]." });
    yield text;
    return;
  }
  if (isBehindDot) yield applyEdit(text, { at: at - 1, remove: written.length + 1, insert: "" });
}

/** `orders.length` and `orders | length` as `length(orders)`. */
function* lengths(text: string, at: number, length: number): Generator<string> {
  const [before = "", list = ""] = /([\w.[\]*@"?=' ]*?)\s*[.|]\s*$/.exec(text.slice(0, at)) ?? [];
  if (list === "") return;
  yield applyEdit(text, {
    at: at - before.length,
    remove: before.length + length,
    insert: `length(${list})`,
  });
}

/** With the numbers read that are written as text. */
export function* withNumbers(node: ExpressionNode, { text, placeOf }: CheckedExpression): Generator<string> {
  const places = fieldsOf(node).flatMap((field) => {
    const at = placeOf(field);
    const written = writeKey(field.name);
    return at !== undefined && text.startsWith(written, at) ? [{ at, written }] : [];
  });
  const edits = places.map(({ at, written }) => ({
    at,
    remove: written.length,
    insert: `to_number(${written})`,
  }));
  for (const edit of edits) yield applyEdit(text, edit);
  const last = edits.toSorted((a, b) => b.at - a.at);
  if (last.length > 1) yield last.reduce((mended, edit) => applyEdit(mended, edit), text);
}

function fieldsOf(node: ExpressionNode): readonly (ExpressionNode & { readonly type: "Field" })[] {
  return node.type === "Field" ? [node] : partsOf(node).flatMap((part) => fieldsOf(part));
}
