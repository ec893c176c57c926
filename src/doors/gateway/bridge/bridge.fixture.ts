import type { ScalePicture } from "../../../core/pipeline/pipeline-context.ts";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import { createState } from "../../../engine/call/contract-state.ts";
import { listenToScope } from "../../../engine/call/call-scope.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import type { Bridge, BridgeOptions } from "./bridge-options.ts";
import { openBridge } from "./bridge.ts";
import type { LinkListener } from "../../../engine/transport/link.ts";
import { type LinkEnd, linkPair } from "../../../engine/transport/link-pair.fixture.ts";

/** Answers one message of the gateway; what it gives back is sent as it is, as text or as JSON. */
export type Serve = (message: JsonObject, raw: string) => JsonObject | string | undefined;

export interface OpenedBridge {
  readonly bridge: Bridge;
  /** The client's end: what it heard is what the gateway sent. */
  readonly client: LinkEnd;
  /** The server's end. */
  readonly server: LinkEnd;
  /** What the gateway's side of the server link hears besides messages. */
  readonly tell: (event: (listener: LinkListener) => void) => void;
  readonly notes: string[];
  readonly closedBecause: () => string | undefined;
}

/** A bridge between two ends in memory, in front of a server that is one function. */
export function bridgeTo(
  serve: Serve,
  contract: ContractOptions = {},
  options: Partial<BridgeOptions> = {},
  scalePicture?: ScalePicture,
): OpenedBridge {
  listenToScope();
  const [client, toClient] = linkPair();
  const [toServer, server] = linkPair();
  const notes: string[] = [];
  let closed: string | undefined;
  let heard: LinkListener | undefined;
  const upstream = {
    send: (message: Uint8Array | string) => toServer.send(message),
    close: () => toServer.close(),
    listen: (listener: LinkListener) => {
      heard = listener;
      toServer.listen(listener);
    },
  };
  const state = createState(
    {
      logLevel: "silent",
      dialect: "response-v2",
      validate: "always",
      requestIds: () => "req_1",
      ...contract,
    },
    { scalePicture },
  );
  const bridge = openBridge({
    state,
    client: toClient,
    upstream,
    note: (text) => notes.push(text),
    onClose: (why) => (closed = why),
    ...options,
  });
  server.listen({
    message: (bytes) => {
      const answer = serve(JSON.parse(bytes.toString()) as JsonObject, bytes.toString());
      if (answer !== undefined) server.send(typeof answer === "string" ? answer : JSON.stringify(answer));
    },
    oversized: () => undefined,
    closed: () => undefined,
  });
  return {
    bridge,
    client,
    server,
    notes,
    closedBecause: () => closed,
    tell: (event) => {
      if (heard !== undefined) event(heard);
    },
  };
}

const add = { name: "add", description: "Adds", inputSchema: { type: "object" } };

/** A server that lists one tool and answers calls with what it is given, under the text of the id that it was sent. */
export function serving(result: string): Serve {
  return (message, raw) => {
    const id = /"id":\s*("[^"]*"|[^,}\s]+)/.exec(raw)?.[1] ?? "null";
    if (message["method"] === "tools/list")
      return `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${JSON.stringify(add)}]}}`;
    if (message["method"] === "tools/call") return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    return undefined;
  };
}

/** A call of that tool under the text of an id. */
export const call = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"add","arguments":{}}}`;
export const answersOf = (heard: readonly unknown[]): JsonObject[] => heard as JsonObject[];
