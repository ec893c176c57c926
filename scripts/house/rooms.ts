/** The floors from the roof to the ground. A floor may import from itself and from those below it. */
export const floors = ["cli", "doors", "engine", "core"] as const;

/** Every room of src/, from the roof to the ground, and what it holds. */
export const rooms: Readonly<Record<string, string>> = {
  "index.ts": "the public names of `waybill`: what runs in any JavaScript runtime",
  cli: "the command line: arguments become a call of a door; one file a command",

  "doors/server": "a server you own: serving, attaching to a server that exists, linting of tools",
  "doors/client": "reading what came back: unwrap, retry, pages, and the rest of a cut result",
  "doors/gateway":
    "a server you do not own: bridge (stdio, commands), reverse-proxy (URLs behind HTTP), message (what both do with one), merge (several servers at one address), listen, upstream, apart (large results in a thread), auth (who calls), login (sign-in at servers), probe (readiness), config, wrap, audit, access-log, ledger, metrics, dashboard",
  "doors/check": "judging a server: probes that ask it, the policy, the report",
  "doors/testing": "a tool without a server, a response against the contract, fuzzing",

  "engine/call": "one tool call, whatever the door: open it, run it, deliver it, tell listeners",
  "engine/session": "the messages of one connection around the calls: lists, results, requests to the server",
  "engine/request": "what is known of one request: who asks, from where, by which client",
  "engine/settings": "every setting: files, environment, layers, negotiation, flags and tiers",
  "engine/guards": "what a call passes before it runs: rate limits, result cache, idempotency",
  "engine/retrieve": "what was cut comes back: items, lines, questions, cursors",
  "engine/archive": "where the whole of a cut result is kept: memory, files, Redis, PostgreSQL",
  "engine/digest": "a document becomes a digest: readers of documents, evidence, payload, safe fetching",
  "engine/transport": "a connection as whole messages: lines, child processes, HTTP",
  "engine/observe": "spans, metrics and log events of calls",
  "engine/runtime": "what Node or an edge runtime gives: worker threads, deadlines, breakers, hashes",

  "core/rules": "every rule by which a server is judged: id, severity, fix, source",
  "core/pipeline": "what happens to a tool result: six stages, one folder each; the dialects",
  "core/schema": "reading and rewriting JSON Schema: what `tools/list` says",
  "core/protocol": "JSON-RPC and MCP: messages, codes, their rules, the table of requests that wait",
  "core/options": "one check for options: kinds of values, what was wrong, what was meant",
  "core/contract": "the words: envelope, error codes, warnings, meta, builders, profiles",
  "core/readers":
    "what the model behind each known client gets to see: one row a client, with its limits; readers of documents are in engine/digest",
  "core/report": "what our HTML reports have in common: head, look, charts, safe text",
  "core/text":
    "words, search, did-you-mean, masking of secrets; forms: the structure of a text (log, diff, YAML, HTML, source), by which it is cut",
  "core/json": "JSON without loss: parsing, pointers, tables, walks",
  "core/tokens": "exact token counts",
};
