// Every JSON example of the five documents as the answer of a server that is not ours, and two doors in front of it.

import { readFileSync } from "node:fs";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { bridgeTo } from "../../src/doors/gateway/bridge/bridge.fixture.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { until } from "../../src/engine/transport/until.fixture.ts";
import type { DialectId } from "../../src/core/contract/dialect-id.ts";
import { autoClient } from "./auto-dialect.fixture.ts";

interface Row {
  readonly file: string;
  readonly dialect: DialectId;
  readonly level: string;
}

/** One example, and what a server that speaks so sends: as text, or as text and structure. */
export interface Said {
  readonly file: string;
  readonly dialect: DialectId;
  readonly channel: "text" | "both";
  readonly envelope: JsonValue;
  readonly result: JsonObject;
}

const folder = new URL("../fixtures/seeds/", import.meta.url);
const read = (file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(file, folder), "utf8")) as JsonObject;

function asText(json: JsonValue): JsonObject {
  return { content: [{ type: "text", text: JSON.stringify(json) }] };
}

/** What an example is as the result of a call; undefined for requests, settings and protocol messages. */
function resultsOf({ file, dialect, level }: Row): readonly Said[] {
  if (level === "envelope" || level === "printed") {
    const envelope = read(file);
    const text = { file, dialect, channel: "text", envelope, result: asText(envelope) } as const;
    return [text, { ...text, channel: "both", result: { ...text.result, structuredContent: envelope } }];
  }
  if (level !== "result" && level !== "message") return [];
  const json = read(file);
  const result = isJsonObject(json["result"]) ? json["result"] : json;
  return Array.isArray(result["content"])
    ? [{ file, dialect, channel: "text", envelope: result, result }]
    : [];
}

export const answers: readonly Said[] = (
  JSON.parse(readFileSync(new URL("index.json", folder), "utf8")) as readonly Row[]
).flatMap(resultsOf);

/** Calls one tool, which says what it is told. */
type Ask = (said: Said) => Promise<JsonObject>;

/** `{"data": …}` alone may be anybody's data: its server has to be named. */
function settingsFor({ dialect }: Pick<Said, "dialect">, options: ContractOptions): ContractOptions {
  return dialect === "scalpel" ? { ...options, upstream: { dialect } } : options;
}

const askGateway =
  (options: ContractOptions): Ask =>
  async (said) => {
    const listed = { tools: [{ name: "say", inputSchema: { type: "object" } }] };
    const { client } = bridgeTo(
      ({ id, method }) =>
        id === undefined
          ? undefined
          : { jsonrpc: "2.0", id, result: method === "tools/list" ? listed : said.result },
      settingsFor(said, options),
    );
    client.send(
      JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "say", arguments: {} } }),
    );
    const answer = (): JsonObject | undefined =>
      client.heard.find((message): message is JsonObject => (message as JsonObject)["id"] === 7);
    await until(() => answer() !== undefined);
    client.close();
    return answer()?.["result"] as JsonObject;
  };

const askAttached =
  (options: ContractOptions): Ask =>
  async (said) => {
    const client = await autoClient({ say: { results: [said.result] } }, settingsFor(said, options));
    const result = await client.call("say", { at: 0 });
    await client.close();
    return result;
  };

export const doors = { gateway: askGateway, attach: askAttached } as const;

/** Every text and number in a value; JSON in texts is looked into. */
export function leavesOf(value: unknown): readonly (string | number)[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") {
    const inner = /^[[{]/.test(value) ? parsed(value) : undefined;
    return inner === undefined ? [value] : [value, ...leavesOf(inner)];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
