import * as z from "zod/mini";

/** A place in canonical text: code points from `start` up to, not including, `end`; `page` counts from 1. */
export interface Locator {
  readonly start: number;
  readonly end: number;
  readonly page?: number;
}

const pattern = /^(?:page:([1-9]\d*):)?char:(0|[1-9]\d*)-(0|[1-9]\d*)$/;

/** The place a locator names, or undefined when the text is none: `char:S-E` or `page:N:char:S-E`, S <= E. */
export function parseLocator(text: string): Locator | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, page, from = "", to = ""] = match;
  const start = Number(from);
  const end = Number(to);
  if (start > end || !Number.isSafeInteger(end)) return undefined;
  return page === undefined ? { start, end } : { start, end, page: Number(page) };
}

export function formatLocator({ start, end, page }: Locator): string {
  return `${page === undefined ? "" : `page:${page}:`}char:${start}-${end}`;
}

export const locatorSchema = z
  .string()
  .check(
    z.refine((text) => parseLocator(text) !== undefined, {
      error: "is not char:START-END or page:N:char:START-END with START <= END",
    }),
  )
  .register(z.globalRegistry, { pattern: pattern.source });
