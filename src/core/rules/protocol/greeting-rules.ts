import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { legacyRevisions } from "../../protocol/names.ts";
import { describeMember, describeValue } from "../../protocol/message-values.ts";
import type { Reply, ServerProblem, ServerRecord } from "../server-record.ts";
import { type Finding, type ServerRule, type Verdict, defineServerRules } from "../server-rule.ts";

const isLegacyRevision = (name: string): boolean => (legacyRevisions as readonly string[]).includes(name);
const FIRST_WITH_STRUCTURE = "2025-06-18";

/** A reply that is not a result, in words. */
export function describeReply(reply: Exclude<Reply, { kind: "result" }>): string {
  if (reply.kind === "timeout") return `was not answered within ${Math.round(reply.afterMs)} ms`;
  if (reply.kind === "closed") return `was not answered, since the connection ended (${reply.reason})`;
  if (reply.kind === "oversized") return `was answered with ${reply.bytes} bytes, more than is read`;
  const { code, message } = reply.error;
  if (code === undefined && message === undefined)
    return "was answered with neither a result nor an error that is an object";
  const text = typeof message === "string" ? message.slice(0, 200) : "without a message";
  return `was answered with the error ${describeValue(code)}: ${text}`;
}

function greetingOf({ greeting }: ServerRecord): JsonObject | undefined {
  return greeting.kind === "result" ? greeting.result : undefined;
}

export const UNGREETED = "The server did not answer the greeting";

function problemsOf({ problems }: ServerRecord, kinds: readonly ServerProblem["kind"][]): readonly Finding[] {
  return problems
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ message, call }) => ({ path: "", message, call }));
}

/** If nothing was found but the server never spoke, the rule is untested. */
function spokenProblems(record: ServerRecord, kind: ServerProblem["kind"]): Verdict {
  const found = problemsOf(record, [kind]);
  return found.length === 0 && greetingOf(record) === undefined ? { untested: UNGREETED } : found;
}

/** `call/survives` reports a call that ends the server. */
function judgeDeath(record: ServerRecord): Verdict {
  const verdict = spokenProblems(record, "died");
  return "untested" in verdict ? verdict : verdict.filter(({ call }) => call === undefined);
}

const unreachable = ["start-failed", "start-timeout", "refused"] as const;

function judgeGreeting(record: ServerRecord): Verdict {
  if (problemsOf(record, [...unreachable, "redirected"]).length > 0)
    return { untested: "The server could not be reached" };
  const { greeting } = record;
  if (greeting.kind === "result") return [];
  const method = record.era === "legacy" ? "initialize" : "server/discover";
  return [{ path: "", message: `\`${method}\` ${describeReply(greeting)}` }];
}

function judgeVersion(record: ServerRecord): Verdict {
  const greeting = greetingOf(record);
  if (greeting === undefined) return { untested: UNGREETED };
  if (record.era === "legacy") {
    const { protocolVersion } = greeting;
    // A version that is not a text breaks `initialize/protocol-version`.
    if (typeof protocolVersion !== "string" || isLegacyRevision(protocolVersion)) return [];
    return [{ path: "/protocolVersion", message: describeMember("protocolVersion", protocolVersion) }];
  }
  const { supportedVersions } = greeting;
  if (!Array.isArray(supportedVersions) || !supportedVersions.every((one) => typeof one === "string")) {
    const message = `${describeMember("supportedVersions", supportedVersions)}, not a list of revisions`;
    return [{ path: "/supportedVersions", message }];
  }
  if (record.protocolVersion === undefined || supportedVersions.includes(record.protocolVersion)) return [];
  const message = `\`supportedVersions\` lacks ${record.protocolVersion}, which the server answered in`;
  return [{ path: "/supportedVersions", message }];
}

function judgeRevision(record: ServerRecord): Verdict {
  if (record.era === "modern") return [];
  const version = greetingOf(record)?.["protocolVersion"];
  if (typeof version !== "string") return { untested: UNGREETED };
  // Revisions are dates, so they sort like texts.
  if (!isLegacyRevision(version) || version >= FIRST_WITH_STRUCTURE) return [];
  return [{ path: "/protocolVersion", message: `The server speaks ${version}` }];
}

function judgeDiscover(record: ServerRecord): Verdict {
  if (record.era === "legacy") return { untested: "The server was checked with `initialize`" };
  const greeting = greetingOf(record);
  if (greeting === undefined) return { untested: UNGREETED };
  if (isJsonObject(greeting["capabilities"])) return [];
  const message = describeMember("capabilities", greeting["capabilities"]);
  return [{ path: "/capabilities", message }];
}

/** How a server is reached, started and greeted. */
export const greetingRules: readonly ServerRule[] = defineServerRules({
  "protocol/reachable": {
    severity: "MUST",
    says: "The server starts, or is reached, within the time limit",
    fix: "Start it by hand with the same command, or ask the URL with the same headers, and read what it writes to stderr.",
    source: "MCP 2025-11-25, lifecycle",
    judge: (record) => problemsOf(record, unreachable),
  },
  "protocol/redirect": {
    severity: "SHOULD",
    says: "The URL answers itself, without sending the client elsewhere",
    fix: "Use the final URL: credentials are not sent on to another host.",
    source: "MCP 2025-11-25, Streamable HTTP: one endpoint",
    judge: (record) =>
      record.transport === "http"
        ? problemsOf(record, ["redirected"])
        : { untested: "The server was not reached by a URL" },
  },
  "protocol/greeting": {
    severity: "MUST",
    says: "`initialize`, or `server/discover` in the modern era, is answered with a result",
    fix: "Answer the greeting before anything else, whatever the client's name and capabilities.",
    source: "MCP 2025-11-25, lifecycle; MCP 2026-07-28, versioning",
    judge: judgeGreeting,
  },
  "protocol/version": {
    severity: "MUST",
    says: "The server names revisions of MCP that exist, and the one it speaks is among them",
    fix: 'Answer with the revision that the client asked for, or with the newest you know, such as "2025-11-25".',
    source: "MCP 2025-11-25, lifecycle; MCP 2026-07-28, versioning",
    judge: judgeVersion,
  },
  "protocol/revision": {
    severity: "MAY",
    says: "The server speaks 2025-06-18 or newer, the first with structured results",
    fix: "Update the SDK that the server is built with.",
    source: "MCP 2025-06-18",
    judge: judgeRevision,
  },
  "protocol/discover": {
    severity: "MUST",
    says: "The result of `server/discover` has `capabilities`, an object",
    fix: 'Send an object such as {"tools": {}}.',
    source: "MCP 2026-07-28, versioning",
    judge: judgeDiscover,
  },
  "protocol/died": {
    severity: "MUST",
    says: "The server goes on running whatever it is asked besides calls of its tools",
    fix: "Catch the exception where the message is handled and answer with an error; its text belongs in the log.",
    source: "MCP 2025-11-25, lifecycle: the client ends the connection",
    judge: judgeDeath,
  },
  "protocol/stray-output": {
    severity: "MUST",
    says: "A server on stdio writes nothing but messages to stdout",
    fix: "Write logs to stderr. In Node.js that is console.error, in Python print(…, file=sys.stderr).",
    source: "MCP 2025-06-18, stdio",
    judge: (record) =>
      record.transport === "stdio"
        ? spokenProblems(record, "stray-output")
        : { untested: "The server was not reached by stdio" },
  },
});
