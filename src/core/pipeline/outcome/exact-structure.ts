import type { Outcome } from "../../contract/outcome.ts";
import { type WarningDetail, orderWarnings } from "../../contract/warning.ts";
import { exactTextOf } from "../../json/exact-text.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { readExactly } from "../../json/read-exactly.ts";

/** A structure that JSON.parse changed: its own text, and what can be looked into where a text cannot. */
export interface ExactStructure {
  readonly text: string;
  /** Numbers that a double does not keep are the text that they are written as. */
  readonly value: JsonValue;
  readonly warning: WarningDetail;
}

const MAX_SHOWN = 40;

function warningOf(quoted: string | undefined): WarningDetail {
  if (quoted === undefined)
    return {
      code: "CONTENT_DROPPED",
      severity: "warning",
      message: "An object has a key more than once: only the last value of such a key is here",
    };
  return {
    code: "NUMBERS_AS_TEXT",
    severity: "warning",
    message: `Numbers too long to be kept exactly, such as ${quoted.slice(0, MAX_SHOWN)}, are here as text`,
  };
}

/** Undefined for a structure that says all that its text said, as nearly all do. */
export function exactStructure(structured: JsonValue | undefined): ExactStructure | undefined {
  const text = exactTextOf(structured);
  if (text === undefined) return undefined;
  const { value, quoted } = readExactly(text);
  return { text, value, warning: warningOf(quoted) };
}

export function withWarning(outcome: Outcome, warning: WarningDetail): Outcome {
  const { notes } = outcome;
  return { ...outcome, notes: { ...notes, warnings: orderWarnings([...(notes.warnings ?? []), warning]) } };
}

/** An outcome that was made of the value, and says what became of its numbers. */
export function withNote(outcome: Outcome, exact: ExactStructure | undefined): Outcome {
  return exact === undefined ? outcome : withWarning(outcome, exact.warning);
}
