import type { JsonValue } from "../json/json-value.ts";
import { unsafeIntegersIn } from "../json/unsafe-integers.ts";
import type { Notes } from "./outcome.ts";
import type { WarningDetail } from "./warning.ts";

const MAX_NAMED = 3;

/** Says where data has whole numbers that JavaScript may have rounded before anybody here saw them; undefined for none. */
export function roundedNumbers(data: JsonValue): WarningDetail | undefined {
  const { pointers, count } = unsafeIntegersIn(data, MAX_NAMED);
  if (count === 0) return undefined;
  const named = pointers.map((pointer) => pointer || "the whole value").join(", ");
  const more = count > pointers.length ? ` and ${count - pointers.length} more` : "";
  return {
    code: "NUMBERS_ROUNDED",
    severity: "warning",
    message: `Whole numbers beyond 2^53 may have been rounded by JavaScript: ${named}${more}. Send them as text to keep every digit`,
    context: { pointers, count },
  };
}

/** Notes that tell of it. Whoever parsed a message may have rounded; a server that knows of it has said so already. */
export function withRoundingTold(data: JsonValue, notes: Notes): Notes {
  const { warnings = [] } = notes;
  const rounded = roundedNumbers(data);
  if (rounded === undefined || warnings.some(({ code }) => code === rounded.code)) return notes;
  return { ...notes, warnings: [...warnings, rounded] };
}
