import { defineRules, type Rule } from "../contract/rule.ts";

/** The rules of JSON-RPC messages and of the results that belong to the protocol; `docs/jsonrpc.md` lists them. */
export const rules = defineRules("message", {
  "jsonrpc/object": {
    severity: "MUST",
    says: "A message is a JSON object",
    fix: "Send an object with `jsonrpc`, `id` and the outcome.",
    source: "JSON-RPC 2.0",
  },
  "jsonrpc/batch-empty": {
    severity: "MUST",
    says: "A batch has at least one message",
    fix: "Send nothing in place of an empty batch.",
    source: "JSON-RPC 2.0",
  },
  "jsonrpc/version": {
    severity: "MUST",
    says: '`jsonrpc` is "2.0"',
    fix: 'Set `jsonrpc` to the string "2.0".',
    source: "seed 003",
  },
  "jsonrpc/unknown-key": {
    severity: "SHOULD",
    says: "A message has only the members of its kind",
    fix: "Move further data into `result`, `error.data` or `params`.",
    source: "JSON-RPC 2.0",
  },
  "jsonrpc/result-or-error": {
    severity: "MUST",
    says: "A response has exactly one of `result` and `error`, a request neither",
    fix: "Keep the one that tells the outcome and leave the other out, null included.",
    source: "seed 003",
  },
  "jsonrpc/result-type": {
    severity: "MUST",
    says: "`result` is an object",
    fix: "Put the value into an object.",
    source: "seed 003",
  },
  "jsonrpc/id-missing": {
    severity: "MUST",
    says: "A response has an `id`",
    fix: "Echo the request's id.",
    source: "seed 003",
  },
  "jsonrpc/id-type": {
    severity: "MUST",
    says: "An `id` is a string or an integer",
    fix: "Use a string or an integer, the same in request and response.",
    source: "MCP 2025-06-18",
  },
  "jsonrpc/id-null": {
    severity: "MUST",
    says: "An `id` is null only in a parse error or an invalid request",
    fix: "Use the request's id; null is for answers to what could not be read.",
    source: "seed 003",
  },
  "jsonrpc/id-mismatch": {
    severity: "MUST",
    says: "A response has the id of its request, with the same type",
    fix: "Echo the request's id unchanged.",
    source: "seed 003",
  },
  "jsonrpc/notification-answered": {
    severity: "MUST",
    says: "A notification gets no response",
    fix: "Send nothing back for a message without an id.",
    source: "JSON-RPC 2.0",
  },
  "jsonrpc/error-type": {
    severity: "MUST",
    says: "`error` is an object",
    fix: "Send an object with `code` and `message`.",
    source: "seed 003",
  },
  "jsonrpc/error-code": {
    severity: "MUST",
    says: "`error.code` is an integer",
    fix: "Use an integer such as -32603.",
    source: "seed 003",
  },
  "jsonrpc/error-message": {
    severity: "MUST",
    says: "`error.message` is a string",
    fix: "Say in a sentence what went wrong.",
    source: "seed 003",
  },
  "jsonrpc/error-code-known": {
    severity: "SHOULD",
    says: "In -32768..-32000 only the codes of JSON-RPC and MCP are used",
    fix: "Use a standard code, or one of your own outside that range.",
    source: "MCP 2026-07-28",
  },
  "jsonrpc/method": {
    severity: "MUST",
    says: "A request names its `method` with a string",
    fix: 'Set `method` to a string such as "tools/call".',
    source: "JSON-RPC 2.0",
  },
  "jsonrpc/params-type": {
    severity: "MUST",
    says: "`params`, when present, is an object",
    fix: "Send an object, or leave `params` out.",
    source: "MCP 2025-06-18",
  },
  "initialize/protocol-version": {
    severity: "MUST",
    says: "`protocolVersion` is a string",
    fix: 'Name the revision, such as "2025-06-18".',
    source: "seed 003",
  },
  "initialize/capabilities": {
    severity: "MUST",
    says: "`capabilities` is an object",
    fix: 'Send an object such as {"tools": {}}.',
    source: "seed 003",
  },
  "initialize/server-info": {
    severity: "MUST",
    says: "`serverInfo` is an object with a string `name` and `version`",
    fix: "Send the server's name and version as strings.",
    source: "seed 003",
  },
  "tools-list/tools": {
    severity: "MUST",
    says: "`tools` is an array of objects",
    fix: "Send an array with one object for each tool, empty if there are no tools.",
    source: "seed 003",
  },
  "tools-list/name": {
    severity: "MUST",
    says: "A tool has a `name`, a string that is not empty",
    fix: "Give the tool a name.",
    source: "seed 003",
  },
  "tools-list/name-unique": {
    severity: "MUST",
    says: "No two tools of a list have the same name",
    fix: "Rename one of the two: only one of them can be called.",
    source: "docs/jsonrpc.md",
  },
  "tools-list/description": {
    severity: "SHOULD",
    says: "A tool has a `description`, a string that is not empty",
    fix: "Tell the model in a sentence what the tool does and when to use it.",
    source: "seed 003",
  },
  "tools-list/input-schema": {
    severity: "MUST",
    says: 'A tool has an `inputSchema`, an object with type "object"',
    fix: 'Send a JSON Schema such as {"type": "object"}.',
    source: "MCP 2025-06-18",
  },
  "tools-list/next-cursor": {
    severity: "MUST",
    says: "`nextCursor`, when present, is a string",
    fix: "Send the cursor as a string, and leave it out on the last page.",
    source: "MCP 2025-06-18",
  },
});

export const messageRules: readonly Rule[] = Object.values<Rule>(rules);
