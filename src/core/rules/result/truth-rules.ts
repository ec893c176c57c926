// Whether `isError` tells the truth. A failure that is sent as a success is the most expensive lie of a server: the
// model continues with it, and no client retries.

import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { isOurs, jsonOrText, textsOf } from "../../pipeline/dialect/result-rules.ts";
import {
  type Answered,
  answeredIn,
  findingOf,
  isMarkedFailed,
  judgeEach,
  meaningOf,
  noResults,
  readsLikeFailure,
} from "../called.ts";
import type { ServerRecord } from "../server-record.ts";
import { type Finding, type ServerRule, defineServerRules } from "../server-rule.ts";
import { quoteOf } from "../quote.ts";
import { dialectOf } from "./contract-rules.ts";

const source = "MCP 2025-06-18, tools, error handling";
/**
 * The results that are judged here. A result written under a contract, or judged by a requested dialect, has the
 * dialect's own rules; so has an envelope that is marked as a failure.
 */
function plainIn(record: ServerRecord): readonly Answered[] {
  if ((record.dialect ?? "plain") !== "plain") return [];
  return answeredIn(record).filter(
    (answered) =>
      !isOurs(answered.result) &&
      (dialectOf(record, answered) === "plain" || !isMarkedFailed(answered.result)),
  );
}

/** Why there is nothing to judge. */
function whyNothing(record: ServerRecord, otherwise = ""): string {
  if (answeredIn(record).length === 0) return noResults(record);
  return plainIn(record).length > 0
    ? otherwise
    : "Every result is in a dialect whose own rules judge its flag";
}

/** A call that could not succeed: if its result reads like a failure, it is one. */
function cannotSucceed({ call }: Answered): boolean {
  return call.purpose === "invalid" || call.purpose === "unknown-tool";
}

function hiddenFailure(answered: Answered): Finding | undefined {
  const { result } = answered;
  if (isMarkedFailed(result)) return undefined;
  const { outcome } = meaningOf(result);
  if (!outcome.ok) {
    const found = `The result is a failure, yet isError is not true: ${quoteOf(outcome.fault.message)}`;
    return findingOf(answered, "/isError", found);
  }
  if (!cannotSucceed(answered) || !readsLikeFailure(result)) return undefined;
  const said = quoteOf(textsOf(result).join("\n"));
  return findingOf(answered, "/isError", `The call is refused, yet isError is not true: ${said}`);
}

/** Whether a result calls itself a success in its JSON. */
function saysSuccess(result: JsonObject): boolean {
  const [only = "", ...more] = textsOf(result);
  const said = result["structuredContent"] ?? (more.length === 0 ? jsonOrText(only) : undefined);
  if (!isJsonObject(said)) return false;
  const { success, ok, error } = said;
  return (success === true || ok === true) && (error ?? null) === null;
}

/** Rules about the success flag. */
export const truthRules: readonly ServerRule[] = defineServerRules({
  "truth/success-flag": {
    severity: "MUST",
    says: "A result that reports a failure has isError: true.",
    fix: "Set isError to true on every result that reports a failure: clients and models look there first.",
    source,
    judge: (record) =>
      judgeEach(record, plainIn(record), whyNothing(record), (answered) => {
        const found = hiddenFailure(answered);
        return found === undefined ? [] : [found];
      }),
  },
  "truth/failure-flag": {
    severity: "MUST",
    says: "A result with isError: true does not say in its JSON that it succeeded.",
    fix: "Leave isError out where the call succeeded, or set success to false where it failed.",
    source,
    judge: (record) =>
      judgeEach(
        record,
        plainIn(record).filter(({ result }) => isMarkedFailed(result)),
        whyNothing(record, "No call failed"),
        (answered) =>
          saysSuccess(answered.result)
            ? [findingOf(answered, "/isError", "isError is true, yet the JSON of the result says success")]
            : [],
      ),
  },
  "truth/reads-like-failure": {
    severity: "MAY",
    says: "A result without isError does not begin like the report of a failure.",
    fix: "Set isError to true if it is a failure; if it is not, begin with other words.",
    source,
    judge: (record) =>
      judgeEach(
        record,
        plainIn(record).filter((answered) => !isMarkedFailed(answered.result)),
        whyNothing(record, "No call succeeded"),
        (answered) => {
          if (cannotSucceed(answered) || !readsLikeFailure(answered.result)) return [];
          const said = quoteOf(textsOf(answered.result).join("\n"));
          return [findingOf(answered, "/content", `The result reads like a failure: ${said}`)];
        },
      ),
  },
});
