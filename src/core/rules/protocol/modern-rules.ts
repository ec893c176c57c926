import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { describeMember, describeValue } from "../../protocol/message-values.ts";
import { conversationOf, methodOf } from "../conversation.ts";
import type { ServerRecord } from "../server-record.ts";
import { type Finding, type ServerRule, type Verdict, defineServerRules } from "../server-rule.ts";
import { mcpMeta } from "../../protocol/names.ts";

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
  judge: (result: JsonObject) => Omit<Finding, "tool" | "call"> | undefined,
): Verdict {
  if (record.era === "legacy") return { untested: LEGACY };
  const results = resultsOf(record).filter(({ method }) => methods?.includes(method) ?? true);
  if (results.length === 0) return { untested: "The server answered no request with a result" };
  const byMethod = new Map<string, Finding>();
  for (const { method, result } of results) {
    const found = byMethod.has(method) ? undefined : judge(result);
    if (found === undefined) continue;
    byMethod.set(method, { ...found, message: `In the answer to ${method}: ${found.message}` });
  }
  return [...byMethod.values()];
}

function judgeResultType({ resultType }: JsonObject): Omit<Finding, "tool"> | undefined {
  if (typeof resultType === "string" && resultType !== "") return undefined;
  return { path: "/resultType", message: describeMember("resultType", resultType) };
}

function judgeCacheHints({ ttlMs, cacheScope }: JsonObject): Omit<Finding, "tool"> | undefined {
  if (!Number.isInteger(ttlMs) || Number(ttlMs) < 0)
    return { path: "/ttlMs", message: describeMember("ttlMs", ttlMs) };
  if (cacheScope === "public" || cacheScope === "private") return undefined;
  return { path: "/cacheScope", message: describeMember("cacheScope", cacheScope) };
}

function judgeServerInfo({ _meta: meta }: JsonObject): Omit<Finding, "tool"> | undefined {
  const info = isJsonObject(meta) ? meta[mcpMeta.serverInfo] : undefined;
  if (isJsonObject(info) && typeof info["name"] === "string") return undefined;
  return { path: "/_meta", message: describeMember(mcpMeta.serverInfo, info) };
}

const retired: readonly unknown[] = [-32002, -32042];

function judgeRetiredCodes(record: ServerRecord): Verdict {
  if (record.era === "legacy") return { untested: LEGACY };
  const codes = conversationOf(record).answers.flatMap(({ response: { error } }) =>
    isJsonObject(error) ? [error["code"]] : [],
  );
  if (codes.length === 0) return { untested: "The server answered nothing with an error" };
  return [...new Set(codes)]
    .filter((code) => retired.includes(code))
    .map((code) => ({ path: "/error/code", message: `\`error.code\` is ${describeValue(code)}` }));
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
