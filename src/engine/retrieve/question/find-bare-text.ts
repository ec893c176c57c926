import { Mistake } from "./mistake.ts";

/** A day or a time as ISO 8601 writes it, also with a month of one digit. `2026-1-16` would be computed to 2009. */
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?!\d)(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/i;
const MONTH = /^\d{4}-0\d(?!\d)/;
/** A post code or a number of an account: JSON has no such numbers. */
const LEADING_ZERO = /^0\d+/;

/** A date or a number with a zero in front that stands at a place of the expression without the quotes of a text. */
export function findBareText(expression: string, index: number): Mistake | undefined {
  if (/[\w.]/.test(expression.charAt(index - 1)) || !/\d/.test(expression.charAt(index))) return undefined;
  const rest = expression.slice(index, index + 40);
  const [date] = DATE.exec(rest) ?? MONTH.exec(rest) ?? [];
  const [zero] = LEADING_ZERO.exec(rest) ?? [];
  const found = date ?? zero;
  if (found === undefined) return undefined;
  const what = date === undefined ? "a number has no zero in front, and text" : "a date is text, which";
  const edit = { at: index, remove: found.length, insert: `'${found.replace(/-(\d)(?!\d)/g, "-0$1")}'` };
  return new Mistake(`${what} stands between single quotes`, index, edit);
}
