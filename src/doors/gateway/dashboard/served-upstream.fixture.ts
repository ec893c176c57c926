import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import { createState } from "../../../engine/call/contract-state.ts";
import { listenToScope } from "../../../engine/call/call-scope.ts";
import { openBridge } from "../bridge/bridge.ts";
import { isJsonObject, type JsonObject } from "../../../core/json/json-value.ts";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import type { WatchedUpstream } from "./dashboard-parts.ts";

/** What the server does with a request: its result, an error of the protocol, or nothing at all. */
export type ServeRequest = (method: string, params: JsonObject) => JsonObject | Error | undefined;

export interface ServedUpstream extends WatchedUpstream {
  /** How many connections were opened, and how many of them are open. */
  readonly connections: () => { readonly opened: number; readonly open: number };
  /** Every request that reached the server. */
  readonly requests: { readonly method: string; readonly params: JsonObject }[];
  /** Ends every connection from the server's side. */
  readonly drop: () => void;
  /** Sends a notification over every connection. */
  readonly notify: (method: string) => void;
}

/** A server that is one function, behind a bridge of the gateway for each connection. */
export function servedUpstream(
  name: string,
  serve: ServeRequest,
  options: ContractOptions = {},
): ServedUpstream {
  listenToScope();
  const state = createState({
    dialect: "auto",
    profile: "minimal",
    logLevel: "silent",
    store: "memory",
    name,
    ...options,
  });
  const servers = new Set<ReturnType<typeof linkPair>[1]>();
  const requests: { method: string; params: JsonObject }[] = [];
  let opened = 0;
  const connect = async (): ReturnType<WatchedUpstream["connect"]> => {
    const [client, toClient] = linkPair();
    const [toServer, server] = linkPair();
    opened += 1;
    servers.add(server);
    openBridge({
      state,
      client: toClient,
      upstream: toServer,
      note: () => undefined,
      onClose: () => undefined,
    });
    server.listen({
      message: (bytes) => {
        const { id, method, params } = JSON.parse(bytes.toString()) as JsonObject & {
          readonly method: string;
        };
        const given = isJsonObject(params) ? params : {};
        requests.push({ method, params: given });
        if (id === undefined) return;
        const answer = serve(method, given);
        if (answer === undefined) return;
        const reply =
          answer instanceof Error ? { error: { code: -32602, message: answer.message } } : { result: answer };
        server.send(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
      },
      oversized: () => undefined,
      closed: () => servers.delete(server),
    });
    return client;
  };
  return {
    name,
    state,
    now: () => ({ name, kind: "command", reach: name, state: "up", restarts: 0 }),
    connect,
    connections: () => ({ opened, open: servers.size }),
    requests,
    drop: () => {
      for (const server of servers) server.close();
      servers.clear();
    },
    notify: (method) => {
      for (const server of servers) server.send(JSON.stringify({ jsonrpc: "2.0", method }));
    },
  };
}

const inputSchema = { type: "object", properties: { words: { type: "string" } } };

/** A server with the tools `search` and `read`; what they answer is up to the test. */
export function serverWith(answer: (tool: string, args: JsonObject) => JsonObject | Error): ServeRequest {
  return (method, params) => {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "s", version: "1" },
        };
      case "tools/list":
        return {
          tools: [
            { name: "search", description: "Finds pages.", inputSchema, annotations: { readOnlyHint: true } },
            { name: "read", title: "Read a page", inputSchema },
          ],
        };
      case "tools/call": {
        const args = params["arguments"];
        return answer(params["name"] as string, isJsonObject(args) ? args : {});
      }
      default:
        return new Error("Method not found");
    }
  };
}
