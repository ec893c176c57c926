import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { describeMember, describeMessageValue } from "../../protocol/message-values.ts";
import {
  conversationOf,
  methodOf,
  type ServerRecord,
  type ExchangePurpose,
  type RecordedReply,
} from "../server-record.ts";
import { type RuleFinding, type ServerRule, type RuleVerdict, defineServerRules } from "../server-rule.ts";
import { mcpMeta } from "../../protocol/names.ts";
import { jsonRpcCodes } from "../../protocol/json-rpc-error.ts";
import { describeReply } from "./greeting-rules.ts";

const LEGACY = "The server was checked in the legacy era";

/** The results of a record by the method they answer. */
function resultsOf(record: ServerRecord): readonly { method: string; result: JsonObject }[] {
  return conversationOf(record).answers.flatMap(({ request, response: { result } }) => {
    const method = methodOf(request);
    return method !== undefined && isJsonObject(result) ? [{ method, result }] : [];
  });
}

/** Judges each result; the first finding of a method counts for all its results. */
function judgeResults(
  record: ServerRecord,
  methods: readonly string[] | undefined,
  judge: (result: JsonObject) => Omit<RuleFinding, "tool" | "call"> | undefined,
): RuleVerdict {
  if (record.era === "legacy") return { untested: LEGACY };
  const results = resultsOf(record).filter(({ method }) => methods?.includes(method) ?? true);
  if (results.length === 0) return { untested: "The server answered no request with a result" };
  const byMethod = new Map<string, RuleFinding>();
  for (const { method, result } of results) {
    const found = byMethod.has(method) ? undefined : judge(result);
    if (found === undefined) continue;
    byMethod.set(method, { ...found, message: `In the answer to ${method}: ${found.message}` });
  }
  return [...byMethod.values()];
}

function judgeResultType({ resultType }: JsonObject): Omit<RuleFinding, "tool"> | undefined {
  if (typeof resultType === "string" && resultType !== "") return undefined;
  return { path: "/resultType", message: describeMember("resultType", resultType) };
}

function judgeCacheHints({ ttlMs, cacheScope }: JsonObject): Omit<RuleFinding, "tool"> | undefined {
  if (!Number.isInteger(ttlMs) || Number(ttlMs) < 0)
    return { path: "/ttlMs", message: describeMember("ttlMs", ttlMs) };
  if (cacheScope === "public" || cacheScope === "private") return undefined;
  return { path: "/cacheScope", message: describeMember("cacheScope", cacheScope) };
}

function judgeServerInfo({ _meta: meta }: JsonObject): Omit<RuleFinding, "tool"> | undefined {
  const info = isJsonObject(meta) ? meta[mcpMeta.serverInfo] : undefined;
  if (isJsonObject(info) && typeof info["name"] === "string") return undefined;
  return { path: "/_meta", message: describeMember(mcpMeta.serverInfo, info) };
}

const retired: readonly unknown[] = [-32002, -32042];

function judgeRetiredCodes(record: ServerRecord): RuleVerdict {
  if (record.era === "legacy") return { untested: LEGACY };
  const codes = conversationOf(record).answers.flatMap(({ response: { error } }) =>
    isJsonObject(error) ? [error["code"]] : [],
  );
  if (codes.length === 0) return { untested: "The server answered nothing with an error" };
  return [...new Set(codes)]
    .filter((code) => retired.includes(code))
    .map((code) => ({ path: "/error/code", message: `\`error.code\` is ${describeMessageValue(code)}` }));
}

/** What 2026-07-28 requires of every answer. */
export const modernRules: readonly ServerRule[] = defineServerRules({
  "modern/result-type": {
    severity: "MUST",
    says: "In the modern era every result has a `resultType`",
    fix: 'Set `resultType` to "complete" on results that are final.',
    source: "MCP 2026-07-28, result responses",
    judge: (record) => judgeResults(record, undefined, judgeResultType),
  },
  "modern/cache-hints": {
    severity: "MUST",
    says: "In the modern era `server/discover` and lists say `ttlMs` and `cacheScope`",
    fix: 'Send `ttlMs`, an integer of at least 0, and `cacheScope`, "public" or "private"; 0 and "private" are always safe.',
    source: "MCP 2026-07-28, caching",
    judge: (record) => judgeResults(record, ["server/discover", "tools/list"], judgeCacheHints),
  },
  "modern/server-info": {
    severity: "SHOULD",
    says: "In the modern era every result names the server in its `_meta`",
    fix: `Put the server's name and version under "${mcpMeta.serverInfo}" in each result's _meta.`,
    source: "MCP 2026-07-28, _meta",
    judge: (record) => judgeResults(record, undefined, judgeServerInfo),
  },
  "modern/retired-codes": {
    severity: "MUST",
    says: "In the modern era no error has the codes -32002 or -32042 of earlier revisions",
    fix: "Send -32602 for a resource that does not exist, and `input_required` where a URL must be opened.",
    source: "MCP 2026-07-28, error codes",
    judge: judgeRetiredCodes,
  },
});

/** Judges the answer to the exchange with this purpose; without such an exchange the rule is untested. */
function judgeReply(
  { exchanges }: ServerRecord,
  purpose: ExchangePurpose,
  judge: (reply: RecordedReply) => string | undefined,
): RuleVerdict {
  const exchange = exchanges.find((one) => one.purpose === purpose);
  if (exchange === undefined) return { untested: "It was not tried" };
  const message = judge(exchange.reply);
  return message === undefined ? [] : [{ path: "", message }];
}

function judgePing(record: ServerRecord): RuleVerdict {
  if (record.era === "modern") return { untested: "MCP 2026-07-28 has no `ping`" };
  return judgeReply(record, "ping", (reply) =>
    reply.kind === "result" ? undefined : `\`ping\` ${describeReply(reply)}`,
  );
}

function judgeStringId(record: ServerRecord): RuleVerdict {
  return judgeReply(record, "string-id", (reply) =>
    reply.kind === "timeout" || reply.kind === "closed"
      ? `A request whose id is a text ${describeReply(reply)}`
      : undefined,
  );
}

function judgeUnknownMethod(record: ServerRecord): RuleVerdict {
  return judgeReply(record, "unknown-method", (reply) => {
    if (reply.kind === "error") return undefined;
    if (reply.kind === "result") return "A method that does not exist was answered with a result";
    return `A method that does not exist ${describeReply(reply)}`;
  });
}

function judgeUnknownMethodCode(record: ServerRecord): RuleVerdict {
  const reply = record.exchanges.find(({ purpose }) => purpose === "unknown-method")?.reply;
  if (reply?.kind !== "error") return { untested: "No error was given for a method that does not exist" };
  const { code } = reply.error;
  // A code that is not an integer breaks `jsonrpc/error-code`.
  if (!Number.isInteger(code) || code === jsonRpcCodes.methodNotFound.code) return [];
  return [
    {
      path: "/error/code",
      message: `A method that does not exist gives the code ${describeMessageValue(code)}`,
    },
  ];
}

/** A line without an id gives no request to answer, so silence is right too; the SDKs are silent. */
function judgeBrokenJson(record: ServerRecord): RuleVerdict {
  const broken = record.exchanges.find(({ purpose }) => purpose === "broken-json")?.reply;
  const after = record.exchanges.find(({ purpose }) => purpose === "after-broken-json")?.reply;
  if (broken === undefined) return { untested: "A line that is no JSON can be sent over stdio only" };
  const found: RuleFinding[] = [];
  if (broken.kind === "result")
    found.push({ path: "", message: "A line that is no JSON was answered with a result" });
  if (broken.kind === "closed" || broken.kind === "oversized")
    found.push({ path: "", message: `A line that is no JSON ${describeReply(broken)}` });
  if (found.length === 0 && (after?.kind === "timeout" || after?.kind === "closed"))
    found.push({ path: "", message: `The request after a line that is no JSON ${describeReply(after)}` });
  return found;
}

function judgeParseErrorCode(record: ServerRecord): RuleVerdict {
  const reply = record.exchanges.find(({ purpose }) => purpose === "broken-json")?.reply;
  if (reply?.kind !== "error") return { untested: "No error was given for a line that is no JSON" };
  const { code } = reply.error;
  if (!Number.isInteger(code) || code === jsonRpcCodes.parseError.code) return [];
  return [
    { path: "/error/code", message: `A line that is no JSON gives the code ${describeMessageValue(code)}` },
  ];
}

/** How a server answers simple, wrong or broken messages. */
export const answeringRules: readonly ServerRule[] = defineServerRules({
  "protocol/ping": {
    severity: "MUST",
    says: "`ping` is answered with a result",
    fix: "Answer `ping` with an empty result, {}.",
    source: "MCP 2025-11-25, ping",
    judge: judgePing,
  },
  "protocol/string-id": {
    severity: "MUST",
    says: "A request is answered also when its id is a text",
    fix: "Take ids as they come, texts and integers, and echo them unchanged.",
    source: "MCP 2025-06-18, requests",
    judge: judgeStringId,
  },
  "protocol/unknown-method": {
    severity: "MUST",
    says: "A method that does not exist is answered with an error",
    fix: "Answer every request with an id; for methods you do not have send the error -32601.",
    source: "JSON-RPC 2.0, response object",
    judge: judgeUnknownMethod,
  },
  "protocol/unknown-method-code": {
    severity: "SHOULD",
    says: "The error of a method that does not exist has the code -32601",
    fix: "Send -32601 (method not found): clients tell by it that a feature is absent.",
    source: "JSON-RPC 2.0, error object",
    judge: judgeUnknownMethodCode,
  },
  "protocol/broken-json": {
    severity: "MUST",
    says: "A line that is no JSON does not end the server, and is no success",
    fix: "Catch the parser's exception, answer with -32700 and a null id or not at all, and read on.",
    source: "JSON-RPC 2.0, error object",
    judge: judgeBrokenJson,
  },
  "protocol/broken-json-code": {
    severity: "SHOULD",
    says: "The error of a line that is no JSON has the code -32700",
    fix: "Send -32700 (parse error) with a null id.",
    source: "JSON-RPC 2.0, error object",
    judge: judgeParseErrorCode,
  },
});
