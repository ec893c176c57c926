import { InvalidArgumentError } from "commander";
import type { ByteRange } from "./read-selection.ts";

const RANGE = /^(\d{1,15})-(\d{1,15})?$/;
const RANGE_URI = /^(waybill:\/\/archive\/[^/?#]+)\/(\d{1,15})\/(\d{1,15})$/i;

/** `0-1000`, or `1000-` for the rest. */
export function parseRange(text: string): ByteRange {
  const [, start, end] = RANGE.exec(text) ?? [];
  if (start === undefined)
    throw new InvalidArgumentError("Give bytes as S-E, such as 0-1000, or S- for the rest.");
  return { start: Number(start), end: end === undefined ? undefined : Number(end) };
}

/** A resource URI may carry a range of its own, as `waybill://archive/<hash>/0/1000` does. */
export function splitRangeUri(reference: string): { readonly reference: string; readonly range?: ByteRange } {
  const [, uri, start, end] = RANGE_URI.exec(reference.trim()) ?? [];
  if (uri === undefined) return { reference };
  return { reference: uri, range: { start: Number(start), end: Number(end) } };
}
