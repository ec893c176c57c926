// A long text that is searched comes in passages: what matches, with its lines, and not the whole text from its first
// word on.

import { countCodePoints, countLineEnds } from "../../core/text/code-points.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { FoundItem } from "../../core/json/main-collection.ts";
import { type Passage, passagesOf } from "../../core/text/passages.ts";
import type { ItemForm } from "./page-items.ts";

/** A shorter text comes whole. */
const MIN_LENGTH = 2_000;

/** A passage of the text at a pointer; its own pointer names exactly its characters. */
export interface PassageItem extends FoundItem {
  readonly shown: {
    /** The pointer of the text, to use with `lines`; of the passage itself, if it begins or ends within a line. */
    readonly pointer: string;
    /** The lines of the passage, as the argument `lines` takes them. */
    readonly lines: string;
    readonly text: string;
  };
}

/** The passages of a text that is long enough to be searched by them; undefined for a shorter one. */
export function passagesIn(text: string): Iterable<Passage> | undefined {
  return text.length >= MIN_LENGTH ? passagesOf(text) : undefined;
}

export function passageItem({ pointer, value }: FoundItem, { start, end, line }: Passage): PassageItem {
  const whole = typeof value === "string" ? value : "";
  const part = whole.slice(start, end);
  const text = part.replace(/\r?\n$/, "");
  const from = countCodePoints(whole.slice(0, start));
  const own = `${pointer}#char=${from}-${from + countCodePoints(part)}`;
  const isOfLines =
    (start === 0 || whole[start - 1] === "\n") && (end === whole.length || part.endsWith("\n"));
  const last = line + countLineEnds(text);
  const lines = last === line ? `${line}` : `${line}-${last}`;
  return { pointer: own, value: part, shown: { pointer: isOfLines ? pointer : own, lines, text } };
}

function isPassage(item: FoundItem): item is PassageItem {
  return "shown" in item;
}

/** Whether the best item of a search is a passage of a text. */
export function beginsWithPassage(items: { readonly count: number; at(index: number): FoundItem }): boolean {
  return items.count > 0 && isPassage(items.at(0));
}

/** The form with passages added: it writes everything else as the given form does. */
export function withPassages(form: ItemForm): ItemForm {
  const write = ({ pointer, lines, text }: PassageItem["shown"]): JsonObject => ({ pointer, lines, text });
  return {
    ...form,
    whole: (item) => (isPassage(item) ? write(item.shown) : form.whole(item)),
    text: (item, json) => (isPassage(item) ? JSON.stringify(write(item.shown)) : form.text(item, json)),
    piece: (item, slice) =>
      isPassage(item)
        ? { pointer: item.shown.pointer, lines: item.shown.lines, ...slice }
        : form.piece(item, slice),
  };
}
