import { type BrokenServer, sayBefore } from "../broken-server.ts";
import type { Json, RawServer } from "../raw-server.ts";

/** Changes the whole response to a method. */
function reply(server: RawServer, method: string, change: (response: Json) => Json): void {
  server.respond = (response, answered) => (answered === method ? change(response) : response);
}

/** The error that answers an unknown method, changed. */
function refuseMethod(server: RawServer, change: (error: Json) => unknown): void {
  server.respond = (response) => {
    const error = response["error"] as Json | undefined;
    return error?.["code"] === -32601 ? { ...response, error: change(error) } : response;
  };
}

/** Messages that are not as JSON-RPC has them. */
export const brokenMessages: readonly BrokenServer[] = [
  {
    rule: "jsonrpc/object",
    implies: ["protocol/stray-output"],
    change: (server) => sayBefore(server, "tools/list", "listing tools"),
  },
  { rule: "jsonrpc/batch-empty", change: (server) => sayBefore(server, "tools/list", []) },
  {
    rule: "jsonrpc/version",
    change: (server) => reply(server, "ping", (response) => ({ ...response, jsonrpc: "1.0" })),
  },
  {
    rule: "jsonrpc/unknown-key",
    change: (server) => reply(server, "tools/list", (response) => ({ ...response, took_ms: 3 })),
  },
  {
    rule: "jsonrpc/result-or-error",
    change: (server) => reply(server, "ping", (response) => ({ ...response, error: null })),
  },
  {
    rule: "jsonrpc/result-type",
    implies: ["protocol/ping"],
    change: (server) => reply(server, "ping", (response) => ({ ...response, result: "pong" })),
  },
  {
    rule: "jsonrpc/id-missing",
    change: (server) => sayBefore(server, "tools/list", { jsonrpc: "2.0", result: {} }),
  },
  {
    rule: "jsonrpc/id-type",
    change: (server) => sayBefore(server, "tools/list", { jsonrpc: "2.0", id: 1.5, result: {} }),
  },
  {
    rule: "jsonrpc/id-null",
    change: (server) => sayBefore(server, "tools/list", { jsonrpc: "2.0", id: null, result: {} }),
  },
  {
    rule: "jsonrpc/id-mismatch",
    change: (server) => sayBefore(server, "tools/list", { jsonrpc: "2.0", id: "nobody", result: {} }),
  },
  {
    rule: "jsonrpc/notification-answered",
    change: (server) => {
      server.notified = ({ method }) =>
        method === "notifications/initialized" || method === "notifications/cancelled"
          ? undefined
          : { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } };
    },
  },
  { rule: "jsonrpc/error-type", change: (server) => refuseMethod(server, ({ message }) => message) },
  {
    rule: "jsonrpc/error-code",
    change: (server) => refuseMethod(server, (error) => ({ ...error, code: "-32601" })),
  },
  { rule: "jsonrpc/error-message", change: (server) => refuseMethod(server, ({ code }) => ({ code })) },
  {
    rule: "jsonrpc/error-code-known",
    implies: ["protocol/unknown-method-code"],
    change: (server) => refuseMethod(server, (error) => ({ ...error, code: -32050 })),
  },
  {
    rule: "jsonrpc/method",
    implies: ["protocol/stray-output"],
    change: (server) => sayBefore(server, "tools/list", { jsonrpc: "2.0", id: "own-1", method: 5 }),
  },
  {
    rule: "jsonrpc/params-type",
    change: (server) =>
      sayBefore(server, "tools/list", { jsonrpc: "2.0", method: "notifications/message", params: ["hello"] }),
  },
  {
    rule: "initialize/protocol-version",
    change: (server) => greet(server, { protocolVersion: 20_251_125 }),
  },
  { rule: "initialize/capabilities", change: (server) => greet(server, { capabilities: ["tools"] }) },
  { rule: "initialize/server-info", change: (server) => greet(server, { serverInfo: { name: "parcels" } }) },
];

function greet(server: RawServer, change: Json): void {
  const initialize = server.initialize.bind(server);
  server.initialize = (params, asked) => ({ ...initialize(params, asked), ...change });
}
