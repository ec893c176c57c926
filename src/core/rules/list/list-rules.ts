import { jsonEqual } from "../../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { jsonRpcCodes } from "../../protocol/json-rpc-error.ts";
import { methodOf, type ToolListing, type RecordedMessage, type ServerRecord } from "../server-record.ts";
import { describeReply } from "../protocol/greeting-rules.ts";
import { type RuleFinding, type ServerRule, type RuleVerdict, defineServerRules } from "../server-rule.ts";

/**
 * Claude Code keeps the definitions of MCP tools out of the context if they exceed a tenth of it; a usual context has
 * 200,000.
 */
const MAX_LIST_TOKENS = 20_000;
/** VS Code and the OpenAI API refuse a request with more tools. */
const MAX_TOOLS = 128;

const UNLISTED = "The server did not answer `tools/list`";

interface Page {
  readonly cursor: string | undefined;
  readonly tools: readonly JsonObject[];
  readonly nextCursor: JsonValue | undefined;
}

/** The pages that were answered with a list. */
function pagesOf(listing: ToolListing | undefined): readonly Page[] {
  return (listing?.pages ?? []).flatMap(({ cursor, reply }) => {
    if (reply.kind !== "result") return [];
    const { tools, nextCursor } = reply.result;
    const listed = Array.isArray(tools) ? (tools as readonly JsonValue[]) : [];
    return [{ cursor, tools: listed.filter(isJsonObject), nextCursor }];
  });
}

function toolsOf(listing: ToolListing | undefined): readonly JsonObject[] {
  return pagesOf(listing).flatMap(({ tools }) => tools);
}

function nameOf({ name }: JsonObject): string | undefined {
  return typeof name === "string" && name !== "" ? name : undefined;
}

function namesOf(listing: ToolListing | undefined): readonly string[] {
  return toolsOf(listing).flatMap((tool) => nameOf(tool) ?? []);
}

/** A server without tools need not have the method. */
function hasNoTools(record: ServerRecord): boolean {
  const first = record.listings[0]?.pages[0]?.reply;
  return first?.kind === "error" && first.error["code"] === jsonRpcCodes.methodNotFound.code;
}

function judgeAnswered(record: ServerRecord): RuleVerdict {
  if (record.greeting.kind !== "result" || record.listings.length === 0)
    return { untested: "The list was not asked for" };
  if (hasNoTools(record)) return { untested: "The server has no `tools/list`" };
  const found = new Map<string, RuleFinding>();
  for (const { pages } of record.listings) {
    for (const { cursor, reply } of pages) {
      if (reply.kind === "result") continue;
      const page = cursor === undefined ? "The first page" : "A later page";
      const message = `${page} of \`tools/list\` ${describeReply(reply)}`;
      found.set(message, { path: "", message });
    }
  }
  return [...found.values()];
}

function judgeCursors(record: ServerRecord): RuleVerdict {
  const pages = pagesOf(record.listings[0]);
  if (pages.length === 0) return { untested: UNLISTED };
  if (pages.every(({ nextCursor }) => nextCursor === undefined)) return { untested: "The list has one page" };
  const repeated = findRepeatedCursor(record.listings[0]);
  if (repeated === undefined) return [];
  const message = `The cursor ${JSON.stringify(repeated.slice(0, 80))} was given a second time`;
  return [{ path: "/nextCursor", message }];
}

/** A cursor that leads back to a page that was already read. */
function findRepeatedCursor(listing: ToolListing | undefined): string | undefined {
  const given = new Set<string>();
  for (const { nextCursor } of pagesOf(listing)) {
    if (typeof nextCursor !== "string") continue;
    if (given.has(nextCursor)) return nextCursor;
    given.add(nextCursor);
  }
  return undefined;
}

function judgeEnd(record: ServerRecord): RuleVerdict {
  const listing = record.listings[0];
  const pages = pagesOf(listing);
  if (listing === undefined || pages.length === 0) return { untested: UNLISTED };
  // `list/cursor-advances` reports a repeated cursor.
  if (!listing.isCut || findRepeatedCursor(listing) !== undefined) return [];
  return [{ path: "/nextCursor", message: `The list had not ended after ${pages.length} pages` }];
}

function judgeDoubles(record: ServerRecord): RuleVerdict {
  const pages = pagesOf(record.listings[0]);
  if (pages.length === 0) return { untested: UNLISTED };
  if (findRepeatedCursor(record.listings[0]) !== undefined)
    return { untested: "The pages come again from the beginning" };
  const seen = new Map<string, number>();
  const doubles = new Set<string>();
  for (const [index, { tools }] of pages.entries()) {
    for (const name of tools.flatMap((tool) => nameOf(tool) ?? [])) {
      // Two equal names on one page break `tools-list/name-unique`.
      if ((seen.get(name) ?? index) !== index) doubles.add(name);
      if (!seen.has(name)) seen.set(name, index);
    }
  }
  return [...doubles].map((tool) => ({ tool, path: "/name", message: "The tool is on two pages" }));
}

/** Whether the server has announced a change of the list since it was first asked for it. */
function wasAnnounced({ messages }: ServerRecord): boolean {
  const isNamed = ({ value }: RecordedMessage, method: string): boolean =>
    isJsonObject(value) && methodOf(value) === method;
  const asked = messages.findIndex((message) => message.from === "client" && isNamed(message, "tools/list"));
  return messages
    .slice(Math.max(0, asked))
    .some((message) => message.from === "server" && isNamed(message, "notifications/tools/list_changed"));
}

/** Why two walks cannot be compared. */
function whyIncomparable(record: ServerRecord): string | undefined {
  const [first, second] = record.listings;
  if (pagesOf(first).length === 0) return UNLISTED;
  if (pagesOf(second).length === 0) return "The list was walked only once";
  return wasAnnounced(record) ? "The server announced that its list changed" : undefined;
}

function judgeOrder(record: ServerRecord): RuleVerdict {
  const untested = whyIncomparable(record);
  if (untested !== undefined) return { untested };
  const [first, second] = record.listings.map((listing) => namesOf(listing));
  const before = first ?? [];
  const after = second ?? [];
  const gone = before.filter((name) => !after.includes(name));
  const came = after.filter((name) => !before.includes(name));
  if (gone.length + came.length > 0) {
    const listed = [...gone, ...came].slice(0, 5).join(", ");
    return [{ path: "/tools", message: `Two walks through the list differ in ${listed}` }];
  }
  const at = before.findIndex((name, index) => name !== after[index]);
  if (at === -1) return [];
  const message = `At place ${at + 1} is first "${before[at] ?? ""}", then "${after[at] ?? ""}"`;
  return [{ path: "/tools", message }];
}

function judgeStable(record: ServerRecord): RuleVerdict {
  const untested = whyIncomparable(record);
  if (untested !== undefined) return { untested };
  const [first, second] = record.listings;
  const later = new Map(toolsOf(second).map((tool) => [nameOf(tool), tool]));
  return toolsOf(first).flatMap((tool): RuleFinding[] => {
    const name = nameOf(tool);
    const again = name === undefined ? undefined : later.get(name);
    if (again === undefined || jsonEqual(tool, again)) return [];
    const keys = Object.keys({ ...tool, ...again });
    const key = keys.find((one) => !jsonEqual(tool[one] ?? null, again[one] ?? null)) ?? "";
    return [
      { tool: name, path: `/${key}`, message: `\`${key}\` differs between two walks through the list` },
    ];
  });
}

function judgeBadCursor(record: ServerRecord): RuleVerdict {
  const reply = record.exchanges.find(({ purpose }) => purpose === "bad-cursor")?.reply;
  if (reply === undefined) return { untested: "It was not tried" };
  // A list of one page needs no cursors, so the SDKs ignore them.
  if (pagesOf(record.listings[0]).length < 2) return { untested: "The list has one page" };
  if (reply.kind === "error" && reply.error["code"] === jsonRpcCodes.invalidParams.code) return [];
  const answer = reply.kind === "result" ? "was answered with a page" : describeReply(reply);
  return [{ path: "/params/cursor", message: `A cursor that the server never gave ${answer}` }];
}

function judgeTokens(record: ServerRecord): RuleVerdict {
  if (record.tools.length === 0) return { untested: "The server lists no tools" };
  const tokens = record.tools.reduce((sum, tool) => sum + tool.tokens, 0);
  if (tokens <= MAX_LIST_TOKENS) return [];
  const count = record.tools.length;
  return [{ path: "/tools", message: `The definitions of ${count} tools have ${tokens} tokens` }];
}

function judgeCount(record: ServerRecord): RuleVerdict {
  if (record.tools.length === 0) return { untested: "The server lists no tools" };
  if (record.tools.length <= MAX_TOOLS) return [];
  return [{ path: "/tools", message: `The server lists ${record.tools.length} tools` }];
}

/** The list of tools as a whole: its pages, its order, its size. */
export const listRules: readonly ServerRule[] = defineServerRules({
  "list/answered": {
    severity: "MUST",
    says: "Every page of `tools/list` is answered with a result",
    fix: "Answer each cursor that you gave with its page.",
    source: "MCP 2025-06-18, tools: listing",
    judge: judgeAnswered,
  },
  "list/pages-end": {
    severity: "MUST",
    says: "The pages of `tools/list` come to an end",
    fix: "Leave `nextCursor` out on the last page. SDK clients stop after 64 pages.",
    source: "MCP 2025-06-18, pagination",
    judge: judgeEnd,
  },
  "list/cursor-advances": {
    severity: "MUST",
    says: "Each page of `tools/list` gives a cursor that was not given before",
    fix: "Let the cursor name the place after the page, and leave it out on the last page.",
    source: "MCP 2025-06-18, pagination",
    judge: judgeCursors,
  },
  "list/doubles": {
    severity: "MUST",
    says: "No tool is on two pages of the list",
    fix: "Begin each page after the last tool of the page before, in one fixed order.",
    source: "MCP 2025-11-25, tool names: unique within a server",
    judge: judgeDoubles,
  },
  "list/order-stable": {
    severity: "SHOULD",
    says: "Two walks through the list give the same tools in the same order",
    fix: "Sort the tools, or keep them in a list: another order makes the model's prompt cache worthless.",
    source: "MCP 2026-07-28, tools: listing",
    judge: judgeOrder,
  },
  "list/definitions-stable": {
    severity: "SHOULD",
    says: "Two walks through the list give each tool the same definition",
    fix: "Leave times, counts and random values out of definitions; send list_changed where they really change.",
    source: "MCP 2026-07-28, tools: listing",
    judge: judgeStable,
  },
  "list/bad-cursor": {
    severity: "SHOULD",
    says: "A cursor that the server never gave is answered with the error -32602",
    fix: "Check the cursor and answer -32602 (invalid params) where it is not yours.",
    source: "MCP 2025-06-18, pagination: error handling",
    judge: judgeBadCursor,
  },
  "list/tokens": {
    severity: "SHOULD",
    says: `All definitions together have at most ${MAX_LIST_TOKENS.toLocaleString("en")} tokens`,
    fix: "Shorten descriptions and schemas, or offer fewer tools: every conversation begins with all of them.",
    source: "Claude Code: definitions over a tenth of a context of 200,000 tokens are kept out of it",
    judge: judgeTokens,
  },
  "list/count": {
    severity: "SHOULD",
    says: `The server lists at most ${MAX_TOOLS} tools`,
    fix: "Join tools that do nearly the same, or split the server: some clients refuse longer lists.",
    source: "VS Code and the OpenAI API: at most 128 tools in a request",
    judge: judgeCount,
  },
});
