// Checks structuredContent against the tool's own outputSchema, on success and on failure. Official clients validate
// it: a structure that breaks the schema never reaches the model.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import {
  type CallWithResult,
  answeredIn,
  definitionOf,
  findingOf,
  isMarkedFailed,
  smallestOf,
  judgeEach,
  noResults,
  quoteOf,
  meaningOf,
  readsLikeFailure,
} from "../called.ts";
import type { ServerRecord } from "../server-record.ts";
import {
  type RuleFinding,
  type JudgeTools,
  type ServerRule,
  type RuleVerdict,
  defineServerRules,
} from "../server-rule.ts";
import { jsonOrText, blockTexts, isOurs } from "../../pipeline/dialect/result-rules.ts";
import { repeatedText, saysTwice, dialectOf } from "./contract-rules.ts";
import { textOnlyFacts } from "./text-only-facts.ts";

interface Promised extends CallWithResult {
  readonly schema: JsonObject;
}

/** Results of tools that promise a structure. */
function promisedIn(record: ServerRecord): readonly Promised[] {
  return answeredIn(record).flatMap((answered): Promised[] => {
    const schema = definitionOf(record, answered.call.tool)?.["outputSchema"];
    return isJsonObject(schema) ? [{ ...answered, schema }] : [];
  });
}

function whyNoStructure(record: ServerRecord, what: string): string {
  const hasSchema = record.tools.some(({ definition }) => isJsonObject(definition["outputSchema"]));
  return hasSchema ? `No tool with an outputSchema gave ${what}` : "No tool has an outputSchema";
}

const MAX_SHOWN = 3;

async function judgeStructures(
  record: ServerRecord,
  tools: JudgeTools,
  promised: readonly Promised[],
  otherwise: string,
): Promise<RuleVerdict> {
  if (promised.length === 0) return { untested: otherwise };
  const findings: RuleFinding[] = [];
  const problems: string[] = [];
  for (const each of promised) {
    const structured = each.result["structuredContent"] as JsonValue;
    const { errors, problem, isTooSlow } = await tools.validate(each.schema, structured);
    if (isTooSlow === true)
      findings.push(findingOf(each, "/structuredContent", `The outputSchema is of no use: ${problem ?? ""}`));
    else if (problem !== undefined) problems.push(`${each.call.tool}: ${problem}`);
    else if (errors.length > 0) {
      const more = errors.length > MAX_SHOWN ? ` (and ${errors.length - MAX_SHOWN} more)` : "";
      const found = `structuredContent breaks the outputSchema: ${errors.slice(0, MAX_SHOWN).join("; ")}${more}`;
      findings.push(findingOf(each, "/structuredContent", found));
    }
  }
  // The rules of definitions report a schema that cannot be used.
  if (problems.length === promised.length)
    return { untested: `No outputSchema could be used. ${problems[0] ?? ""}` };
  return smallestOf(findings, record);
}

const hasStructure = ({ result }: CallWithResult): boolean => result["structuredContent"] !== undefined;

/** Rules about promised structures. */
export const outputRules: readonly ServerRule[] = defineServerRules({
  "result/structured-missing": {
    severity: "MUST",
    says: "A success of a tool with an outputSchema has structuredContent.",
    fix: "Send structuredContent with every success, or take the outputSchema out of the definition.",
    source: "MCP 2025-06-18, tools, output schema; measured: official clients throw -32600 without it",
    judge: (record) => {
      const successes = promisedIn(record).filter(({ result }) => !isMarkedFailed(result));
      if (successes.length === 0) return { untested: whyNoStructure(record, "a success") };
      const missing = successes.filter((each) => !hasStructure(each));
      const findings = missing.map((each) =>
        findingOf(each, "", "The tool has an outputSchema, and the result has no structuredContent"),
      );
      return smallestOf(findings, record);
    },
  },
  "result/output-schema": {
    severity: "MUST",
    says: "structuredContent of a success conforms to the tool's outputSchema.",
    fix: "Send what the schema promises, or change the schema to what is sent: clients refuse the whole result.",
    source: "MCP 2025-06-18, tools, output schema; measured: official clients throw -32602",
    judge: (record, tools) => {
      const structures = promisedIn(record).filter(
        (each) => hasStructure(each) && !isMarkedFailed(each.result),
      );
      return judgeStructures(record, tools, structures, whyNoStructure(record, "a success with a structure"));
    },
  },
  "result/output-schema-on-error": {
    severity: "MUST",
    says: "structuredContent of a failure, where it is sent, conforms to the tool's outputSchema too.",
    fix: "Leave structuredContent out of failures, or let the schema allow their shape: official v1 clients refuse the result, and the model never sees the error.",
    source: "MCP 2025-06-18, tools, output schema; measured: clients 1.18 to 1.32 throw -32602",
    judge: (record, tools) => {
      const structures = promisedIn(record).filter(
        (each) => hasStructure(each) && isMarkedFailed(each.result),
      );
      return judgeStructures(record, tools, structures, whyNoStructure(record, "a failure with a structure"));
    },
  },
});

// Texts and structure of a result: what a reader of each channel gets, and what both together cost.

/** Less is not worth reporting: about 500 tokens, and a fifth of what is sent. */
const MIN_BLANKS = 2_000;
const MIN_SHARE = 0.2;

/** More facts than this say nothing new. */
/** How many characters of a text are only formatting. */
function blanksIn(text: string): number {
  if (text.length < MIN_BLANKS || !/^\s*[[{]/.test(text)) return 0;
  const json = jsonOrText(text);
  return typeof json === "object" && json !== null ? text.length - JSON.stringify(json).length : 0;
}

/** Rules about the two channels of a result. */
export const channelRules: readonly ServerRule[] = defineServerRules({
  "result/channels-repeat": {
    severity: "SHOULD",
    says: "Texts do not say at length, in other words or another format, what structuredContent says already. Its exact JSON as a text is no repetition.",
    fix: "Send the JSON of structuredContent as the text, or a short summary beside it: some clients show the model both channels.",
    source: "MCP 2025-06-18, tools, structured content; clients that show both channels (Copilot, ChatGPT)",
    judge: (record) =>
      judgeEach(record, answeredIn(record), noResults(record), (answered): readonly RuleFinding[] => {
        const { structuredContent: structured } = answered.result;
        const texts = blockTexts(answered.result);
        const [{ text, structured: cost }, length] = [answered.call.tokens, texts.join("\n").length];
        if (isJsonObject(structured) && saysTwice(texts, structured)) {
          const found = `The texts (${length} characters, ${text} tokens) say again what structuredContent (${cost} tokens) says`;
          return [findingOf(answered, "/content", found)];
        }
        const again = repeatedText(texts);
        return again === undefined
          ? []
          : [findingOf(answered, `/content/${again}`, "A long text is in the content twice")];
      }),
  },
  "result/text-only-facts": {
    severity: "MAY",
    says: "Numbers, ids and quoted words of a text beside structuredContent are in structuredContent too.",
    fix: "Put the fact into structuredContent, or leave it out of the text: some clients show their model the structure alone.",
    source: "MCP 2025-06-18, tools, structured content; clients that show one channel",
    judge: (record) =>
      judgeEach(record, answeredIn(record), noResults(record), (answered): readonly RuleFinding[] => {
        const facts = textOnlyFacts(answered.result);
        if (facts.length === 0) return [];
        const shown = facts.slice(0, MAX_SHOWN).map(quoteOf).join(", ");
        return [findingOf(answered, "/content", `Only the text says ${shown}`)];
      }),
  },
  "result/indented-json": {
    severity: "MAY",
    says: "JSON in a text has no indentation that costs much.",
    fix: "Write the text with JSON.stringify(value), without spaces: a model reads it as well.",
    source: "measured: the indented text of server-memory has twice the tokens of its data",
    judge: (record) =>
      judgeEach(record, answeredIn(record), noResults(record), (answered) => {
        const texts = blockTexts(answered.result);
        const blanks = texts.reduce((sum, text) => sum + blanksIn(text), 0);
        const length = texts.reduce((sum, text) => sum + text.length, 0);
        if (blanks < Math.max(MIN_BLANKS, MIN_SHARE * length)) return [];
        const found = `${blanks} of ${length} characters of the texts are indentation of JSON`;
        return [findingOf(answered, "/content", found)];
      }),
  },
});

// Whether `isError` tells the truth. A failure that is sent as a success is the most expensive lie of a server: the
// model continues with it, and no client retries.

const source = "MCP 2025-06-18, tools, error handling";
/**
 * The results that are judged here. A result written under a contract, or judged by a requested dialect, has the
 * dialect's own rules; so has an envelope that is marked as a failure.
 */
function plainIn(record: ServerRecord): readonly CallWithResult[] {
  if ((record.dialect ?? "plain") !== "plain") return [];
  return answeredIn(record).filter(
    (answered) =>
      !isOurs(answered.result) &&
      (dialectOf(record, answered) === "plain" || !isMarkedFailed(answered.result)),
  );
}

/** Why there is nothing to judge. */
function whyUntold(record: ServerRecord, otherwise = ""): string {
  if (answeredIn(record).length === 0) return noResults(record);
  return plainIn(record).length > 0
    ? otherwise
    : "Every result is in a dialect whose own rules judge its flag";
}

/** A call that could not succeed: if its result reads like a failure, it is one. */
function cannotSucceed({ call }: CallWithResult): boolean {
  return call.purpose === "invalid" || call.purpose === "unknown-tool";
}

function hiddenFailure(answered: CallWithResult): RuleFinding | undefined {
  const { result } = answered;
  if (isMarkedFailed(result)) return undefined;
  const { outcome } = meaningOf(result);
  if (!outcome.ok) {
    const found = `The result is a failure, yet isError is not true: ${quoteOf(outcome.fault.message)}`;
    return findingOf(answered, "/isError", found);
  }
  if (!cannotSucceed(answered) || !readsLikeFailure(result)) return undefined;
  const said = quoteOf(blockTexts(result).join("\n"));
  return findingOf(answered, "/isError", `The call is refused, yet isError is not true: ${said}`);
}

/** Whether a result calls itself a success in its JSON. */
function saysSuccess(result: JsonObject): boolean {
  const [only = "", ...more] = blockTexts(result);
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
      judgeEach(record, plainIn(record), whyUntold(record), (answered) => {
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
        whyUntold(record, "No call failed"),
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
        whyUntold(record, "No call succeeded"),
        (answered) => {
          if (cannotSucceed(answered) || !readsLikeFailure(answered.result)) return [];
          const said = quoteOf(blockTexts(answered.result).join("\n"));
          return [findingOf(answered, "/content", `The result reads like a failure: ${said}`)];
        },
      ),
  },
});
