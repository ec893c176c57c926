import type { Outcome } from "../../contract/outcome.ts";
import { type WarningDetail, orderWarnings } from "../../contract/warning.ts";
import { exactTextOf } from "../../json/exact-text.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { readExactly } from "../../json/read-exactly.ts";

/** A structure that JSON.parse changed: its original text, and a value for code that has to look into it. */
export interface ExactStructure {
  readonly text: string;
  /** Numbers that a double cannot keep are texts, as they were written. */
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

/** Undefined if JSON.parse changed nothing in the structure, which is nearly always so. */
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

/** An outcome made from the value, with a warning about its numbers. */
export function withNote(outcome: Outcome, exact: ExactStructure | undefined): Outcome {
  return exact === undefined ? outcome : withWarning(outcome, exact.warning);
}
