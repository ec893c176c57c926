import { ContractError } from "../contract/contract-error.ts";

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The part of a range that lies within the content; empty when nothing does. `Infinity` means to the end. */
export function clampRange(start: number, end: number, bytes: number): ByteRange {
  if (Number.isNaN(start) || Number.isNaN(end)) {
    const message = `The range ${start} to ${end} is no range: give two byte offsets, the second one excluded.`;
    throw new ContractError("INVALID_OPTION", message, { option: "range" });
  }
  const from = Math.min(Math.max(0, Math.trunc(start)), bytes);
  return { start: from, end: Math.min(Math.max(from, Math.trunc(end)), bytes) };
}
