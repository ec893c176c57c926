// A server of the legacy era, as clients of the modern era expect one: it is greeted here, and what every answer of the
// modern era must say is added. A server that answers `server/discover` itself is left as it is.

import { type JsonObject, isJsonObject, jsonIn, jsonObjectIn } from "../../../core/json/json-value.ts";
import { standsForSignIn } from "../../../core/contract/wire-names.ts";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import {
  CONNECTION_CLOSED,
  DISCOVER,
  INVALID_PARAMS,
  LEGACY_REVISION,
  MCP_META,
  MODERN_REVISION,
  RESOURCE_NOT_FOUND,
  UNSUPPORTED_VERSION,
  mcpMeta,
  TOOLS_CHANGED,
} from "../../../core/protocol/names.ts";
import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { kindOf, memberSpans, toBytes, withoutRawMeta } from "../../../engine/transport/raw-message.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** How long a server may stay silent on the probe: it may be starting on a busy machine. Asked once for each server. */
const PROBE_MS = 15_000;

/** Where the era of a server is remembered: it is asked once, not for every connection. */
export interface KnownEra {
  era: "legacy" | "modern" | undefined;
}

const GREETING = '"waybill-face-greeting"';
const PROBE = '"waybill-face-probe"';
const SUBSCRIBING = "waybill-face-subscribe-";

/** Answers that clients may keep for a while; of a legacy server it is not known for how long. */
const cached: readonly string[] = [
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
];
const FRESH = '"ttlMs":0,"cacheScope":"private"';
const LISTEN = "subscriptions/listen";

const newsOf: Readonly<Record<string, string>> = {
  [TOOLS_CHANGED]: "toolsListChanged",
  "notifications/prompts/list_changed": "promptsListChanged",
  "notifications/resources/list_changed": "resourcesListChanged",
};

/** A stream on which a client listens to news. */
interface Listening {
  readonly rawId: string;
  readonly wanted: JsonObject;
}

class ModernFace implements Link {
  readonly #inner: Link;
  readonly #known: KnownEra;
  readonly #version: string;
  readonly #methods = new PendingRequests<string>();
  readonly #listening = new Map<unknown, Listening>();
  #early: Buffer[] = [];
  #phase: "probing" | "greeting" | "legacy" | "modern" = "probing";
  #greeting: JsonObject | undefined;
  /** The server wants a sign-in first, and was answered for. */
  #isStandIn = false;
  #listener: LinkListener | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(inner: Link, known: KnownEra, version: string) {
    this.#inner = inner;
    this.#known = known;
    this.#version = version;
  }

  get isRefused(): boolean {
    return this.#inner.isRefused === true;
  }

  get answersDiscover(): boolean {
    return true;
  }

  get waitingBytes(): number {
    return this.#inner.waitingBytes ?? 0;
  }

  hold(isHeld: boolean): void {
    this.#inner.hold?.(isHeld);
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    this.#inner.listen({
      message: (bytes) => this.#take(bytes),
      oversized: (message) => listener.oversized(message),
      drained: () => listener.drained?.(),
      interrupted: (outage) => {
        this.#methods.takeAll();
        listener.interrupted?.(outage);
      },
      restored: () => {
        listener.restored?.();
        for (const { rawId } of this.#listening.values())
          for (const method of Object.keys(newsOf)) this.#news(method, rawId);
      },
      repeated: (rawId) => listener.repeated?.(rawId),
      closed: (why) => {
        clearTimeout(this.#timer);
        listener.closed(why);
      },
    });
    if (this.#known.era === "modern") this.#phase = "modern";
    else if (this.#known.era === "legacy") this.#greet();
    else this.#probe();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#inner.close();
  }

  send(message: Uint8Array | string): void {
    if (this.#phase === "modern") return this.#inner.send(message);
    const bytes = toBytes(message);
    if (this.#phase === "legacy") return this.#ask(bytes);
    this.#early.push(Buffer.from(bytes));
  }

  #probe(): void {
    const meta = {
      [mcpMeta.protocolVersion]: MODERN_REVISION,
      [mcpMeta.clientCapabilities]: {},
      [mcpMeta.clientInfo]: { name: "waybill", version: this.#version },
    };
    this.#inner.send(
      `{"jsonrpc":"2.0","id":${PROBE},"method":"${DISCOVER}","params":${JSON.stringify({ _meta: meta })}}`,
    );
    this.#timer = setTimeout(() => this.#greet(), PROBE_MS);
  }

  #greet(): void {
    clearTimeout(this.#timer);
    this.#phase = "greeting";
    const params = {
      protocolVersion: LEGACY_REVISION,
      // No client can be asked: in the modern era a server sends no requests.
      capabilities: {},
      clientInfo: { name: "waybill", version: this.#version },
    };
    this.#inner.send(
      `{"jsonrpc":"2.0","id":${GREETING},"method":"initialize","params":${JSON.stringify(params)}}`,
    );
  }

  #take(bytes: Buffer): void {
    if (this.#phase === "modern" && !this.#isStandIn) return this.#listener?.message(bytes);
    const { kind, method, rawId } = kindOf(bytes);
    // The server lets the caller in. Which era it speaks is asked anew, with the next request.
    if (this.#isStandIn && method === TOOLS_CHANGED) return this.#giveUp("the caller has signed in");
    if (this.#phase === "modern") return this.#listener?.message(bytes);
    if (kind === "response" && rawId === PROBE) return this.#probed(bytes);
    if (kind === "response" && rawId === GREETING) return this.#greeted(bytes);
    if (rawId.startsWith(`"${SUBSCRIBING}`)) return undefined;
    if (kind === "response") return this.#listener?.message(this.#asModern(bytes, rawId));
    if (kind === "request" && method === "ping")
      return this.#inner.send(`{"jsonrpc":"2.0","id":${rawId},"result":{}}`);
    if (kind !== "notification") return this.#listener?.message(bytes);
    return this.#told(method, bytes);
  }

  #probed(bytes: Buffer): void {
    const answer = jsonObjectIn(bytes.toString());
    const error = answer?.["error"];
    const isModern =
      isJsonObject(answer?.["result"]) || (isJsonObject(error) && error["code"] === UNSUPPORTED_VERSION);
    if (this.#phase === "legacy") return undefined;
    if (!isModern) return this.#phase === "probing" ? this.#greet() : undefined;
    clearTimeout(this.#timer);
    const result = answer?.["result"];
    this.#isStandIn = isJsonObject(result) && standsForSignIn(result);
    if (!this.#isStandIn) this.#known.era = "modern";
    // By now it was greeted too, which it may have taken for a change of the era: the next request starts it anew.
    if (this.#phase === "greeting") return this.#giveUp("the server was slow to start");
    this.#phase = "modern";
    for (const early of this.#early.splice(0)) this.#inner.send(early);
    return undefined;
  }

  #greeted(bytes: Buffer): void {
    const result = jsonObjectIn(bytes.toString())?.["result"];
    if (!isJsonObject(result)) return this.#giveUp("the server refuses to be greeted");
    this.#greeting = result;
    this.#known.era = "legacy";
    this.#inner.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    this.#phase = "legacy";
    for (const early of this.#early.splice(0)) this.#ask(early);
    return undefined;
  }

  #giveUp(why: string): void {
    this.#inner.close();
    this.#listener?.closed(why);
  }

  #ask(bytes: Buffer): void {
    const { kind, method, rawId } = kindOf(bytes);
    if (kind === "request" && method === DISCOVER) return this.#discovered(rawId);
    if (kind === "request" && method === LISTEN) return this.#listen(bytes, rawId);
    if (kind === "notification" && method === "notifications/cancelled" && this.#unlisten(bytes))
      return undefined;
    if (kind === "request" && !this.#methods.isFull) this.#methods.add(jsonIn(rawId), method);
    // A server of the legacy era over HTTP refuses what names the other era.
    return this.#inner.send(withoutRawMeta(bytes, MCP_META));
  }

  #discovered(rawId: string): void {
    const { capabilities = {}, serverInfo, instructions } = this.#greeting ?? {};
    const result = {
      resultType: "complete",
      supportedVersions: [MODERN_REVISION],
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: "private",
      _meta: { [mcpMeta.serverInfo]: serverInfo ?? { name: "server", version: "0" } },
    };
    this.#listener?.message(
      Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":${JSON.stringify(result)}}`),
    );
  }

  /** The answer as the modern era has it; an answer without a result object is left as it is. */
  #asModern(bytes: Buffer, rawId: string): Buffer {
    const method = this.#methods.take(jsonIn(rawId)) ?? "";
    const text = bytes.toString("latin1");
    const members = memberSpans(text);
    const result = members.get("result");
    const error = members.get("error");
    if (error !== undefined && method === "resources/read") {
      const said = jsonObjectIn(bytes.toString());
      const fault = said?.["error"];
      if (said !== undefined && isJsonObject(fault) && fault["code"] === RESOURCE_NOT_FOUND)
        return Buffer.from(JSON.stringify({ ...said, error: { ...fault, code: INVALID_PARAMS } }));
    }
    if (result === undefined || text[result.start] !== "{") return bytes;
    const own = memberSpans(text, result.start);
    const parts = own.has("resultType") ? [] : ['"resultType":"complete"'];
    if (cached.includes(method) && !own.has("ttlMs")) parts.push(FRESH);
    if (parts.length === 0) return bytes;
    const comma = own.size === 0 ? "" : ",";
    const added = Buffer.from(`${parts.join(",")}${comma}`);
    return Buffer.concat([bytes.subarray(0, result.start + 1), added, bytes.subarray(result.start + 1)]);
  }

  #listen(bytes: Buffer, rawId: string): void {
    const params = jsonObjectIn(bytes.toString())?.["params"];
    const asked = isJsonObject(params) ? params["notifications"] : undefined;
    const wanted = isJsonObject(asked) ? asked : {};
    if (this.#listening.size >= MAX_LISTENING)
      return this.#listener?.message(
        Buffer.from(
          `{"jsonrpc":"2.0","id":${rawId},"error":{"code":${CONNECTION_CLOSED},"message":"Too many clients listen"}}`,
        ),
      );
    this.#listening.set(jsonIn(rawId), { rawId, wanted });
    const { resourceSubscriptions: uris } = wanted;
    if (Array.isArray(uris))
      for (const [at, uri] of (uris as readonly unknown[]).slice(0, MAX_SUBSCRIPTIONS).entries())
        this.#inner.send(
          `{"jsonrpc":"2.0","id":"${SUBSCRIBING}${at}","method":"resources/subscribe","params":${JSON.stringify({ uri })}}`,
        );
    return this.#listener?.message(acknowledged(rawId, wanted));
  }

  #unlisten(bytes: Buffer): boolean {
    const params = jsonObjectIn(bytes.toString())?.["params"];
    return isJsonObject(params) && this.#listening.delete(params["requestId"]);
  }

  #told(method: string, bytes: Buffer): void {
    const flag = newsOf[method];
    if (flag === undefined && method !== "notifications/resources/updated")
      return this.#listener?.message(bytes);
    const params = jsonObjectIn(bytes.toString())?.["params"];
    const uri = isJsonObject(params) ? params["uri"] : undefined;
    for (const { rawId, wanted } of this.#listening.values()) {
      const uris = wanted["resourceSubscriptions"];
      const isWanted = flag === undefined ? Array.isArray(uris) && uris.includes(uri) : wanted[flag] === true;
      if (isWanted) this.#news(method, rawId, isJsonObject(params) ? params : {});
    }
  }

  #news(method: string, rawId: string, params: JsonObject = {}): void {
    const subscription = this.#listening.get(jsonIn(rawId));
    const flag = newsOf[method];
    if (subscription === undefined || (flag !== undefined && subscription.wanted[flag] !== true)) return;
    this.#listener?.message(taggedNews(method, rawId, params));
  }
}

const MAX_LISTENING = 1_000;
const MAX_SUBSCRIPTIONS = 1_000;

/** What begins the stream of a client that listens. */
export function acknowledged(rawId: string, wanted: JsonObject): Buffer {
  return taggedNews("notifications/subscriptions/acknowledged", rawId, { notifications: wanted });
}

/** A notification on a stream; `rawId` is the text of the id of the request that opened the stream. */
export function taggedNews(method: string, rawId: string, params: JsonObject = {}): Buffer {
  const { _meta: meta, ...rest } = params;
  const beside = isJsonObject(meta) ? JSON.stringify(meta).slice(1, -1) : "";
  const tag = `"${mcpMeta.subscriptionId}":${rawId}${beside === "" ? "" : `,${beside}`}`;
  const others = JSON.stringify(rest).slice(1, -1);
  return Buffer.from(
    `{"jsonrpc":"2.0","method":"${method}","params":{"_meta":{${tag}}${others === "" ? "" : `,${others}`}}}`,
  );
}

/** The server for clients of the modern era, whatever era it speaks itself. */
export function modernFace(upstream: Upstream, known: KnownEra, version: string): Upstream {
  return {
    name: upstream.name,
    connect: (origin, ended) => new ModernFace(upstream.connect(origin, ended), known, version),
    health: () => upstream.health(),
    close: () => upstream.close(),
  };
}
