import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type {
  ToolListing,
  RecordedMessage,
  RecordedReply,
  ServerRecord,
  ToolRecord,
} from "./server-record.ts";
import type { RuleFinding, JudgeTools, ServerRule, RuleVerdict } from "./server-rule.ts";
import { serverRules } from "./server-rules.ts";

/** A definition with which no rule finds anything. */
export const goodTool: JsonObject = {
  name: "find_orders",
  description: "Finds the orders of a customer, newest first.",
  inputSchema: {
    type: "object",
    properties: { customer: { type: "string", description: "The customer's id." } },
    required: ["customer"],
  },
  annotations: { readOnlyHint: true },
};

export function result(value: JsonObject): RecordedReply {
  return { kind: "result", result: value };
}

export function failure(code: number, message = "No."): RecordedReply {
  return { kind: "error", error: { code, message } };
}

export function toolOf(definition: JsonObject, tokens = 100): ToolRecord {
  const { name } = definition;
  return { name: typeof name === "string" ? name : "", definition, tokens, isReadOnly: true };
}

/** A walk through pages; each cursor leads to the page after it. */
export function listingOf(...pages: readonly (readonly JsonObject[])[]): ToolListing {
  return {
    pages: pages.map((tools, index) => {
      const isLast = index === pages.length - 1;
      const cursor = index === 0 ? undefined : `page-${index}`;
      return { cursor, reply: result(isLast ? { tools } : { tools, nextCursor: `page-${index + 1}` }) };
    }),
    isCut: false,
  };
}

export function said(from: "client" | "server", value: JsonValue): RecordedMessage {
  const raw = JSON.stringify(value);
  return { from, raw, value, bytes: raw.length, atMs: 0 };
}

/** A request and its answer. */
export function asked(id: number, method: string, answer: JsonObject): readonly RecordedMessage[] {
  return [
    said("client", { jsonrpc: "2.0", id, method, params: {} }),
    said("server", { jsonrpc: "2.0", id, ...answer }),
  ];
}

export const greeting: JsonObject = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "shop", version: "1.0.0" },
};

/** What a check of a good server of the legacy era records, with changes. */
export function recordOf(changes: Partial<ServerRecord> = {}): ServerRecord {
  const listing = listingOf([goodTool]);
  return {
    target: "node shop.js",
    transport: "stdio",
    era: "legacy",
    protocolVersion: "2025-11-25",
    greeting: result(greeting),
    listings: [listing, listing],
    tools: [toolOf(goodTool)],
    calls: [],
    problems: [],
    messages: [
      ...asked(1, "initialize", { result: greeting }),
      said("client", { jsonrpc: "2.0", method: "notifications/initialized" }),
      ...asked(2, "tools/list", { result: { tools: [goodTool] } }),
    ],
    dialect: undefined,
    exchanges: [],
    ...changes,
  };
}

const discovered: JsonObject = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: "private",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "shop", version: "1.0.0" } },
};

/** The same of the modern era. */
export function modernRecordOf(changes: Partial<ServerRecord> = {}): ServerRecord {
  const list = { ...discovered, tools: [goodTool] };
  return recordOf({
    era: "modern",
    protocolVersion: "2026-07-28",
    greeting: result(discovered),
    messages: [
      ...asked(1, "server/discover", { result: discovered }),
      ...asked(2, "tools/list", { result: list }),
    ],
    ...changes,
  });
}

/** A record whose server lists these tools, in messages too. */
export function listed(...definitions: readonly JsonObject[]): ServerRecord {
  const listing = listingOf(definitions);
  return recordOf({
    listings: [listing, listing],
    tools: definitions.map((definition) => toolOf(definition)),
    messages: asked(2, "tools/list", { result: { tools: definitions } }),
  });
}

/** Counts four characters as a token, and lets every value through. */
export const plainTools: JudgeTools = {
  validate: async () => Promise.resolve({ errors: [] }),
  countTokens: (text) => Math.ceil(text.length / 4),
};

function ruleNamed(id: string): ServerRule {
  const rule = serverRules.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`There is no rule ${id}`);
  return rule;
}

/** What one rule says of a record. */
export async function verdictOf(id: string, record: ServerRecord, tools = plainTools): Promise<RuleVerdict> {
  return ruleNamed(id).judge(record, tools);
}

/** The findings of one rule; throws where it is untested. */
export async function findingsOf(
  id: string,
  record: ServerRecord,
  tools = plainTools,
): Promise<readonly RuleFinding[]> {
  const verdict = await verdictOf(id, record, tools);
  if ("untested" in verdict) throw new Error(`${id} is untested: ${verdict.untested}`);
  return verdict;
}

/** The rules of some groups that find something in a record. */
export async function brokenRules(
  record: ServerRecord,
  groups: readonly string[],
): Promise<readonly string[]> {
  const rules = serverRules.filter(({ id }) => groups.includes(id.slice(0, id.indexOf("/"))));
  const verdicts = await Promise.all(
    rules.map(async ({ id, judge }) => ({ id, verdict: await judge(record, plainTools) })),
  );
  return verdicts.flatMap(({ id, verdict }) => ("untested" in verdict || verdict.length === 0 ? [] : [id]));
}
