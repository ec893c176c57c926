// Failures that a server reports in a text and does not mark: words alone decide, so they decide only where no doubt is
// left, and are noted otherwise.

import { CONTRACT_META_KEY } from "../../contract/wire-names.ts";
import { isJsonObject } from "../../json/json-value.ts";
import type { FailurePayload } from "./failure-payload.ts";
import { isFailureReport } from "./failure-report.ts";
import type { Confidence } from "./failure-rule.ts";
import { answerNeverCame, mayBeRead } from "./failure-signs.ts";
import type { Said } from "./foreign-failure.ts";
import { soleText, textWithin } from "./nested-failure.ts";

/** What SDKs print before the message of a tool that threw: a tool's own words never begin like this. */
const sdkPrefix =
  /^(?:Error (?:executing|calling) tool ['"]?[\w./-]{1,64}['"]?: |MCP error -32\d{3}: |Input validation error: )/;

/** Rules for texts that are not marked as a failure. */
export const unmarkedRules = [
  {
    id: "unmarked/sdk",
    says: "What SDKs print before the message of a tool that threw: `Error executing tool x: …`, `MCP error -32603: …`, `Input validation error: …` (decides)",
  },
  {
    id: "unmarked/runtime",
    says: "A text that says nothing but that the call never ended: `Tool call timed out.` (decides)",
  },
  {
    id: "unmarked/report",
    says: "A short text that is a report and nothing else: `Error: no such user`, `Failed to fetch the page`, `Lookup failed: timed out`, a heading and a sentence that both say so (decides)",
  },
  {
    id: "unmarked/words",
    says: "A short text that only begins like a report, or may be a line of a log, a title or source code; a traceback (only noted)",
  },
] as const;

/** The rule by which an unmarked text reads like a failure, and the text, which may stand in a router's. */
export function unmarkedIn({
  texts,
  structured,
  meta,
  isMarked,
  hasOthers = false,
}: Said): Pick<FailurePayload, "rule" | "confidence" | "message" | "details"> | undefined {
  const [only = "", ...more] = texts;
  if (isMarked || more.length > 0 || meta?.[CONTRACT_META_KEY] !== undefined || !mayBeRead(only))
    return undefined;
  // Python servers put every text into a structure too, and list a schema for it.
  if (structured !== undefined && !(isJsonObject(structured) && soleText(structured) === only))
    return undefined;
  const text = only.trimStart().startsWith("{") ? textWithin(only) : only;
  if (text === undefined || text.trimStart().startsWith("{") || !mayBeRead(text)) return undefined;
  const [rule, confidence] = ruleFor(text, hasOthers);
  return { rule, confidence, message: text.trim(), details: {} };
}

function ruleFor(text: string, hasOthers: boolean): readonly [rule: string, confidence: Confidence] {
  if (answerNeverCame.test(text)) return ["unmarked/runtime", "high"];
  if (sdkPrefix.test(text)) return ["unmarked/sdk", "high"];
  return !hasOthers && isFailureReport(text) ? ["unmarked/report", "high"] : ["unmarked/words", "low"];
}
