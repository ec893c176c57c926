// What follows a text that was cut, in words: an open code fence is closed, every warning gets a line, and the last
// line says how far the text goes and which call gives what follows. Reader and writer make it from the same notes.

import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { codeBlocksIn } from "../text/fences.ts";
import type { Outcome } from "./outcome.ts";
import type { WarningDetail } from "./warning.ts";

const CUT = "CONTENT_TRUNCATED";

/** The closing text of the beginning of a longer text. */
export function closingText(head: string, warnings: readonly WarningDetail[] = []): string {
  const others = warnings.filter(({ code }) => code !== CUT);
  const cuts = warnings.filter(({ code }) => code === CUT);
  const lines = [...others, ...cuts].map((warning) => `[${sayWarning(warning)}]`);
  const last = codeBlocksIn(head).at(-1);
  const fence = last?.end === undefined ? last?.fence : undefined;
  const isAtLineEnd = head === "" || head.endsWith("\n");
  return `${isAtLineEnd ? "" : "\n"}${[...(fence === undefined ? [] : [fence]), ...lines].join("\n")}`;
}

/** Whether a text beside an envelope is a cut text of its data, or the closing text of one. */
export function isOfCut(text: string, outcome: Outcome): boolean {
  if (!outcome.ok || outcome.notes.fidelity?.level !== "partial" || !isJsonObject(outcome.data)) return false;
  const { warnings } = outcome.notes;
  return Object.values(outcome.data).some(
    (value) => typeof value === "string" && (value === text || closingText(value, warnings) === text),
  );
}

/** A warning on one line, with the call that it recommends. */
function sayWarning({ message, context }: WarningDetail): string {
  const said = message.replaceAll(/\s+/g, " ");
  const retrieve = context?.["retrieve"];
  if (!isJsonObject(retrieve) || typeof retrieve["tool"] !== "string") return said;
  return `${said}; ${sayAsked(context)}: ${retrieve["tool"]} ${JSON.stringify(retrieve["arguments"] ?? {})}`;
}

/** Where the call gives some of the gaps, a model must not take them for the rest. */
function sayAsked({ gaps, asked }: JsonObject = {}): string {
  if (typeof gaps !== "number") return "the rest";
  return typeof asked === "number" ? `the first ${asked} of ${gaps} gaps` : `the first of ${gaps} gaps`;
}
