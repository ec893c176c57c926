// The size of answers, compared with the limits of known clients. Each limit is a client's own default; an answer above
// it loses its middle, is lost whole, or costs the connection.

import { type KnownClient, clientLimits } from "../../readers/client-limits.ts";
import { textsOf } from "../../pipeline/dialect/result-rules.ts";
import { type Answered, answeredIn, findingOf, isMarkedFailed, noResults } from "../called.ts";
import type { ServerRecord } from "../server-record.ts";
import { type Finding, type ServerRule, type Verdict, defineServerRules } from "../server-rule.ts";

/** The longest message that the SDKs' stdio clients accept; a longer one closes the connection. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

const count = new Intl.NumberFormat("en-US");

interface Weight {
  readonly texts: number;
  readonly structure: number;
}

/** How much of an answer a client shows its model, in either unit. */
function shownTo(limit: KnownClient, { texts, structure }: Weight, isFailure: boolean): number {
  if (limit.factor === 2) return texts + structure;
  const isTexts = isFailure || limit.shows === "texts";
  return isTexts ? texts || structure : structure || texts;
}

const encoder = new TextEncoder();

function bytesOf({ result }: Answered): Weight {
  const structured = result["structuredContent"];
  const sizeOf = (text: string): number => encoder.encode(text).byteLength;
  return {
    texts: textsOf(result).reduce((sum, text) => sum + sizeOf(text), 0),
    structure: structured === undefined ? 0 : sizeOf(JSON.stringify(structured)),
  };
}

type Unit = "tokens" | "bytes";

interface Passed {
  readonly shown: number;
  readonly clients: readonly string[];
}

/** The clients whose limit an answer exceeds, each with its limit and what the client does then. */
function passedBy(answered: Answered, unit: Unit): Passed | undefined {
  const { text, structured } = answered.call.tokens;
  const weight = unit === "tokens" ? { texts: text, structure: structured } : bytesOf(answered);
  const isFailure = isMarkedFailed(answered.result);
  const passed = clientLimits.flatMap((limit) => {
    const most = limit[unit];
    const shown = shownTo(limit, weight, isFailure);
    if (most === undefined || shown <= most) return [];
    const over = `${count.format(shown)} of at most ${count.format(most)} ${unit}`;
    return [{ shown, says: `${limit.name} (${over}: it ${limit.says})` }];
  });
  if (passed.length === 0) return undefined;
  return { shown: Math.max(...passed.map(({ shown }) => shown)), clients: passed.map(({ says }) => says) };
}

/** One finding for each tool, about its largest answer. */
function judgeSizes(record: ServerRecord, unit: Unit): Verdict {
  const answered = answeredIn(record);
  if (answered.length === 0) return { untested: noResults(record) };
  const largest = new Map<string, Passed & { readonly answered: Answered }>();
  for (const each of answered) {
    const passed = passedBy(each, unit);
    if (passed === undefined || passed.shown <= (largest.get(each.call.tool)?.shown ?? 0)) continue;
    largest.set(each.call.tool, { ...passed, answered: each });
  }
  return [...largest.values()].map(({ answered: each, clients }): Finding => {
    return findingOf(each, "", `The answer is too long for ${clients.join(", ")}`);
  });
}

/** Rules about sizes. */
export const sizeRules: readonly ServerRule[] = defineServerRules({
  "size/client-limit": {
    severity: "SHOULD",
    says: "No answer has more tokens than known clients take.",
    fix: "Page it, filter it, or cut it and say how to get the rest; a gateway with a budget does it for you.",
    source: "limits of Claude Code, Codex and deepagents, by their documentation and source",
    judge: (record) => judgeSizes(record, "tokens"),
  },
  "size/client-bytes": {
    severity: "MAY",
    says: "No answer has more bytes than known clients take.",
    fix: "Offer a limit or a filter: these clients cut the rest away, where their user has not raised the limit.",
    source: "limits of Codex, Copilot CLI, opencode and pi, by their documentation and source",
    judge: (record) => judgeSizes(record, "bytes"),
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
