import { InvalidArgumentError } from "commander";

/** Reads an option that is a whole number from 1 up. */
export function parseWhole(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("Give a whole number from 1 up.");
}

const MAX_DAYS = 36_525;

/** Reads an option that is a number of days, parts of one allowed. */
export function parseDays(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= MAX_DAYS) return value;
  throw new InvalidArgumentError(`Give a number of days above 0 and up to ${MAX_DAYS}.`);
}
