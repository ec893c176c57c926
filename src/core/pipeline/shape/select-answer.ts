// Puts the answer to a call's question in the place of its data. Where there is no answer, nothing is taken away: the
// data stays as it is, and a warning says why. Text beside the data goes with the data, since it may repeat all of it.

import type { Notes, Outcome } from "../../contract/outcome.ts";
import type { WarningDetail } from "../../contract/warning.ts";
import { SELECTED_KEY } from "../../contract/wire-names.ts";
import type { WrittenValue } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { Asking } from "../parcel.ts";

/** What was asked of, and what is sent of it. */
interface Askable {
  readonly outcome: Outcome;
  readonly blocks: readonly JsonObject[];
}

interface Written extends Askable {
  readonly written: WrittenValue | undefined;
}

export interface Asked extends Askable {
  readonly isSelected: boolean;
  readonly warning?: WarningDetail | undefined;
}

function unasked(message: string): WarningDetail {
  return { code: "SELECT_FAILED", severity: "warning", message };
}

const onFailure = unasked("The call failed, so its question was not asked.");
const onBlocks = unasked("The result has no data that a question could be put to: it is here as it came.");

/** Images, sounds and links without any words: there is nothing to ask. */
function isWordless(data: JsonValue, blocks: readonly JsonObject[]): boolean {
  return blocks.length > 0 && isJsonObject(data) && Object.keys(data).length === 0;
}

/** A tool's schema says nothing of an answer, so that has a place of its own; an answer of null needs one to be seen. */
function placed(answer: JsonValue, isTyped: boolean): JsonValue {
  return isTyped || answer === null ? { [SELECTED_KEY]: answer } : answer;
}

/** The answer is complete, so its level stays what it is although something is archived beside it. */
function withArchives(notes: Notes, archives: readonly (readonly [string, string])[] = []): Notes {
  if (archives.length === 0) return notes;
  const { fidelity = { level: "full", dropped: [], archives: {} } } = notes;
  const all = { ...fidelity.archives, ...Object.fromEntries(archives) };
  return { ...notes, fidelity: { ...fidelity, archives: all } };
}

export async function selectAnswer(
  { outcome, blocks, written }: Written,
  { ask, isTyped }: Asking,
): Promise<Asked> {
  if (!outcome.ok) return { outcome, blocks, isSelected: false, warning: onFailure };
  if (isWordless(outcome.data, blocks)) return { outcome, blocks, isSelected: false, warning: onBlocks };
  const asked = await ask(outcome.data, written);
  const { warning } = asked;
  const notes = withArchives(outcome.notes, asked.archives);
  if (!("answer" in asked)) return { outcome: { ...outcome, notes }, blocks, isSelected: false, warning };
  return {
    warning,
    outcome: { ...outcome, data: placed(asked.answer, isTyped), notes },
    blocks: blocks.filter(({ type }) => type !== "text"),
    isSelected: true,
  };
}
