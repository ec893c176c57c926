import { ContractError } from "../../core/contract/contract-error.ts";
import type { Handover } from "../../engine/request/call-request.ts";
import { type JsonObject, isJsonObject, mapObject } from "../../core/json/json-value.ts";
import type { MessageSession } from "../../engine/session/message-session.ts";
import type { SessionPorts } from "../../engine/session/upstream-requests.ts";
import type { ToolDefinition } from "../../engine/settings/tool-definition.ts";
import { INTERNAL_ERROR } from "../../core/protocol/names.ts";

/** The part of a session that is hooked into a transport: one session for each connection. */
type Session = Pick<MessageSession, "request" | "notified" | "told" | "response" | "clientIdOf" | "closed">;
export type OpenSession = (ports: SessionPorts) => Session;

type Listener = (message: unknown, extra?: unknown) => void;

interface SendOptions {
  readonly relatedRequestId?: unknown;
}

interface TransportLike {
  onmessage?: Listener | undefined;
  onclose?: (() => void) | undefined;
  readonly sessionId?: string | undefined;
  send(message: unknown, options?: unknown): Promise<void>;
}

interface Connectable {
  readonly transport?: unknown;
  connect(transport: TransportLike): Promise<void>;
}

function isRequest(message: JsonObject): boolean {
  const { id, method } = message;
  return typeof method === "string" && (typeof id === "string" || typeof id === "number");
}

/** A failed session must not leave the client waiting; the SDK learns of the failure through `send`. */
function refusal({ id }: JsonObject): JsonObject {
  const error = { code: INTERNAL_ERROR, message: "Internal error" };
  return { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error };
}

type Send = (message: unknown, options?: unknown) => Promise<void>;

async function sendLater(send: Send, response: JsonObject, later: Promise<JsonObject>, options: unknown) {
  let ready: JsonObject;
  try {
    ready = await later;
  } catch (error) {
    await send(refusal(response), options);
    throw error;
  }
  return send(ready, options);
}

/** Passes the server's messages to the session on their way to the client. Returns the transport's own `send`. */
function hookSend(transport: TransportLike, session: Session): Send {
  const send: Send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!isJsonObject(message)) return send(message, options);
    if ("method" in message) {
      const told = session.told(message, { extra: undefined, sessionId: transport.sessionId });
      const related = relatedToClient(session, options);
      // A notification that cannot be sent under the contract is dropped: no client waits for it.
      return told instanceof Promise ? told.then((ready) => send(ready, related)) : send(told, related);
    }
    const changed = session.response(message);
    if (changed === undefined) return Promise.resolve();
    // HTTP transports take the status from what is sent during delivery, so a ready answer is sent at once.
    return changed instanceof Promise ? sendLater(send, message, changed, options) : send(changed, options);
  };
  return send;
}

/** Over HTTP a message travels with the request it belongs to, by the id that the client knows. */
function relatedToClient(session: Session, options: unknown): unknown {
  const { relatedRequestId } = (options ?? {}) as SendOptions;
  if (relatedRequestId === undefined) return options;
  const known = session.clientIdOf(relatedRequestId);
  return known === relatedRequestId ? options : { ...(options as SendOptions), relatedRequestId: known };
}

/** The accessor of a callback that the transport's class keeps elsewhere, as the HTTP transports for Node do. */
function inheritedAccessor(transport: object, name: string): PropertyDescriptor | undefined {
  for (let owner: object | null = transport; owner !== null; owner = Object.getPrototypeOf(owner) as object) {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    if (found !== undefined) return found.set === undefined ? undefined : found;
  }
  return undefined;
}

/** The SDK sets its callbacks when it connects; each callback is wrapped as it is set. */
function hookCallback<Name extends "onmessage" | "onclose">(
  transport: TransportLike,
  name: Name,
  wrap: (callback: NonNullable<TransportLike[Name]>) => NonNullable<TransportLike[Name]>,
): void {
  const inherited = inheritedAccessor(transport, name);
  let held: TransportLike[Name] | undefined = transport[name];
  Object.defineProperty(transport, name, {
    configurable: true,
    enumerable: true,
    get: (): unknown => (inherited === undefined ? held : inherited.get?.call(transport)),
    set: (callback: TransportLike[Name] | undefined) => {
      held = callback === undefined ? undefined : wrap(callback);
      inherited?.set?.call(transport, held);
    },
  });
}

/** The transport must know which request is answered: over HTTP this decides where the answer goes. */
function sendAnswer(send: Send, message: JsonObject, answered: Promise<JsonObject | undefined>): void {
  const options = { relatedRequestId: message["id"] };
  void answered
    .then(
      (answer) => (answer === undefined ? undefined : send(answer, options)),
      () => send(refusal(message), options),
    )
    // The client is gone, so there is no one to notify.
    .catch(() => undefined);
}

/** A call without the arguments that the contract took for itself. */
function withoutArguments(message: JsonObject, taken: readonly string[] = []): JsonObject {
  const { method, params } = message;
  if (taken.length === 0 || method !== "tools/call" || !isJsonObject(params)) return message;
  const { arguments: given } = params;
  if (!isJsonObject(given)) return message;
  const args = mapObject(given, (argument, key) => (taken.includes(key) ? undefined : argument));
  return { ...message, params: { ...params, arguments: args } };
}

function hookConnection(transport: TransportLike, open: OpenSession): void {
  let listener: Listener = () => undefined;
  const session = open({
    toServer: (message, { extra, taken }) => listener(withoutArguments(message, taken), extra),
  });
  const send = hookSend(transport, session);
  hookCallback(transport, "onmessage", (callback) => {
    listener = callback;
    return (message, extra) => {
      if (!isJsonObject(message)) return callback(message, extra);
      if (!isRequest(message)) {
        session.notified(message);
        return callback(message, extra);
      }
      const handover: Handover = { extra, sessionId: transport.sessionId };
      const verdict = session.request(message, handover);
      return verdict === "forward" ? callback(message, extra) : sendAnswer(send, message, verdict);
    };
  });
  hookCallback(transport, "onclose", (callback) => () => {
    const unfinished = session.closed();
    // When told, the SDK ends every handler, even one whose answer other callers wait for.
    if (unfinished === undefined) callback();
    else void unfinished.then(callback);
  });
}

/** The object that connects: an `McpServer` contains it; a `Server` is that object. */
function innerServer(server: object): object {
  const inner = (server as { server?: object } | undefined)?.server ?? server;
  if (typeof (inner as Partial<Connectable> | undefined)?.connect === "function") return inner;
  return refuse(
    "This is not a server object of the MCP SDK: it has no connect(). Give a Server or an McpServer.",
  );
}

/** A server object of the SDK under a contract. */
interface HookedServer {
  readonly contract: object;
  /** The tools that `contract.server` put under the contract. */
  own?: ReadonlyMap<string, ToolDefinition>;
  /** What `attachContract` was given. */
  attached?: object;
}

/** By the server object, which is the SDK's. */
const hookedServers = new WeakMap<object, HookedServer>();

export function hookedServer(server: object): HookedServer | undefined {
  return hookedServers.get(innerServer(server));
}

function refuse(message: string): never {
  throw new ContractError("INVALID_OPTION", message);
}

/** Opens a session on every transport that an SDK server object, v1 or v2, connects to. */
export function hookTransport(server: object, contract: object, open: OpenSession): HookedServer {
  const inner = innerServer(server) as Connectable;
  const known: HookedServer = hookedServers.get(inner) ?? { contract };
  if (known.contract !== contract)
    refuse(
      "This server object is under another contract already: make one contract, or one server object for each.",
    );
  // A transport that is already connected would bypass the session.
  if (inner.transport !== undefined && inner.transport !== null)
    refuse("The server is connected already: put it under a contract before server.connect(transport).");
  hookedServers.set(inner, known);
  const connect = inner.connect.bind(inner);
  inner.connect = (transport) => {
    hookConnection(transport, open);
    return connect(transport);
  };
  return known;
}
