import { ContractError } from "../contract/contract-error.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Handover } from "../engine/call-request.ts";
import type { MaybePromise } from "../engine/tool-context.ts";

/** What a hook sees of the traffic: each request with its response, and each message as it arrives. */
export interface TransportHook {
  /** Runs the delivery of an incoming message, e.g. inside an async context. */
  readonly receive?: (message: JsonObject, deliver: () => void, handover: Handover) => void;
  /** The result of a request that the hook answers itself; undefined leaves it to the server. */
  readonly answer?: (request: JsonObject, handover: Handover) => Promise<JsonObject> | undefined;
  /** The response to a request, as it shall go out. */
  readonly response?: (
    request: JsonObject,
    response: JsonObject,
    handover: Handover,
  ) => MaybePromise<JsonObject>;
}

type Listener = (message: unknown, extra?: unknown) => void;

interface TransportLike {
  onmessage?: Listener | undefined;
  readonly sessionId?: string | undefined;
  send(message: unknown, options?: unknown): Promise<void>;
}

interface Connectable {
  readonly transport?: unknown;
  connect(transport: TransportLike): Promise<void>;
}

interface Asked {
  readonly request: JsonObject;
  readonly handover: Handover;
}
type Pending = Map<unknown, Asked>;

const watchedMethods: readonly unknown[] = [
  "tools/call",
  "tools/list",
  "tasks/result",
  "tasks/get",
  "initialize",
  "server/discover",
  "resources/list",
  "resources/templates/list",
];
const INTERNAL_ERROR = -32603;

function isId(id: unknown): boolean {
  return typeof id === "string" || typeof id === "number";
}

/** No limit here: a request that is never answered stays in the SDK's own table too. */
function remember(pending: Pending, message: JsonObject, handover: Handover): void {
  const { id, method, params } = message;
  if (watchedMethods.includes(method) && isId(id)) pending.set(id, { request: message, handover });
  // A cancelled request gets no answer that could take it off the list.
  if (method === "notifications/cancelled" && isJsonObject(params)) pending.delete(params["requestId"]);
}

function takeAsked(pending: Pending, message: unknown): Asked | undefined {
  if (!isJsonObject(message) || "method" in message) return undefined;
  const asked = pending.get(message["id"]);
  pending.delete(message["id"]);
  return asked;
}

/** A hook that fails must not leave the client waiting; the SDK hears of the failure through `send`. */
function refusal({ id }: JsonObject): JsonObject {
  const error = { code: INTERNAL_ERROR, message: "Internal error" };
  return { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error };
}

function hookSend(transport: TransportLike, hook: TransportHook, pending: Pending): void {
  const send = transport.send.bind(transport);
  const answer = async (response: JsonObject, changed: Promise<JsonObject>, options: unknown) => {
    let ready: JsonObject;
    try {
      ready = await changed;
    } catch (error) {
      await send(refusal(response), options);
      throw error;
    }
    return send(ready, options);
  };
  transport.send = (message, options) => {
    const asked = takeAsked(pending, message);
    if (asked === undefined || hook.response === undefined) return send(message, options);
    const response = message as JsonObject;
    const changed = hook.response(asked.request, response, asked.handover);
    // HTTP transports take the status from what is sent while they deliver, so what is ready goes out at once.
    return changed instanceof Promise ? answer(response, changed, options) : send(changed, options);
  };
}

/** Where a transport's class keeps its listener elsewhere, as the HTTP transports for Node do. */
function inheritedAccessor(transport: object): PropertyDescriptor | undefined {
  for (let owner: object | null = transport; owner !== null; owner = Object.getPrototypeOf(owner) as object) {
    const found = Object.getOwnPropertyDescriptor(owner, "onmessage");
    if (found !== undefined) return found.set === undefined ? undefined : found;
  }
  return undefined;
}

/** The transport must know which request is answered: over HTTP that is where the answer goes. */
function sendAnswer(transport: TransportLike, { id }: JsonObject, answered: Promise<JsonObject>): void {
  const send = (body: JsonObject): Promise<void> =>
    transport.send({ jsonrpc: "2.0", id: id ?? null, ...body }, { relatedRequestId: id });
  const failed = { error: { code: INTERNAL_ERROR, message: "Internal error" } };
  void answered
    .then(
      (body) => send(body),
      () => send(failed),
    )
    // The client is gone, and with it whoever wanted to know.
    .catch(() => undefined);
}

/** The SDK sets `onmessage` itself when it connects; what it sets is wrapped on the way in. */
function hookListener(transport: TransportLike, hook: TransportHook, pending: Pending): void {
  const listenWith = (listener: Listener): Listener => {
    return (message, extra) => {
      const deliver = (): void => listener(message, extra);
      if (!isJsonObject(message)) return deliver();
      const handover = { extra, sessionId: transport.sessionId };
      const answered = isId(message["id"]) ? hook.answer?.(message, handover) : undefined;
      if (answered !== undefined) return sendAnswer(transport, message, answered);
      remember(pending, message, handover);
      return hook.receive === undefined ? deliver() : hook.receive(message, deliver, handover);
    };
  };
  const inherited = inheritedAccessor(transport);
  let held = transport.onmessage;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    get: (): unknown => (inherited === undefined ? held : inherited.get?.call(transport)),
    set: (listener: Listener | undefined) => {
      held = listener === undefined ? undefined : listenWith(listener);
      inherited?.set?.call(transport, held);
    },
  });
}

/** Puts a hook on every transport an SDK server object connects to, v1 or v2, whatever the transport is. */
export function hookTransport(server: object, hook: TransportHook): void {
  const inner = ((server as { server?: unknown }).server ?? server) as Connectable;
  // A transport that is connected already would carry everything past the hook.
  if (inner.transport !== undefined && inner.transport !== null) {
    const message =
      "The server is connected already: put it under a contract before server.connect(transport).";
    throw new ContractError("INVALID_OPTION", message);
  }
  const connect = inner.connect.bind(inner);
  inner.connect = (transport) => {
    const pending: Pending = new Map();
    hookSend(transport, hook, pending);
    hookListener(transport, hook, pending);
    return connect(transport);
  };
}
