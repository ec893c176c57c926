import type { DialectId } from "../contract/dialect-id.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** The two families of the protocol: with `initialize` and a session, or a request at a time (2026-07-28). */
export type Era = "legacy" | "modern";

/** One message as it crossed the link. Very long ones are kept by their beginning; `bytes` says how long they were. */
export interface RecordedMessage {
  readonly from: "client" | "server";
  readonly raw: string;
  /** Undefined where the line is no JSON, or was too long to be kept. */
  readonly value: JsonValue | undefined;
  readonly bytes: number;
  /** True where its bytes are no UTF-8; `raw` then has replacement characters. */
  readonly isBadText?: boolean | undefined;
  readonly atMs: number;
}

/** What came back for a request, or what happened in its place. */
export type Reply =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "error"; readonly error: JsonObject }
  /** Nothing came within the time limit. */
  | { readonly kind: "timeout"; readonly afterMs: number }
  /** The server ended, or the connection broke, before an answer. */
  | { readonly kind: "closed"; readonly reason: string }
  /** The answer was longer than the checker reads; it was dropped while it came in. */
  | { readonly kind: "oversized"; readonly bytes: number };

/** Why a tool was called. */
export const callPurposes = [
  "given", // arguments of the user, or an example of the schema
  "valid", // made from the input schema
  "boundary", // valid, at the edges: empty, longest, smallest, null where allowed
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
  /** For `invalid`: the JSON Pointer in the arguments, what is wrong there in words, and the keyword of JSON Schema that is broken. */
  readonly wrong?:
    | { readonly path: string; readonly why: string; readonly keyword?: string | undefined }
    | undefined;
  /**
   * The call it follows: for `repeat` the one with the same arguments, for `page` the page before, for `retrieve` the
   * one whose answer names the archive (also for its further pages).
   */
  readonly follows?: number | undefined;
  /** For `cancelled`: what came all the same within the time that was waited; `timeout` where nothing came. */
  readonly reply: Reply;
  /** For `cancelled`: how it went on. */
  readonly cancel?:
    | {
        /** How long the call ran before it was called off. */
        readonly afterMs: number;
        /** How long after that its answer came; undefined where none came. A few milliseconds are a race nobody lost. */
        readonly answeredAfterMs: number | undefined;
        /** The answer to the request that followed: it shows whether the server still works. */
        readonly next: Reply;
      }
    | undefined;
  readonly durationMs: number;
  /** UTF-8 bytes of the answer's `result` or `error`. */
  readonly bytes: number;
  /** Tokens (o200k_base) of what a model may read: text blocks, and structuredContent as JSON; each alone. */
  readonly tokens: { readonly text: number; readonly structured: number };
}

/** What is sent besides lists and calls, to see how a server keeps to the protocol. */
export const exchangePurposes = [
  "ping", // legacy era only
  "string-id", // a request whose id is a text
  "unknown-method",
  "unknown-notification", // a message that gets no answer: `timeout` is right
  "bad-cursor", // `tools/list` with a cursor that the server never gave
  "broken-json", // a line that is no JSON; `timeout` where nothing came back. Not over HTTP
  "after-broken-json", // whether the server still answers
] as const;
export type ExchangePurpose = (typeof exchangePurposes)[number];

/** One tool as `tools/list` gives it. */
export interface ToolRecord {
  readonly name: string;
  readonly definition: JsonObject;
  /** Tokens of the definition as JSON. */
  readonly tokens: number;
  readonly isReadOnly: boolean;
  /** Why it was not called; undefined where it was. */
  readonly notProbed?: string | undefined;
  /** What would call it: on the command line, and in code. */
  readonly remedy?: { readonly flag: string; readonly option: string } | undefined;
}

/** One walk through all pages of `tools/list`. */
export interface Listing {
  readonly pages: readonly {
    readonly cursor: string | undefined;
    readonly reply: Reply;
  }[];
  /** True where the walk was ended by us: too many pages, or the same cursor again. */
  readonly isCut: boolean;
}

/** What went wrong around the calls. */
export interface ServerProblem {
  readonly kind:
    | "start-failed" // no process, no connection, or it ended before the first answer
    | "start-timeout"
    | "died" // it ended while it was probed; it was started again where possible
    | "stray-output" // a line on stdout that is no JSON-RPC message
    | "redirected"
    | "refused"; // HTTP status, authentication
  readonly message: string;
  /** The call that was open, where there was one. */
  readonly call?: number | undefined;
}

/** Everything that a check of a server saw. Rules judge it; none asks the server itself. */
export interface ServerRecord {
  /** How the server was reached, without secrets: a command line or a URL. */
  readonly target: string;
  readonly transport: "stdio" | "http";
  readonly era: Era;
  readonly protocolVersion: string | undefined;
  /** The result of `initialize` or `server/discover`. */
  readonly greeting: Reply;
  /** Two walks of `tools/list`, in their order, so that they can be compared. */
  readonly listings: readonly Listing[];
  readonly tools: readonly ToolRecord[];
  readonly calls: readonly CallRecord[];
  readonly problems: readonly ServerProblem[];
  readonly messages: readonly RecordedMessage[];
  /** The dialect that results are judged by; undefined: detected for each result, plain MCP where none shows. */
  readonly dialect: DialectId | undefined;
  /** What was sent besides lists and calls, and how it was answered; each purpose at most once. */
  readonly exchanges: readonly {
    readonly purpose: ExchangePurpose;
    readonly request: JsonValue;
    readonly reply: Reply;
    /** The whole response message, with its id. */
    readonly response: JsonValue | undefined;
  }[];
}
