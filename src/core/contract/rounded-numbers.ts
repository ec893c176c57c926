import type { JsonValue } from "../json/json-value.ts";
import { unsafeIntegersIn } from "../json/unsafe-integers.ts";
import type { Notes } from "./outcome.ts";
import type { WarningDetail } from "./warning.ts";

const MAX_NAMED = 3;

/**
 * A warning that names whole numbers in the data that JavaScript may have rounded before Waybill saw them; undefined if
 * no number was.
 */
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

/**
 * The notes with that warning. The parser of the message may have rounded; a server that knows of it has already said
 * so.
 */
export function withRoundingTold(data: JsonValue, notes: Notes): Notes {
  const { warnings = [] } = notes;
  const rounded = roundedNumbers(data);
  if (rounded === undefined || warnings.some(({ code }) => code === rounded.code)) return notes;
  return { ...notes, warnings: [...warnings, rounded] };
}
