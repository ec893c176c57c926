// How useful a failure is to the model that reads it, and what it reveals.

import { NO_CODE } from "../../pipeline/outcome/failure-rule.ts";
import { blockTexts } from "../../pipeline/dialect/result-rules.ts";
import { dialectOf } from "../result/contract-rules.ts";
import {
  describeRpcError,
  quoteOf,
  findingOf,
  isMarkedFailed,
  judgeEach,
  meaningOf,
  answeredIn,
  stringsIn,
} from "../called.ts";
import { type CallRecord, type ServerRecord, derivedOnce } from "../server-record.ts";
import { type RuleFinding, type ServerRule, defineServerRules } from "../server-rule.ts";
import { pathIn, secretIn, sourceIn, stackIn } from "./leaks.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";

const NOTHING_FAILED = "No call failed";

function judgeLeaks(
  record: ServerRecord,
  describe: (failure: Failure, known: () => readonly string[]) => string | undefined,
): ReturnType<typeof judgeEach> {
  return judgeEach(record, failuresIn(record), NOTHING_FAILED, (failure): readonly RuleFinding[] => {
    const found = describe(failure, () => knownTexts(record, failure.call));
    return found === undefined ? [] : [findingOf(failure, "", found)];
  });
}

/** Failed results that only say in words what went wrong; an envelope's own rules judge its code and remediation. */
function plainFailures(record: ServerRecord): readonly Failure[] {
  return failuresIn(record).filter(
    ({ call, result, words }) =>
      result !== undefined &&
      // `error/text-missing` reports a failure without any words.
      words.trim() !== "" &&
      dialectOf(record, { call, result }) === "plain",
  );
}

/** A server's own code, whatever it means: E_LIMIT, [AUTH-12], PGRST116, "code": … */
const ownCode = /\b(?:[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20}){1,5}|[A-Z]{1,8}-?\d{2,6}|E[A-Z]{3,12})\b/;
const codeKeys = [
  "code",
  "error_code",
  "errorCode",
  "error_type",
  "errorType",
  "type",
  "status",
  "statusCode",
];

/** Words that tell a reader the kind of failure, although they are too vague for a code. */
const kindWords =
  /\b(?:arguments?|parameters?|time(?:d )?out|transient|connect(?:ed|ion)?|modified|closed|credentials?|quota|division by zero|internal server error|syntax|pars(?:e|ing)|not (?:installed|available|valid)|configur(?:ed|ation))\b/i;

function saysKind({ result, words }: Failure): boolean {
  const { outcome } = meaningOf(result ?? {});
  if (outcome.ok) return true;
  const { code, details = {} } = outcome.fault;
  if (code !== NO_CODE || ownCode.test(words) || kindWords.test(words)) return true;
  return codeKeys.some((key) => Object.hasOwn(details, key));
}

/** Words with which a failure says what to do, or what would have been right. */
const nextStep =
  /\b(?:use|try|check|set|provide|pass|specify|must|should|expected|required?|requires|allowed|valid|available|supported|one of|instead|see|make sure|ensure|retry|again|wait|call|add|remove|choose|did you mean|hint|at least|at most|more than|less than|between|either|only|please|upgrade|install|refresh|arguments?|parameters?|cannot be|can't be|needs?)\b/i;

function saysNext({ result, words }: Failure): boolean {
  const { outcome } = meaningOf(result ?? {});
  if (outcome.ok || nextStep.test(words)) return true;
  // A failure about something missing, taken or forbidden says by itself what would help; an unknown failure does not.
  return outcome.fault.code !== NO_CODE && outcome.fault.type !== "internal";
}

function waitOf({ result, words }: Failure): boolean | undefined {
  const { outcome } = meaningOf(result ?? {});
  if (outcome.ok || outcome.fault.code !== "RATE_LIMIT_EXCEEDED") return undefined;
  const { data = {}, details = {} } = outcome.fault;
  const isTold = [data, details].some((each) => Object.keys(each).some((key) => /retry|reset/i.test(key)));
  return isTold || /\b\d+\s*(?:ms|s|sec|seconds?|min|minutes?|hours?|h)\b|\d{2}:\d{2}/i.test(words);
}

/** Codes of the protocol that a tool may send on purpose, because it needs something from the client. */
const clientCodes: ReadonlySet<unknown> = new Set([-32042, -32021, -32022, -32020, -32023]);

/** Rules about failures. */
export const failedCallRules: readonly ServerRule[] = defineServerRules({
  "error/as-protocol-error": {
    severity: "SHOULD",
    says: "A tool that fails answers with a result that has isError: true, not with an error of JSON-RPC.",
    fix: 'Return {"content": […], "isError": true}: many clients show the model nothing of a JSON-RPC error.',
    source: "MCP 2025-06-18, tools, error handling",
    judge: (record) => {
      const calls = record.calls.filter(
        ({ purpose, reply }) =>
          purpose !== "invalid" &&
          purpose !== "unknown-tool" &&
          purpose !== "cancelled" &&
          (reply.kind === "result" || reply.kind === "error"),
      );
      return judgeEach(record, calls, "No call with valid arguments was answered", (call) => {
        if (call.reply.kind !== "error" || clientCodes.has(call.reply.error["code"])) return [];
        // An empty error breaks rules of JSON-RPC.
        if (Object.keys(call.reply.error).length === 0) return [];
        const found = `The call is answered with ${describeRpcError(call.reply.error)}`;
        return [findingOf({ call }, "/error", found)];
      });
    },
  },
  "error/text-missing": {
    severity: "SHOULD",
    says: "A failed result says in a text what went wrong.",
    fix: "Add a text block with the error: Claude Code, LangChain and others show the model nothing else of a failure.",
    source: "measured client behaviour: structuredContent of failures is dropped",
    judge: (record) => {
      const marked = failuresIn(record).filter(
        ({ result }) => result !== undefined && isMarkedFailed(result),
      );
      return judgeEach(record, marked, "No result has isError: true", (failure) => {
        const texts = blockTexts(failure.result ?? {});
        if (texts.some((text) => text.trim() !== "")) return [];
        return [findingOf(failure, "/content", "The failure has no text")];
      });
    },
  },
  "error/kind-unclear": {
    severity: "MAY",
    says: "A failure says what kind it is: by a code, or in words that leave no doubt.",
    fix: "Begin the text with a stable code, or send one beside it, such as NOT_FOUND or VALIDATION_ERROR.",
    source: "seed 001, error codes; clients decide by the kind whether to retry",
    judge: (record) =>
      judgeEach(record, plainFailures(record), "No failure in plain words", (failure) =>
        saysKind(failure)
          ? []
          : [findingOf(failure, "/content", `Nothing tells the kind of ${quoteOf(failure.words)}`)],
      ),
  },
  "error/next-step": {
    severity: "MAY",
    says: "A failure says what to do about it, or what would have been right.",
    fix: "Add a sentence for the model: which argument to change, what is allowed, whether to try again.",
    source: "seed 001, remediation",
    judge: (record) =>
      judgeEach(record, plainFailures(record), "No failure in plain words", (failure) =>
        saysNext(failure)
          ? []
          : [findingOf(failure, "/content", `${quoteOf(failure.words)} does not say what to do`)],
      ),
  },
  "error/wait-unknown": {
    severity: "SHOULD",
    says: "A refusal because of a rate limit says when to try again.",
    fix: "Say how many seconds to wait.",
    source: "seed 001, rate limits",
    judge: (record) => {
      const limited = plainFailures(record).filter((failure) => waitOf(failure) !== undefined);
      return judgeEach(record, limited, "No call met a rate limit", (failure) =>
        waitOf(failure) === true
          ? []
          : [findingOf(failure, "/content", "The rate limit does not say how long to wait")],
      );
    },
  },
  "error/leaks-stack": {
    severity: "SHOULD",
    says: "A failure shows no stack.",
    fix: "Write the stack to the log, and send a sentence that helps the caller.",
    source: "MCP 2025-06-18, tools, security considerations: servers sanitize tool outputs",
    judge: (record) =>
      judgeLeaks(record, ({ words }) => {
        const line = stackIn(words);
        return line === undefined ? undefined : `The failure shows a stack: ${quoteOf(line)}`;
      }),
  },
  "error/leaks-path": {
    severity: "SHOULD",
    says: "A failure names no path of the server's machine that the caller did not name.",
    fix: "Name the thing in the caller's words, and write the path to the log.",
    source: "MCP 2025-06-18, tools, security considerations: servers sanitize tool outputs",
    judge: (record) =>
      judgeLeaks(record, ({ words }, known) => {
        const path = pathIn(words, known);
        return path === undefined ? undefined : `The failure names a path of the server: ${quoteOf(path)}`;
      }),
  },
  "error/leaks-code": {
    severity: "SHOULD",
    says: "A failure shows no source code that the caller did not send.",
    fix: "Name the file and the line, or the statement by its kind, and write the code itself to the log.",
    source: "seed 002, Error Model: error responses do not include code contents",
    judge: (record) =>
      judgeLeaks(record, ({ words }, known) => {
        const code = sourceIn(words, known);
        return code === undefined ? undefined : `The failure shows source code: ${quoteOf(code)}`;
      }),
  },
  "error/leaks-secret": {
    severity: "MUST",
    says: "A failure holds no secret.",
    fix: "Take keys, tokens and passwords out of messages before they are sent.",
    source: "MCP 2025-06-18, tools, security considerations: servers sanitize tool outputs",
    judge: (record) =>
      judgeLeaks(record, ({ words }, known) => {
        const label = secretIn(words, known);
        return label === undefined ? undefined : `The failure holds what looks like a secret (${label})`;
      }),
  },
});

// The failures of calls, in every form, and what the caller already knew.

/** A call that failed: by a result that says so, by a result whose words do, or by an error of the protocol. */
interface Failure {
  readonly call: CallRecord;
  /** Undefined for an error of the protocol. */
  readonly result: JsonObject | undefined;
  /** Everything the failure says, in any place. */
  readonly words: string;
}

/** Every failed call, except those that the check cancelled. */
function failuresIn(record: ServerRecord): readonly Failure[] {
  const results = answeredIn(record)
    .filter(({ result }) => isMarkedFailed(result) || !meaningOf(result).outcome.ok)
    .map(({ call, result }): Failure => ({ call, result, words: saidIn(result).join("\n") }));
  const errors = record.calls.flatMap((call): Failure[] => {
    const { reply } = call;
    return reply.kind === "error"
      ? [{ call, result: undefined, words: stringsIn(reply.error).join("\n") }]
      : [];
  });
  return [...results, ...errors]
    .filter(({ call }) => call.purpose !== "cancelled")
    .sort((a, b) => a.call.index - b.call.index);
}

/** The texts of a result's blocks and of its structure, without the names of blocks and without `_meta`. */
function saidIn({ content, structuredContent }: JsonObject): readonly string[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = blocks.flatMap(({ text, resource }) => [
    ...(typeof text === "string" ? [text] : []),
    ...(isJsonObject(resource) ? stringsIn(resource["text"]) : []),
  ]);
  return [...texts, ...stringsIn(structuredContent, MAX_SAID)];
}

const MAX_SAID = 2_000;

/** What a server shows every caller: its command line, greeting and definitions, and its successful results. */
const openTextsOf = derivedOnce((record: ServerRecord): readonly string[] => {
  const { target, tools, greeting } = record;
  const words = target.split(/\s+/).map((word) => word.replace(/^--?[\w-]+=/, ""));
  const successes = answeredIn(record).filter(({ result }) => !isMarkedFailed(result));
  return [
    ...words,
    ...(greeting.kind === "result" ? stringsIn(greeting.result, MAX_SAID) : []),
    ...tools.flatMap(({ definition }) => stringsIn(definition, MAX_SAID)),
    ...successes.flatMap(({ result }) => saidIn(result)),
  ];
});

/** Texts that the caller has sent, or could have seen. */
function knownTexts(record: ServerRecord, call: CallRecord): readonly string[] {
  return [...stringsIn(call.arguments, MAX_SAID), ...openTextsOf(record)];
}
