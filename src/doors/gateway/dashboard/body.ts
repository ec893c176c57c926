// Texts for the page: masked as in the log, cut at a limit, with their tokens counted. Texts of calls may be long, and
// the gateway has other work, so counting and masking stop at a limit.

import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { TokenCounter } from "../../../core/tokens/token-counter.ts";
import type { Body } from "./protocol/result.ts";

/** The longest text that is sent to the page. */
const MAX_BODY_CHARS = 256 * 1024;
/** How much more is masked: a secret that begins before the cut must still be recognised. */
const MASKED_BEYOND_CHARS = 16 * 1024;
/** Longer texts are counted up to here, which takes some 60 ms, and the rest is extrapolated. */
const MAX_COUNTED_CHARS = 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

type BodyState = Pick<ContractState, "mask" | "counter">;

interface Counted {
  readonly tokens: number;
  readonly isEstimated?: true;
}

function countHead(counter: TokenCounter, head: string, chars: number): Counted {
  const counted = head.length > MAX_COUNTED_CHARS ? head.slice(0, MAX_COUNTED_CHARS) : head;
  const tokens = counter.count(counted);
  if (counted.length >= chars) return { tokens };
  return { tokens: Math.round((tokens * chars) / counted.length), isEstimated: true };
}

/** The beginning of a text that does not end inside a surrogate pair. */
function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}

function shownOf({ mask }: BodyState, text: string, chars: number): Pick<Body, "text" | "chars" | "isHead"> {
  const masked = mask(headOf(text, MAX_BODY_CHARS + MASKED_BEYOND_CHARS));
  const shown = headOf(masked, MAX_BODY_CHARS);
  return { text: shown, chars, isHead: chars > MAX_BODY_CHARS || shown.length < masked.length };
}

/** A text for the page. `read` is the part that a model reads, if that is not all: its tokens are counted. */
export async function bodyOf(
  state: BodyState,
  text: string,
  read: readonly string[] = [text],
): Promise<Body> {
  const counter = await state.counter();
  const parts = read.map((part) => countHead(counter, part, part.length));
  return {
    ...shownOf(state, text, text.length),
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    isEstimated: parts.some(({ isEstimated }) => isEstimated === true) ? true : undefined,
  };
}

/** Like `bodyOf`, for UTF-8 that may be too long for one string: only its beginning is kept. */
export async function bodyOfBytes(state: BodyState, bytes: Uint8Array): Promise<Body> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let head = "";
  let chars = 0;
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    const piece = decoder.decode(bytes.subarray(start, start + PIECE_BYTES), { stream: true });
    chars += piece.length;
    if (head.length < MAX_COUNTED_CHARS) head += piece;
    await turn();
  }
  const rest = decoder.decode();
  const text = head.length === chars ? head + rest : head;
  const counter = await state.counter();
  return { ...shownOf(state, text, chars + rest.length), ...countHead(counter, text, chars + rest.length) };
}

/** Lets waiting calls run first. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
