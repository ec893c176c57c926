import type { ContractOptions } from "../settings/contract-options.ts";
import { createState } from "../call/contract-state.ts";
import { listenToScope } from "../call/call-scope.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { MessageSession, type SessionOptions } from "./message-session.ts";

export const here = { extra: undefined, sessionId: undefined };
export const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
export const add = { name: "add", description: "Adds", inputSchema: { type: "object" }, outputSchema };

export type Serve = (message: JsonObject, session: MessageSession) => void;

/** A session in front of a server that is one function; `lists` answers the lists it asks for itself. */
export function open(serve: Serve, options: ContractOptions = {}, more: SessionOptions = {}) {
  listenToScope();
  const heard: JsonObject[] = [];
  const state = createState(
    { logLevel: "silent", dialect: "response-v2", validate: "always", requestIds: () => "req_1", ...options },
    { hidden: more.hide },
  );
  const ports = {
    toServer: (message: JsonObject) => {
      heard.push(message);
      serve(message, session);
    },
  };
  const session: MessageSession = new MessageSession(state, ports, more);
  return { session, heard };
}

export function call(name = "add", id: number | string = 1, meta: JsonObject = {}): JsonObject {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: { a: 1 }, _meta: meta } };
}

export function reply({ id }: JsonObject, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id: id ?? null, result };
}

export const said = (text: string, more: JsonObject = {}): JsonObject => ({
  content: [{ type: "text", text }],
  ...more,
});

/** A server that lists one tool and answers every call with the same. */
export function serving(result: JsonObject, tools: readonly JsonObject[] = [add]): Serve {
  return (message, session) => {
    if (message["method"] === "tools/list") void session.response(reply(message, { tools }));
    if (message["method"] === "tools/call") void session.response(reply(message, result));
  };
}
