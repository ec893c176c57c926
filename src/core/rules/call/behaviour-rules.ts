// A server's behaviour around a call: it answers in time, survives, stops when told to, and gives the same answer
// twice.

import { stableStringify, jsonEqual } from "../../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../json/json-value.ts";
import {
  type CallWithResult,
  answeredIn,
  findingOf,
  judgeEach,
  smallestOf,
  isMarkedFailed,
  noResults,
} from "../called.ts";
import { type ServerRecord, derivedOnce } from "../server-record.ts";
import { type ServerRule, type RuleVerdict, defineServerRules, type RuleFinding } from "../server-rule.ts";
import { jsonOrText, blockTexts } from "../../pipeline/dialect/result-rules.ts";
import { type Reader, countsFor, paysTwice, sayReader } from "../../readers/reader.ts";
import { readers } from "../../readers/readers.ts";

const count = new Intl.NumberFormat("en-US");

interface Repeated extends CallWithResult {
  readonly difference: Difference | undefined;
}

/** Calls that were made twice with the same arguments, and how their answers differ. */
const repeatedIn = derivedOnce((record: ServerRecord): readonly Repeated[] => {
  const byIndex = new Map(answeredIn(record).map((answered) => [answered.call.index, answered]));
  return answeredIn(record, ["repeat"]).flatMap((second): Repeated[] => {
    const first = byIndex.get(second.call.follows ?? -1);
    return first === undefined ? [] : [{ ...second, difference: differenceOf(first.result, second.result) }];
  });
});

function judgeRepeats(record: ServerRecord, says: Partial<Record<Difference, string>>): RuleVerdict {
  return judgeEach(record, repeatedIn(record), "No call was made twice", (repeated) => {
    const found = repeated.difference === undefined ? undefined : says[repeated.difference];
    return found === undefined ? [] : [findingOf(repeated, "", found)];
  });
}

/** One step says that the work began; only a second shows that it continues. */
const MIN_STEPS = 2;

/** The calls, as name and arguments, whose progress the server reported: they were running. */
function toldOf({ messages }: ServerRecord): ReadonlySet<string> {
  const paramsOf = (from: "client" | "server", method: string): readonly JsonObject[] =>
    messages.flatMap((message) => {
      const { value } = message;
      if (message.from !== from || !isJsonObject(value) || value["method"] !== method) return [];
      return isJsonObject(value["params"]) ? [value["params"]] : [];
    });
  const steps = new Map<JsonValue | undefined, number>();
  for (const { progressToken: token } of paramsOf("server", "notifications/progress"))
    steps.set(token, (steps.get(token) ?? 0) + 1);
  const calls = paramsOf("client", "tools/call").filter(({ _meta: meta }) => {
    const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
    return token !== undefined && (steps.get(token) ?? 0) >= MIN_STEPS;
  });
  return new Set(calls.map((told) => keyOf(told["name"] ?? null, told["arguments"] ?? {})));
}

function keyOf(name: JsonValue, args: JsonValue): string {
  return stableStringify([name, args]);
}

/** An answer that comes this soon after the cancellation was already on its way. */
const RACE_MS = 250;
/** A large answer takes time to arrive: 10 MB/s is slow. */
const BYTES_A_MS = 10_000;

/** Rules about the course of calls. */
export const behaviourRules: readonly ServerRule[] = defineServerRules({
  "call/time-limit": {
    severity: "SHOULD",
    says: "Every call is answered within the time limit of the check, or tells its progress meanwhile",
    fix: "Answer sooner, send notifications/progress, or return a handle at once and let the caller ask for the rest; give slow tools a longer limit in the check.",
    source: "JSON-RPC 2.0: every request is answered; official clients give up after 60 seconds",
    judge: (record) => {
      const calls = record.calls.filter(({ purpose }) => purpose !== "cancelled");
      const told = toldOf(record);
      return judgeEach(record, calls, "No tool was called", (call) => {
        if (call.reply.kind !== "timeout" || told.has(keyOf(call.tool, call.arguments))) return [];
        return [
          findingOf({ call }, "", `No answer within ${count.format(Math.round(call.reply.afterMs))} ms`),
        ];
      });
    },
  },
  "call/survives": {
    severity: "MUST",
    says: "No call ends the server or its connection.",
    fix: "Catch the error in the tool and return it as a result with isError: true.",
    source: "MCP 2025-06-18, lifecycle",
    judge: (record) => {
      if (record.calls.length === 0) return { untested: "No tool was called" };
      const died = new Map(
        record.problems.flatMap(({ kind, call, message }) =>
          kind === "died" && call !== undefined ? [[call, message] as const] : [],
        ),
      );
      const findings = record.calls.flatMap((call) => {
        const why = call.reply.kind === "closed" ? call.reply.reason : died.get(call.index);
        return why === undefined ? [] : [findingOf({ call }, "", `The call ended the connection: ${why}`)];
      });
      return smallestOf(findings, record);
    },
  },
  "call/cancel": {
    severity: "SHOULD",
    says: "A call that was called off gets no answer, and the server goes on working.",
    fix: "Stop the work when notifications/cancelled comes, or over HTTP when the stream closes, and send nothing more for it.",
    source: "MCP 2025-06-18, cancellation",
    judge: (record) => {
      // An answer that was already on its way proves nothing.
      const cancelled = record.calls.filter(
        ({ cancel, bytes }) =>
          cancel !== undefined &&
          (cancel.answeredAfterMs === undefined || cancel.answeredAfterMs > RACE_MS + bytes / BYTES_A_MS),
      );
      return judgeEach(record, cancelled, "No call ran long enough to be called off", (call) => {
        const { answeredAfterMs, next } = call.cancel ?? {};
        if (answeredAfterMs !== undefined) {
          const found = `An answer came ${count.format(Math.round(answeredAfterMs))} ms after the call was called off`;
          return [findingOf({ call }, "", found)];
        }
        const isStuck = next?.kind === "timeout" || next?.kind === "closed";
        return isStuck
          ? [findingOf({ call }, "", "The server did not answer after a call was called off")]
          : [];
      });
    },
  },
  "call/deterministic": {
    severity: "MAY",
    says: "The same call gives the same answer, apart from _meta, ids and times.",
    fix: "Leave out what changes from call to call, or say in the description that the answer is live.",
    source: "prompt caches and tests rely on equal answers",
    judge: (record) =>
      judgeRepeats(record, {
        values: "The same call gave other values",
        outcome: "The same call succeeded once and failed once",
      }),
  },
  "call/order-stable": {
    severity: "SHOULD",
    says: "The same call gives its items in the same order.",
    fix: "Sort what comes out of a map, a set or parallel work.",
    source: "prompt caches and paging rely on the order",
    judge: (record) => judgeRepeats(record, { order: "The same call gave the same items in another order" }),
  },
});

// Whether two answers to the same call are the same, apart from values that naturally change: `_meta`, ids, times,
// durations, cursors.

type Difference = "order" | "values" | "outcome";

/** Names of values that naturally change, as the last word of a key. */
const passing =
  /(?:^|[_\-.])(?:id|ids|uuid|guid|ts|time|timestamp|date|datetime|now|duration|elapsed|latency|uptime|age|nonce|etag|cursor|token|session|hash|seed|at|on|ms|secs?|seconds)$/i;
const passingCamel = /(?:Id|Ids|Uuid|Time|Timestamp|Date|At|Ms|Seconds|Cursor|Token)$/;

/** Times, durations and ids inside a text. */
const passingText =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AP]M)?\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{12,64}\b|\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|seconds?|minutes?|hours?)\b|\b1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?\b|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [^\n]{0,40}\b\d{4}\b/gi;

const PASSING = "…";
const MAX_DEPTH = 200;

function settle(value: JsonValue, depth: number): JsonValue {
  if (typeof value === "string") return value.replaceAll(passingText, PASSING);
  if (typeof value === "number") return value > 1.5e9 && value < 2e13 ? PASSING : value;
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => settle(item, depth + 1));
  return mapObject(value as JsonObject, (inner, key) =>
    key === "_meta" || passing.test(key) || passingCamel.test(key) ? undefined : settle(inner, depth + 1),
  );
}

/** The part of a result that should not change: its blocks, with the JSON of a text as a value, and its structure. */
function settled({ content, structuredContent }: JsonObject): JsonValue {
  const blocks = (Array.isArray(content) ? (content as readonly JsonValue[]) : []).map((block) =>
    isJsonObject(block) && typeof block["text"] === "string"
      ? { ...block, text: jsonOrText(block["text"]) }
      : block,
  );
  return settle({ blocks, structured: structuredContent ?? null }, 0);
}

/** The same value with every list, and every line of a text, sorted. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.split("\n").sort().join("\n");
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return mapObject(value as JsonObject, (inner) => sorted(inner));
  const items = (value as readonly JsonValue[]).map((item) => sorted(item));
  return items
    .map((item) => [stableStringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item);
}

/** How two results differ; undefined if they are the same. */
function differenceOf(first: JsonObject, second: JsonObject): Difference | undefined {
  if ((first["isError"] === true) !== (second["isError"] === true)) return "outcome";
  const [a, b] = [settled(first), settled(second)];
  if (jsonEqual(a, b)) return undefined;
  return jsonEqual(sorted(a), sorted(b)) ? "order" : "values";
}

// The size of answers, compared with the limits of known clients. Each limit is a client's own default; an answer above
// it loses its middle, is lost whole, or costs the connection.

/** The longest message that the SDKs' stdio clients accept; a longer one closes the connection. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

interface Weight {
  readonly texts: number;
  readonly structure: number;
}

/** How much of an answer a client shows its model, in either unit. */
function shownTo(reader: Reader, { texts, structure }: Weight, isFailure: boolean): number {
  if (paysTwice(reader)) return texts + structure;
  const shown = isFailure ? reader.failure : reader.success;
  return shown === "blocks" ? texts || structure : structure || texts;
}

const encoder = new TextEncoder();

const lengths = {
  bytes: (text: string): number => encoder.encode(text).byteLength,
  characters: (text: string): number => text.length,
};

function lengthOf({ result }: CallWithResult, sizeOf: (text: string) => number): Weight {
  const structured = result["structuredContent"];
  return {
    texts: blockTexts(result).reduce((sum, text) => sum + sizeOf(text), 0),
    structure: structured === undefined ? 0 : sizeOf(JSON.stringify(structured)),
  };
}

type Unit = "tokens" | "bytes" | "characters";

interface Passed {
  readonly shown: number;
  readonly clients: readonly string[];
}

/** The clients whose limit an answer exceeds, each with its limit and what the client does then. */
function passedBy(answered: CallWithResult, units: readonly Unit[]): Passed | undefined {
  const { text, structured } = answered.call.tokens;
  const isFailure = isMarkedFailed(answered.result);
  const weights = new Map<string, Weight>(
    units.map((unit) => [
      unit,
      unit === "tokens" ? { texts: text, structure: structured } : lengthOf(answered, lengths[unit]),
    ]),
  );
  const passed = readers.flatMap((reader) =>
    reader.limits
      .filter((limit) => countsFor(limit, isFailure))
      .flatMap(({ most, unit, of }) => {
        const weight = weights.get(unit);
        if (weight === undefined || of !== "result") return [];
        const shown = shownTo(reader, weight, isFailure);
        const over = `${count.format(shown)} of at most ${count.format(most)} ${unit}`;
        return shown <= most ? [] : [{ shown, says: `${reader.name} (${over}: it ${sayReader(reader)})` }];
      })
      .slice(0, 1),
  );
  if (passed.length === 0) return undefined;
  return { shown: Math.max(...passed.map(({ shown }) => shown)), clients: passed.map(({ says }) => says) };
}

/** One finding for each tool, about its largest answer. */
function judgeSizes(record: ServerRecord, ...units: readonly Unit[]): RuleVerdict {
  const answered = answeredIn(record);
  if (answered.length === 0) return { untested: noResults(record) };
  const largest = new Map<string, Passed & { readonly answered: CallWithResult }>();
  for (const each of answered) {
    const passed = passedBy(each, units);
    if (passed === undefined || passed.shown <= (largest.get(each.call.tool)?.shown ?? 0)) continue;
    largest.set(each.call.tool, { ...passed, answered: each });
  }
  return [...largest.values()].map(({ answered: each, clients }): RuleFinding => {
    return findingOf(each, "", `The answer is too long for ${clients.join(", ")}`);
  });
}

/** Rules about sizes. */
export const sizeRules: readonly ServerRule[] = defineServerRules({
  "size/client-limit": {
    severity: "SHOULD",
    says: "No answer has more tokens than known clients take.",
    fix: "Page it, filter it, or cut it and say how to get the rest; a gateway with a budget does it for you.",
    source: "limits of Claude Code, Codex and deepagents (`waybill clients` says how each is known)",
    judge: (record) => judgeSizes(record, "tokens"),
  },
  "size/client-bytes": {
    severity: "MAY",
    says: "No answer has more bytes or characters than known clients take.",
    fix: "Offer a limit or a filter: these clients cut the rest away, where their user has not raised the limit.",
    source:
      "limits of Cline, Copilot CLI, Qwen Code, Gemini CLI, Codex, Claude Code, opencode and pi (`waybill clients` says how each is known)",
    judge: (record) => judgeSizes(record, "bytes", "characters"),
  },
  "size/message": {
    severity: "MUST",
    says: "No message is longer than clients read: 10 MiB over stdio.",
    fix: "Page the answer, or put a gateway in front that cuts it: the official clients close the connection.",
    source: "measured: clients 1.32 and 2.4 end with ReadBuffer exceeded maximum size of 10485760 bytes",
    judge: (record) => {
      const sized = record.calls.filter(({ reply }) => reply.kind !== "timeout" && reply.kind !== "closed");
      if (sized.length === 0) return { untested: "No call was answered" };
      const over = sized.filter(
        ({ reply, bytes }) =>
          reply.kind === "oversized" || (record.transport === "stdio" && bytes > MAX_LINE_BYTES),
      );
      const firstOfTool = new Map(over.toReversed().map((call) => [call.tool, call]));
      return [...firstOfTool.values()].map((call) => {
        const bytes = call.reply.kind === "oversized" ? call.reply.bytes : call.bytes;
        return findingOf({ call }, "", `The answer has ${count.format(bytes)} bytes`);
      });
    },
  },
});
