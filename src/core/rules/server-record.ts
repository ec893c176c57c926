import type { DialectId } from "../contract/dialect-id.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { DefinedTool } from "./definition/definition-rule.ts";
import { LEGACY_REVISION, MODERN_REVISION } from "../protocol/names.ts";

/** The two families of the protocol: with `initialize` and a session, or one request at a time (2026-07-28). */
export type Era = "legacy" | "modern";

/** One message as it was sent. Only the beginning of a very long one is kept; `bytes` is its full length. */
export interface RecordedMessage {
  readonly from: "client" | "server";
  readonly raw: string;
  /** Undefined if the line is not JSON, or was too long to be kept. */
  readonly value: JsonValue | undefined;
  readonly bytes: number;
  /** True if its bytes are not UTF-8; `raw` then has replacement characters. */
  readonly isBadText?: boolean | undefined;
  readonly atMs: number;
}

/** The answer to a request, or what happened instead. */
export type RecordedReply =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "error"; readonly error: JsonObject }
  /** Nothing came within the time limit. */
  | { readonly kind: "timeout"; readonly afterMs: number }
  /** The server ended, or the connection broke, before an answer. */
  | { readonly kind: "closed"; readonly reason: string }
  /** The answer was longer than the checker reads; it was dropped while it was received. */
  | { readonly kind: "oversized"; readonly bytes: number };

/** Why a tool was called. */
export const callPurposes = [
  "given", // arguments of the user, or an example of the schema
  "valid", // made from the input schema
  "boundary", // valid, at the edges: empty, longest, smallest, null if allowed
  "invalid", // against the input schema; `wrong` says how
  "unknown-tool",
  "repeat", // the same arguments once more
  "page", // the next page of an earlier call
  "cancelled",
  "retrieve", // what an earlier answer said it had left out
] as const;
export type CallPurpose = (typeof callPurposes)[number];

/** One `tools/call`. */
export interface CallRecord {
  /** Its place in `ServerRecord.calls`; findings name calls by it. */
  readonly index: number;
  readonly tool: string;
  readonly purpose: CallPurpose;
  readonly arguments: JsonObject;
  /**
   * For `invalid`: the JSON Pointer in the arguments, what is wrong there in words, and the broken keyword of JSON
   * Schema.
   */
  readonly wrong?:
    | { readonly path: string; readonly why: string; readonly keyword?: string | undefined }
    | undefined;
  /**
   * The call it follows: for `repeat` the one with the same arguments, for `page` the page before, for `retrieve` the
   * one whose answer names the archive (also for its further pages).
   */
  readonly follows?: number | undefined;
  /** For `cancelled`: what was still received during the wait; `timeout` if nothing was. */
  readonly reply: RecordedReply;
  /** For `cancelled`: what happened afterwards. */
  readonly cancel?:
    | {
        /** How long the call ran before it was cancelled. */
        readonly afterMs: number;
        /** How long after that its answer came; undefined if none came. A few milliseconds are only a race. */
        readonly answeredAfterMs: number | undefined;
        /** The answer to the next request, which shows whether the server still works. */
        readonly next: RecordedReply;
      }
    | undefined;
  readonly durationMs: number;
  /** UTF-8 bytes of the answer's `result` or `error`. */
  readonly bytes: number;
  /** Tokens (o200k_base) of what a model may read: text blocks, and structuredContent as JSON; each counted alone. */
  readonly tokens: { readonly text: number; readonly structured: number };
}

/** What is sent besides lists and calls, to see whether a server follows the protocol. */
export const exchangePurposes = [
  "ping", // legacy era only
  "string-id", // a request whose id is a text
  "unknown-method",
  "unknown-notification", // a message that gets no answer: `timeout` is right
  "bad-cursor", // `tools/list` with a cursor that the server never gave
  "broken-json", // a line that is not JSON; `timeout` if nothing came back. Not over HTTP
  "after-broken-json", // whether the server still answers
] as const;
export type ExchangePurpose = (typeof exchangePurposes)[number];

/** What is sent over HTTP to see its statuses. */
export const httpPurposes = [
  "notification", // legacy era only: the modern one has none
  "get", // the server's own stream, which it need not have
  "bad-version", // a revision that does not exist
  "foreign-origin", // as from a page of another site. Only to a server on this machine
  "broken-json",
  "no-session", // legacy era, if the server opened a session: a request without its id
  "ended-session", // the same: a request in a session that was ended
  "unknown-method", // modern era only
  "header-mismatch", // modern era only: the header names another method than the body
] as const;
export type HttpPurpose = (typeof httpPurposes)[number];

/** The status of one HTTP request. */
export interface HttpExchange {
  readonly purpose: HttpPurpose;
  readonly status: number;
  /** Without parameters; undefined if none is named. */
  readonly contentType: string | undefined;
  readonly hasBody: boolean;
}

/** An archive that an answer names, read as a resource. */
export interface ArchiveRead {
  /** The call whose answer names it. */
  readonly follows: number;
  readonly uri: string;
  readonly hash: string;
  readonly reply: RecordedReply;
  /** False for its beginning alone, which is asked for where the whole was refused. */
  readonly isWhole: boolean;
}

/** One tool as `tools/list` gives it. */
export interface ToolRecord {
  readonly name: string;
  readonly definition: JsonObject;
  /** Tokens of the definition as JSON. */
  readonly tokens: number;
  readonly isReadOnly: boolean;
  /** Why the tool was not called; undefined if it was. */
  readonly notProbed?: string | undefined;
  /** How to have it called: on the command line, and in code. */
  readonly remedy?: { readonly flag: string; readonly option: string } | undefined;
}

/** One walk through all pages of `tools/list`. */
export interface ToolListing {
  readonly pages: readonly {
    readonly cursor: string | undefined;
    readonly reply: RecordedReply;
  }[];
  /** True if the check ended the walk: too many pages, or a repeated cursor. */
  readonly isCut: boolean;
}

/** What went wrong around the calls. */
export interface ServerProblem {
  readonly kind:
    | "start-failed" // no process, no connection, or it ended before the first answer
    | "start-timeout"
    | "died" // it ended while it was probed; it was started again where possible
    | "stray-output" // a line on stdout that is not a JSON-RPC message
    | "redirected"
    | "refused"; // HTTP status, authentication
  readonly message: string;
  /** The call that was open, if any. */
  readonly call?: number | undefined;
}

/** Everything that a check saw of a server. Rules judge the record and never ask the server itself. */
export interface ServerRecord {
  /** How the server was reached, without secrets: a command line or a URL. */
  readonly target: string;
  readonly transport: "stdio" | "http";
  readonly era: Era;
  readonly protocolVersion: string | undefined;
  /** The result of `initialize` or `server/discover`. */
  readonly greeting: RecordedReply;
  /** Two walks of `tools/list`, in order, so that they can be compared. */
  readonly listings: readonly ToolListing[];
  readonly tools: readonly ToolRecord[];
  readonly calls: readonly CallRecord[];
  readonly problems: readonly ServerProblem[];
  readonly messages: readonly RecordedMessage[];
  /** The dialect that results are judged by; undefined: detected for each result, plain MCP if none is recognised. */
  readonly dialect: DialectId | undefined;
  /** What was sent besides lists and calls, and how it was answered; each purpose at most once. */
  readonly exchanges: readonly {
    readonly purpose: ExchangePurpose;
    readonly request: JsonValue;
    readonly reply: RecordedReply;
    /** The whole response message, with its id. */
    readonly response: JsonValue | undefined;
  }[];
  /** Undefined if the server was not reached by a URL. */
  readonly http?: readonly HttpExchange[] | undefined;
  /** Undefined if the server offers no resources. */
  readonly archiveReads?: readonly ArchiveRead[] | undefined;
}

/**
 * The record of a server that only listed these tools, so that rules about lists and definitions can judge tools that
 * no server has sent yet.
 */
export function listedRecord(tools: readonly DefinedTool[], era: Era): ServerRecord {
  const result: JsonObject = { tools: tools.map(({ definition }) => definition) };
  const reply = { kind: "result", result } as const;
  const listing = { pages: [{ cursor: undefined, reply }], isCut: false };
  return {
    target: "a list of tools",
    transport: "stdio",
    era,
    protocolVersion: era === "legacy" ? LEGACY_REVISION : MODERN_REVISION,
    greeting: { kind: "result", result: {} },
    listings: [listing, listing],
    tools: tools.map((tool) => ({ ...tool, isReadOnly: false, notProbed: "It was not called" })),
    calls: [],
    problems: [],
    messages: [
      message("client", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      message("server", { jsonrpc: "2.0", id: 1, result }),
    ],
    dialect: undefined,
    exchanges: [],
  };
}

function message(from: "client" | "server", value: JsonObject): RecordedMessage {
  const raw = JSON.stringify(value);
  return { from, raw, value, bytes: raw.length, atMs: 0 };
}

/**
 * A function whose result several rules ask for: it runs once for each source. A record is plain data that may come from
 * a file, so what is derived from it is kept beside it.
 */
export function derivedOnce<Source extends object, Value>(
  derive: (source: Source) => Value,
): (source: Source) => Value {
  const known = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const found = known.get(source) ?? { value: derive(source) };
    known.set(source, found);
    return found.value;
  };
}

/** A response of the server, and the request with its id, if one was sent. */
interface Answer {
  readonly request: JsonObject | undefined;
  readonly response: JsonObject;
}

/** The messages of a record by kind; batches are split. */
export interface Conversation {
  readonly answers: readonly Answer[];
  /** Requests and notifications of the server. */
  readonly fromServer: readonly JsonObject[];
  readonly requests: readonly JsonObject[];
  readonly notifications: readonly JsonObject[];
  /** JSON of the server that is not a message: a text, a number, an empty batch. */
  readonly strays: readonly JsonValue[];
}

const conversationIn = derivedOnce(readMessages);

/** Reads the messages of a record once for all rules. */
export function conversationOf({ messages }: ServerRecord): Conversation {
  return conversationIn(messages);
}

export function methodOf(message: JsonObject | undefined): string | undefined {
  const method = message?.["method"];
  return typeof method === "string" ? method : undefined;
}

/** The `params` of a message, empty for a message without them. */
export function paramsOf(message: JsonObject | undefined): JsonObject {
  const params = message?.["params"];
  return isJsonObject(params) ? params : {};
}

/** The ids 1 and "1" are different. */
function keyOf(id: JsonValue | undefined): string {
  return JSON.stringify(id ?? null);
}

function readMessages(messages: readonly RecordedMessage[]): Conversation {
  const answers: Answer[] = [];
  const fromServer: JsonObject[] = [];
  const requests: JsonObject[] = [];
  const notifications: JsonObject[] = [];
  const strays: JsonValue[] = [];
  // A restarted server gets the same ids again, so the latest request with an id counts.
  const byId = new Map<string, JsonObject>();
  for (const { from, value } of messages) {
    if (value === undefined) continue;
    const isBatch = Array.isArray(value) && value.length > 0;
    for (const message of isBatch ? (value as readonly JsonValue[]) : [value]) {
      if (!isJsonObject(message)) {
        if (from === "server") strays.push(message);
        continue;
      }
      const isAsking = message["method"] !== undefined;
      if (from === "server" && isAsking) fromServer.push(message);
      if (from === "server" && !isAsking) {
        answers.push({ request: byId.get(keyOf(message["id"])), response: message });
      }
      if (from === "client" && isAsking && message["id"] === undefined) notifications.push(message);
      if (from === "client" && isAsking && message["id"] !== undefined) {
        requests.push(message);
        byId.set(keyOf(message["id"]), message);
      }
    }
  }
  return { answers, fromServer, requests, notifications, strays };
}
