// Several servers for the one client on stdin and stdout. It may speak either era: messages of the modern era say so.

import { CONNECTION_CLOSED, INVALID_REQUEST } from "../../../core/protocol/names.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { modernVersionOf } from "../../../engine/transport/http/message-headers.ts";
import { kindOf, messagesIn, rawIdOf, toBytes } from "../../../engine/transport/raw-message.ts";
import type { StreamLink } from "../../../engine/transport/stream-link.ts";
import { type StdioListener, type StdioStreams, serveOnStdio } from "../bridge/stdio.ts";
import type { GatewayEnd } from "../gateway-options.ts";
import { readClientMessage } from "../message/client-message.ts";
import { internalFault, refusal, tooLong } from "../message/faults.ts";
import type { RequestFacts } from "../listen/http-listener.ts";
import { type EndpointOptions, MergedEndpoint } from "./merged-endpoint.ts";
import { ModernMerge, Waiting } from "./modern-merge.ts";
import type { OneExchange } from "./one-exchange.ts";
import { SessionServers } from "./session-servers.ts";

const local: RequestFacts = { principal: "local", authInfo: undefined, headers: {}, peer: undefined };
const nowhere = { extra: undefined, sessionId: undefined };
/** Open modern requests at once. */
const MAX_OPEN = 10_000;
const LEAVE_MS = 30_000;

/** The client's connection as the legacy session sees it: without the messages of the modern era. */
class LegacySide implements Link {
  readonly #client: Link;
  listener: LinkListener | undefined;

  constructor(client: Link) {
    this.#client = client;
  }

  get waitingBytes(): number {
    return this.#client.waitingBytes ?? 0;
  }

  hold(isHeld: boolean): void {
    this.#client.hold?.(isHeld);
  }

  send(message: Uint8Array | string): void {
    this.#client.send(message);
  }

  listen(listener: LinkListener): void {
    this.listener = listener;
  }

  close(): void {
    this.#client.close();
  }
}

class StdioMerge {
  readonly #endpoint: MergedEndpoint;
  readonly #client: StreamLink;
  readonly #maxReplyBytes: number;
  readonly #merge: ModernMerge;
  readonly #open = new Map<unknown, Waiting>();
  #legacy: LegacySide | undefined;
  #onIdle: (() => void) | undefined;
  readonly #end: (end: GatewayEnd) => void;

  constructor(
    endpoint: MergedEndpoint,
    client: StreamLink,
    maxReplyBytes: number,
    end: (end: GatewayEnd) => void,
  ) {
    this.#endpoint = endpoint;
    this.#client = client;
    this.#maxReplyBytes = maxReplyBytes;
    this.#merge = new ModernMerge(endpoint.servers, endpoint.version);
    this.#end = end;
    client.listen({
      message: (bytes) => {
        for (const message of messagesIn(bytes)) this.#take(message);
      },
      oversized: ({ bytes, rawId, isResponse }) => {
        if (rawId !== undefined && !isResponse) client.send(refusal(rawId, tooLong(bytes, undefined)));
      },
      closed: () => this.close("client", "the client left"),
      finished: () => this.#finished(),
      drained: () => this.#legacy?.listener?.drained?.(),
    });
  }

  close(by: GatewayEnd["by"], reason: string): void {
    for (const waiting of this.#open.values()) waiting.cancel();
    this.#open.clear();
    this.#legacy?.listener?.closed(reason);
    this.#client.close();
    this.#end({ by, reason });
  }

  /** The client sends no more requests; open ones are still answered, for a while. */
  #finished(): void {
    const left = (): void => this.close("client", "the client left");
    const isIdle = this.#open.size === 0;
    setTimeout(left, LEAVE_MS).unref();
    this.#onIdle = this.#legacy === undefined ? left : undefined;
    if (this.#legacy !== undefined) this.#legacy.listener?.finished?.();
    else if (isIdle) left();
  }

  #take(bytes: Buffer): void {
    const read = readClientMessage(bytes);
    if (read.kind === "answer") return this.#client.send(JSON.stringify(read.answer));
    if (read.kind === "nothing") return undefined;
    const { message } = read;
    const cancelled = message["method"] === "notifications/cancelled" && this.#cancelled(message);
    if (cancelled) return undefined;
    if (modernVersionOf(message) === undefined) return this.#toLegacy(bytes);
    return message["id"] === undefined ? undefined : this.#modern(message, bytes);
  }

  #toLegacy(bytes: Buffer): void {
    this.#legacy ??= this.#openLegacy();
    this.#legacy.listener?.message(bytes);
  }

  #openLegacy(): LegacySide {
    const side = new LegacySide(this.#client);
    const servers = new SessionServers(this.#endpoint, local, undefined);
    servers.open({
      client: side,
      handover: () => nowhere,
      maxReplyBytes: this.#maxReplyBytes,
      onClose: () => this.#end({ by: "client", reason: "the client left" }),
    });
    return side;
  }

  #cancelled({ params }: JsonObject): boolean {
    const id = isJsonObject(params) ? params["requestId"] : undefined;
    const waiting = this.#open.get(id);
    this.#open.delete(id);
    waiting?.cancel();
    return waiting !== undefined;
  }

  #modern(message: JsonObject, bytes: Buffer): void {
    const { id } = message;
    const rawId = rawIdOf(bytes) ?? JSON.stringify(id);
    if (this.#open.has(id) || this.#open.size >= MAX_OPEN)
      return this.#client.send(refusal(rawId, { code: INVALID_REQUEST, message: "The id is in use" }));
    const waiting = new Waiting();
    this.#open.set(id, waiting);
    const caller = this.#endpoint.callerOf(local, true);
    const tell = (said: Buffer): void => this.#client.send(said);
    const request = { message, body: bytes, rawId, caller, waiting, tell };
    const plan = this.#merge.plan(request);
    if (plan.kind === "stream") return this.#merge.listen(request);
    const answer =
      plan.kind === "answer"
        ? plan.answer
        : this.#one(caller.exchange(plan.server, plan.bytes, this.#through(rawId, id, tell)), waiting);
    void answer
      .catch(() => Buffer.from(refusal(rawId, internalFault)))
      .then((said) => {
        if (said !== undefined) this.#answer(id, waiting, said, rawId);
      });
    return undefined;
  }

  #through(
    rawId: string,
    id: unknown,
    heard: (bytes: Buffer) => void,
  ): ConstructorParameters<typeof OneExchange>[1] {
    return {
      heard,
      answered: (bytes) => {
        const waiting = this.#open.get(id);
        const gone = refusal(rawId, { code: CONNECTION_CLOSED, message: "Connection closed" });
        if (waiting !== undefined) this.#answer(id, waiting, bytes ?? Buffer.from(gone), rawId);
      },
    };
  }

  /** Resolves with nothing: the exchange itself answers. */
  async #one(opening: Promise<OneExchange | undefined>, waiting: Waiting): Promise<undefined> {
    const exchange = await opening;
    if (exchange === undefined) throw new Error("no room for the server");
    waiting.add(() => exchange.cancel());
    return undefined;
  }

  #answer(id: unknown, waiting: Waiting, said: Buffer, rawId: string): void {
    if (this.#open.get(id) !== waiting) return;
    this.#open.delete(id);
    const bytes = toBytes(said);
    const isTooLong = bytes.length > this.#maxReplyBytes && kindOf(bytes).kind === "response";
    this.#client.send(isTooLong ? refusal(rawId, tooLong(bytes.length, this.#maxReplyBytes)) : bytes);
    if (this.#open.size === 0) this.#onIdle?.();
  }
}

export interface StdioMergeOptions extends StdioStreams {
  readonly maxMessageBytes?: number | undefined;
  readonly maxReplyBytes: number;
}

/** Serves several servers to the client on stdin until it leaves. */
export function openStdioMerge(
  options: EndpointOptions,
  { maxMessageBytes, maxReplyBytes, ...streams }: StdioMergeOptions,
): StdioListener {
  const endpoint = new MergedEndpoint(options);
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await endpoint.close();
    await Promise.all([...options.upstreams.values()].map((upstream) => upstream.close()));
  };
  return serveOnStdio(streams, maxMessageBytes, (client, ended) => {
    const merge = new StdioMerge(endpoint, client, maxReplyBytes, (end) => {
      closing ??= closeAll();
      ended(closing, end);
    });
    return { close: () => merge.close("close", "It was stopped.") };
  });
}
