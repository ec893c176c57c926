import { appendPointer } from "./pointer.ts";
import { QUOTE, codeAt, isDigit, scanNumber, skipString } from "./scan-token.ts";

interface Step {
  /** The current key or index; undefined between the keys of an object. */
  key: string | number | undefined;
  readonly seen: Set<string> | undefined;
  lastIndex: number;
}

export interface TracedToken {
  readonly kind: "key" | "string" | "number";
  readonly offset: number;
  /** A string unescaped, a number as written. */
  readonly text: string;
  /** The same key came before in this object. */
  readonly repeats: boolean;
  /** JSON.parse moves this key in front of an earlier one. */
  readonly moves: boolean;
}

const MINUS = 0x2d;
const ARRAY_INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_ARRAY_INDEX = 2 ** 32 - 2;

/** Walks JSON text that is known to be valid before `until` and shows each token with a way to get its pointer. */
export function traceJson(
  text: string,
  until: number,
  visit: (token: TracedToken, pointer: () => string) => void,
): string {
  const steps: Step[] = [];
  const pointer = (): string => pointerTo(steps);
  let offset = 0;
  while (offset < until) {
    const code = codeAt(text, offset);
    const step = steps.at(-1);
    if (code === QUOTE) {
      const end = skipString(text, offset);
      if (end < 0 || end > until) break;
      const string = unescape(text.slice(offset, end));
      if (step?.seen !== undefined && step.key === undefined) visit(enterKey(step, string, offset), pointer);
      else visit({ kind: "string", offset, text: string, repeats: false, moves: false }, pointer);
      offset = end;
    } else if (isDigit(code) || code === MINUS) {
      const end = scanNumber(text, offset);
      if (end < 0 || end > until) break;
      visit({ kind: "number", offset, text: text.slice(offset, end), repeats: false, moves: false }, pointer);
      offset = end;
    } else {
      const mark = text[offset];
      if (mark === "{") steps.push({ key: undefined, seen: new Set(), lastIndex: -1 });
      else if (mark === "[") steps.push({ key: 0, seen: undefined, lastIndex: -1 });
      else if (mark === "}" || mark === "]") steps.pop();
      else if (mark === "," && step !== undefined)
        step.key = typeof step.key === "number" ? step.key + 1 : undefined;
      offset++;
    }
  }
  return pointer();
}

function enterKey(step: Step, key: string, offset: number): TracedToken {
  const repeats = step.seen?.has(key) ?? false;
  step.seen?.add(key);
  step.key = key;
  const index = ARRAY_INDEX.test(key) && Number(key) <= MAX_ARRAY_INDEX ? Number(key) : Infinity;
  const moves = !repeats && index < step.lastIndex;
  if (!repeats) step.lastIndex = Math.max(step.lastIndex, index);
  return { kind: "key", offset, text: key, repeats, moves };
}

function unescape(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function pointerTo(steps: readonly Step[]): string {
  let pointer = "";
  for (const { key } of steps) {
    if (key !== undefined) pointer = appendPointer(pointer, key);
  }
  return pointer;
}
