// A result that another Waybill cut already says how much it lost. What is cut now comes on top, and a reader wants one
// sum of what the tool returned first, not two that count from different wholes.

import type { WarningDetail } from "../../contract/warning.ts";
import { singularOf } from "../../json/main-collection.ts";
import { sayName } from "../../text/say-name.ts";

interface Counts {
  readonly droppedCount: number;
  readonly totalCount: number;
  readonly noun: string;
}

const CODE = "CONTENT_TRUNCATED";
/** How such a warning reads where only its message came along: "990 rows omitted", "5 of 9 omitted". */
const message = /^([\d,]{1,20}) (?:of [\d,]{1,20} ?)?(.{0,512}?) ?omitted(?: due to .*)?$/s;

/** What an earlier warning says was left out; undefined for any other warning. */
function readEarlier({
  code,
  message: said,
  context,
}: WarningDetail): Omit<Counts, "totalCount"> | undefined {
  if (code !== undefined && code !== CODE) return undefined;
  const [, digits = "", noun = ""] = message.exec(said) ?? [];
  const counted = context?.["dropped_count"];
  const droppedCount = typeof counted === "number" ? counted : Number(digits.replaceAll(",", ""));
  return droppedCount > 0 ? { droppedCount, noun } : undefined;
}

function speaksOf(noun: string, now: string): boolean {
  return noun === "" || noun === sayName(now) || noun === sayName(singularOf(now));
}

/** The counts of this cut and of those before it together, and the warnings without those that they stand for. */
export function addEarlierCuts<Now extends Counts>(
  now: Now,
  warnings: readonly WarningDetail[],
): { readonly counts: Now; readonly others: readonly WarningDetail[] } {
  let counts = now;
  const others = warnings.filter((warning) => {
    const earlier = readEarlier(warning);
    if (earlier === undefined || !speaksOf(earlier.noun, now.noun)) return true;
    counts = {
      ...counts,
      droppedCount: counts.droppedCount + earlier.droppedCount,
      totalCount: counts.totalCount + earlier.droppedCount,
    };
    return false;
  });
  return { counts, others };
}
