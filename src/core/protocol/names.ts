// What JSON-RPC and MCP call things: codes of errors, revisions, and the keys that MCP keeps for itself in `_meta`.
// Without imports, so that every room above may use it at no cost.

/** The codes of JSON-RPC 2.0. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** What the SDKs use for a connection that ended, and for a request that HTTP itself refuses. */
export const CONNECTION_CLOSED = -32000;
/** What the SDKs use for a request that took too long, and over HTTP for a session that is not known. */
export const REQUEST_TIMEOUT = -32001;

/** Codes of MCP; those of a missing resource and of URL elicitation belong to the legacy era. */
export const RESOURCE_NOT_FOUND = -32002;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
export const URL_ELICITATION_REQUIRED = -32042;

/** The revisions with `initialize` and sessions, newest first. */
export const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const LEGACY_REVISION = legacyRevisions[0];
/** How the gateway speaks to a server behind a URL; "sse" is the transport of 2024-11-05, "auto" finds out. */
export const serverTransports = ["auto", "http", "sse"] as const;
export type ServerTransport = (typeof serverTransports)[number];

/** The first revision in which every request carries what the server needs to know. */
export const MODERN_REVISION = "2026-07-28";

/** The first request of a client that speaks the modern era; a legacy server may neither answer nor refuse it. */
export const DISCOVER = "server/discover";

/** What a server says of a request that still runs. */
export const PROGRESS = "notifications/progress";

/** What a server says when its tools have changed; the same as a whole message. */
export const TOOLS_CHANGED = "notifications/tools/list_changed";
export const TOOLS_CHANGED_MESSAGE = `{"jsonrpc":"2.0","method":"${TOOLS_CHANGED}"}`;

/** How many pages of a list are followed; a server may never end one. */
export const MAX_LIST_PAGES = 100;

/** What all keys begin with that MCP keeps for itself in `_meta`. */
export const MCP_META = "io.modelcontextprotocol/";
/** Keys of `_meta` in the modern era; written out, so that bundlers can leave out what is not used. */
export const mcpMeta = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;
