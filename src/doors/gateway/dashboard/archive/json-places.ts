// Where places of a JSON text stand, as pointers, in one pass that decodes nothing but the keys on the way to them: the
// text may have megabytes, and calls go on meanwhile.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../../../../core/json/scan-token.ts";
import { appendPointer } from "../../../../core/json/pointer.ts";

interface Frame {
  /** Of an array: the item under way. Of an object: undefined. */
  index: number | undefined;
  /** Of an object: where the key under way stands, with its quotes. */
  key: readonly [start: number, end: number] | undefined;
}

/** Behind the quote that ends the text of JSON which has begun before `from`. */
function endOfText(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH && first > from) first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function pointerOf(text: string, frames: readonly Frame[]): string {
  let pointer = "";
  for (const { index, key } of frames) {
    if (index !== undefined) pointer = appendPointer(pointer, index);
    else if (key !== undefined) pointer = appendPointer(pointer, JSON.parse(text.slice(...key)) as string);
  }
  return pointer;
}

/** Walks JSON up to the last of some offsets, which are in rising order, and gives the pointer of each. */
export function pointersAt(text: string, offsets: readonly number[]): readonly string[] {
  const frames: Frame[] = [];
  const pointers: string[] = [];
  let frame: Frame | undefined;
  let wanted = offsets[0] ?? Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length && pointers.length < offsets.length;) {
    let end = at + 1;
    // By their codes: a text for each character would take several times as long.
    switch (text.charCodeAt(at)) {
      case QUOTE:
        end = endOfText(text, end);
        // A key stands where its value does.
        if (frame !== undefined && frame.index === undefined) frame.key ??= [at, end];
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        frame = { index: text.charCodeAt(at) === OPEN_BRACKET ? 0 : undefined, key: undefined };
        frames.push(frame);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        frames.pop();
        frame = frames.at(-1);
        break;
      case COMMA:
        if (frame?.index !== undefined) frame.index += 1;
        else if (frame !== undefined) frame.key = undefined;
        break;
      default:
    }
    while (wanted < end) {
      pointers.push(pointerOf(text, frames));
      wanted = offsets[pointers.length] ?? Number.POSITIVE_INFINITY;
    }
    at = end;
  }
  return pointers;
}
