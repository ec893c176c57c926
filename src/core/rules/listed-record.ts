import type { DefinedTool } from "./definition/definition-rule.ts";
import type { Era, RecordedMessage, ServerRecord } from "./server-record.ts";
import type { JsonObject } from "../json/json-value.ts";
import { LEGACY_REVISION, MODERN_REVISION } from "../protocol/names.ts";

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
