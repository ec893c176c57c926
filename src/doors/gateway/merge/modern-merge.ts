// Requests of the modern era to several servers. Each is complete in itself: what names a tool, a prompt, a resource or
// a task goes to its server; lists, `server/discover` and `subscriptions/listen` go to all of them.

import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import {
  CONNECTION_CLOSED,
  DISCOVER,
  METHOD_NOT_FOUND,
  MODERN_REVISION,
  mcpMeta,
} from "../../../core/protocol/names.ts";
import type { Handover } from "../../../engine/request/call-request.ts";
import { standsForSignIn } from "../../../core/contract/wire-names.ts";
import { kindOf, withRawId } from "../../../engine/transport/raw-message.ts";
import { type BridgeFault, refusal } from "../message/faults.ts";
import {
  askAll,
  gatherList,
  isListMethod,
  keyOfList,
  mergedCapabilities,
  mergedInstructions,
  resultIn,
} from "./gather-lists.ts";
import type { MergedServer, MergedServers } from "./merged-servers.ts";
import { acknowledged, taggedNews } from "./modern-face.ts";
import type { OneExchange } from "./one-exchange.ts";
import { listResponse } from "./raw-lists.ts";
import { type Addressed, addressOf, isNotFound, listsFor, refuseUnknown } from "./route-request.ts";

/** How a request of one caller reaches one server. */
export interface ModernCaller {
  /** The servers that this caller may use, in the order of the configuration. */
  readonly servers: readonly MergedServer[];
  readonly handover: (server: string) => Handover;
  /** Opens an exchange with a server; undefined if there is no room for it now. */
  readonly exchange: (
    server: MergedServer,
    body: Buffer,
    to: ConstructorParameters<typeof OneExchange>[1],
  ) => Promise<OneExchange | undefined>;
}

/** One request: what it says, who sends it, and who waits for its answer. */
export interface ModernRequest {
  readonly message: JsonObject;
  readonly body: Buffer;
  /** The text of its id. */
  readonly rawId: string;
  readonly caller: ModernCaller;
  readonly waiting: Waiting;
  /** Gets what a server says before its answer. */
  readonly tell: (bytes: Buffer) => void;
}

/** What becomes of a request. */
export type ModernPlan =
  | { readonly kind: "one"; readonly server: MergedServer; readonly bytes: Buffer }
  | { readonly kind: "answer"; readonly answer: Promise<Buffer> }
  /** A stream that is open until it is stopped. */
  | { readonly kind: "stream" };

type ListMethod = Parameters<typeof keyOfList>[0];

const LISTEN = "subscriptions/listen";
/** How soon a server is listened to again after it went away. */
const LISTEN_AGAIN_MS = 5_000;

/** What one request waits for, so that all of it can be cancelled. */
export class Waiting {
  readonly #cancels = new Set<() => void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Returns a function to call when it is no longer waited for. */
  add(cancel: () => void): () => void {
    if (this.#isOver) cancel();
    else this.#cancels.add(cancel);
    return () => void this.#cancels.delete(cancel);
  }

  cancel(): void {
    this.#isOver = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}

export class ModernMerge {
  readonly #servers: MergedServers;
  readonly #version: string;

  constructor(servers: MergedServers, version: string) {
    this.#servers = servers;
    this.#version = version;
  }

  plan(request: ModernRequest): ModernPlan {
    const { message, body, caller } = request;
    const { method } = message;
    if (method === LISTEN) return { kind: "stream" };
    if (method === DISCOVER) return { kind: "answer", answer: this.#discover(request) };
    // In this era tasks are not listed.
    if (isListMethod(method) && method !== "tasks/list")
      return { kind: "answer", answer: this.#list(request, method) };
    const address = addressOf(this.#servers, caller.servers, message, body);
    if (address.kind === "one") return address;
    return { kind: "answer", answer: this.#tryEach(address, request) };
  }

  async #discover(request: ModernRequest): Promise<Buffer> {
    const { body, rawId, caller } = request;
    const greeted = await askAll(caller.servers, async (server) =>
      resultIn(await this.#ask(server, body, request)),
    );
    for (const [{ known }, said] of greeted)
      if (!standsForSignIn(said))
        known.greeted(isJsonObject(said["capabilities"]) ? said["capabilities"] : {});
    const instructions = mergedInstructions(
      greeted.flatMap(([{ name }, said]) =>
        typeof said["instructions"] === "string" ? [[name, said["instructions"]] as const] : [],
      ),
    );
    const result = {
      resultType: "complete",
      supportedVersions: [MODERN_REVISION],
      capabilities: mergedCapabilities(caller.servers.map(({ known }) => known.current.capabilities)),
      ...(instructions === undefined ? {} : { instructions }),
      ...this.#fresh(),
    };
    return Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":${JSON.stringify(result)}}`);
  }

  async #list(request: ModernRequest, method: ListMethod): Promise<Buffer> {
    const entries = await this.#gather(request, method);
    return listResponse(request.rawId, keyOfList(method), entries, {
      resultType: "complete",
      ...this.#fresh(),
    });
  }

  #gather(request: ModernRequest, method: ListMethod): Promise<readonly Buffer[]> {
    const { params } = request.message;
    const meta = isJsonObject(params) ? params["_meta"] : undefined;
    const { progressToken: _token, ...beside } = isJsonObject(meta) ? meta : {};
    return gatherList(this.#servers, request.caller.servers, method, (server, name, asked) => {
      const own = { jsonrpc: "2.0", id: 1, method: name, params: { ...asked, _meta: beside } };
      return this.#ask(server, Buffer.from(JSON.stringify(own)), request);
    });
  }

  #fresh(): JsonObject {
    const serverInfo = { name: "waybill", version: this.#version };
    return { ttlMs: 0, cacheScope: "private", _meta: { [mcpMeta.serverInfo]: serverInfo } };
  }

  /** Asks one server on behalf of a request. */
  async #ask(
    server: MergedServer,
    body: Buffer,
    { caller, waiting }: ModernRequest,
    heard?: (bytes: Buffer) => void,
  ): Promise<Buffer | undefined> {
    let resolve: (answer: Buffer | undefined) => void = () => undefined;
    const answer = new Promise<Buffer | undefined>((done) => (resolve = done));
    const exchange = await caller.exchange(server, body, { answered: (bytes) => resolve(bytes), heard });
    if (exchange === undefined) return undefined;
    const over = waiting.add(() => {
      exchange.cancel();
      resolve(undefined);
    });
    const answered = await answer;
    over();
    return answered;
  }

  /** Asks one server after another, until one knows what is meant. */
  async #tryEach(address: Addressed, request: ModernRequest): Promise<Buffer> {
    const { body, rawId, tell } = request;
    const found = address.kind === "unlisted" ? await this.#findAgain(request) : address;
    if (found.kind === "unlisted" || found.kind === "unknown")
      return Buffer.from(refusal(rawId, this.#unknown(request)));
    const servers = await this.#order(found, request);
    let answer: Buffer | undefined;
    for (const server of servers) {
      const sent = found.kind === "one" ? found.bytes : body;
      const said = await this.#ask(server, sent, request, tell);
      if (said === undefined) continue;
      if (!isNotFound(said)) return withRawId(said, rawId);
      answer ??= said;
    }
    return answer ?? Buffer.from(refusal(rawId, { code: CONNECTION_CLOSED, message: "No server answers" }));
  }

  #unknown({ message, caller: { servers, handover } }: ModernRequest): BridgeFault {
    return refuseUnknown(this.#servers, servers, message, handover(servers[0]?.name ?? ""));
  }

  /** Before a name counts as unknown, the servers are asked again. */
  async #findAgain(request: ModernRequest): Promise<Addressed> {
    const { message, body, caller } = request;
    const lists = listsFor(message);
    await this.#servers.askAgain(lists.join(), async () => {
      for (const list of lists) await this.#gather(request, list);
    });
    return addressOf(this.#servers, caller.servers, message, body);
  }

  async #order(
    found: Extract<Addressed, { kind: "one" | "some" }>,
    { message, caller }: ModernRequest,
  ): Promise<readonly MergedServer[]> {
    const mine = (found.kind === "one" ? [found.server] : found.servers).filter((server) =>
      caller.servers.includes(server),
    );
    if (found.kind === "one" || !found.isArchive) return mine;
    const keeper = await this.#servers.keeper(message, mine, caller.handover);
    return keeper === undefined ? mine.slice(0, 1) : [keeper];
  }

  /** Listens to all servers at once, until it is cancelled. A server that went away is listened to again later. */
  listen(request: ModernRequest): void {
    const { message, body, rawId, caller, waiting, tell } = request;
    const params = isJsonObject(message["params"]) ? message["params"] : {};
    const wanted = isJsonObject(params["notifications"]) ? params["notifications"] : {};
    const listsChanged = (): void => {
      for (const kind of ["tools", "prompts", "resources"])
        if (wanted[`${kind}ListChanged`] === true)
          tell(taggedNews(`notifications/${kind}/list_changed`, rawId));
    };
    const follow = async (server: MergedServer): Promise<void> => {
      for (let wasAway = false; !waiting.isOver; wasAway = true) {
        let isHeard = false;
        const answer = await this.#ask(server, body, request, (bytes) => {
          const { method } = kindOf(bytes);
          if (method !== "notifications/subscriptions/acknowledged") return tell(bytes);
          isHeard = true;
          return wasAway ? listsChanged() : undefined;
        });
        if (waiting.isOver || refuses(answer)) return;
        if (isHeard) listsChanged();
        await pause(LISTEN_AGAIN_MS, waiting);
      }
    };
    tell(acknowledged(rawId, wanted));
    waiting.add(this.#servers.onNames(listsChanged));
    for (const server of caller.servers) void follow(server).catch(() => undefined);
  }
}

/** A server that has no such stream is not asked again. */
function refuses(answer: Buffer | undefined): boolean {
  return answer !== undefined && answer.length < 65_536 && answer.includes(String(METHOD_NOT_FOUND));
}

function pause(ms: number, waiting: Waiting): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      over();
      resolve();
    }, ms).unref();
    const over = waiting.add(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
