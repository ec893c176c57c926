import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import type { Contract } from "../../src/doors/server/create-contract.ts";
import type { AnyTool } from "../../src/engine/settings/tool-definition.ts";
import type { Era } from "./attach-clients.fixture.ts";

export interface TappedServer {
  readonly client: Client;
  /** Every message the server sent, as the bytes of a real transport would be. */
  readonly sent: readonly string[];
  readonly call: (name: string, args?: JsonObject, meta?: JsonObject) => Promise<JsonObject>;
  /** Sends `params` as they are, past the client's own checks; the whole JSON-RPC response, or `{}` for none. */
  readonly callRaw: (params: unknown) => Promise<JsonObject>;
  readonly close: () => Promise<void>;
}

const info = { name: "journey", version: "1.0.0" };

/** A server under the contract and a real client, in memory, with every outgoing message recorded as JSON text. */
export async function openTapped(
  contract: Contract,
  tools: readonly AnyTool[],
  era: Era = "legacy",
): Promise<TappedServer> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const sent: string[] = [];
  const waiting = new Map<unknown, (response: JsonObject) => void>();
  const send = far.send.bind(far);
  far.send = (message, options) => {
    const text = JSON.stringify(message);
    sent.push(text);
    const said: unknown = JSON.parse(text);
    const answer = isJsonObject(said) ? waiting.get(said["id"]) : undefined;
    if (answer === undefined) return send(message, options);
    answer(said as JsonObject);
    return Promise.resolve();
  };
  const build = (): McpServer => contract.server(new McpServer(info)).add(...tools);
  if (era === "modern") serveStdio(build, { transport: far });
  else await build().connect(far);
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(near);
  let count = 0;
  return {
    client,
    sent,
    call: async (name, args = {}, meta) => {
      const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
      return (await client.callTool(params)) as unknown as JsonObject;
    },
    callRaw: (params) => {
      const id = `raw-${count++}`;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        setTimeout(() => resolve({}), 1_000);
        void near.send({ jsonrpc: "2.0", id, method: "tools/call", params } as never);
      });
    },
    close: () => client.close(),
  };
}

/** The code an answer names, `success`, or the number of a JSON-RPC error. */
export function verdictOf(response: JsonObject): string {
  const { error, result } = response;
  if (Object.keys(response).length === 0) return "no answer";
  if (isJsonObject(error)) return JSON.stringify(error["code"]);
  const { structuredContent: envelope } = isJsonObject(result) ? result : response;
  if (!isJsonObject(envelope)) return "no envelope";
  const { data, success } = envelope;
  return success === true ? "success" : ((data as JsonObject)["error_code"] as string);
}
