// What a client told a server and a new process must receive again: the greeting, the log level, the subscriptions.
// Also what the old process answered, to decide whether the new process is the same server.

import { stableStringify } from "../../../core/json/canonical-json.ts";
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  jsonIn,
  jsonObjectIn,
} from "../../../core/json/json-value.ts";
import { DISCOVER, MODERN_REVISION, mcpMeta } from "../../../core/protocol/names.ts";
import { type MessageKind, glance, withRawId } from "../../../engine/transport/raw-message.ts";

/** If a client has more subscriptions, only this many are repeated. */
const MAX_SUBSCRIPTIONS = 10_000;

const replayed: ReadonlySet<string> = new Set([
  "initialize",
  "notifications/initialized",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
  "tools/list",
]);

function parse(bytes: Buffer): JsonObject {
  return jsonObjectIn(bytes.toString()) ?? {};
}

/** What must be equal for the client not to notice: everything in the answer to the greeting. */
function greetingOf({ result }: JsonObject): string {
  if (!isJsonObject(result)) return "";
  const { _meta: _beside, ...said } = result;
  return stableStringify(said);
}

function toolsOf({ result }: JsonObject): string | undefined {
  const tools: JsonValue | undefined = isJsonObject(result) ? result["tools"] : undefined;
  return tools === undefined ? undefined : stableStringify(tools);
}

const PREFIX = "waybill-replay-";

/** True for the answer to a repeated message, which the client did not send. */
export function isReplayAnswer(rawId: string): boolean {
  return rawId.startsWith(`"${PREFIX}`);
}

const pingMeta = {
  [mcpMeta.protocolVersion]: MODERN_REVISION,
  [mcpMeta.clientCapabilities]: {},
  [mcpMeta.clientInfo]: { name: "waybill-probe", version: "1" },
};
const PING_ID = JSON.stringify(`${PREFIX}ping`);

export function isPingAnswer(rawId: string): boolean {
  return rawId === PING_ID;
}

interface Asked {
  readonly bytes: Buffer;
  readonly id: unknown;
}

export class SessionReplay {
  #initialize: Asked | undefined;
  #initialized: Buffer | undefined;
  #logLevel: Buffer | undefined;
  readonly #subscribed = new Map<JsonValue, Buffer>();
  /** An open request for the first page of the tools, and the last one that was answered. */
  #list: Asked | undefined;
  #listBytes: Buffer | undefined;
  #greeting: string | undefined;
  #tools: string | undefined;

  /** Takes a message of the client on its way to the server. */
  sent(message: Uint8Array | string): void {
    const given = Buffer.isBuffer(message) ? message : Buffer.from(message as string);
    const seen = glance(given);
    if (seen.kind === "unclear" ? !mayMatter(given) : !replayed.has(seen.method)) return;
    // Copied out of its chunk, because it is kept for a long time.
    this.#keep(Buffer.from(given));
  }

  #keep(bytes: Buffer): void {
    const { id, method, params } = parse(bytes);
    const given = isJsonObject(params) ? params : {};
    if (method === "initialize") this.#initialize = { bytes, id };
    if (method === "notifications/initialized") this.#initialized = bytes;
    if (method === "logging/setLevel") this.#logLevel = bytes;
    if (method === "resources/unsubscribe") this.#subscribed.delete(given["uri"] ?? "");
    if (method === "resources/subscribe" && this.#subscribed.size < MAX_SUBSCRIPTIONS)
      this.#subscribed.set(given["uri"] ?? "", bytes);
    if (method === "tools/list" && given["cursor"] === undefined) this.#list = { bytes, id };
  }

  /** Whether an answer is expected that must be remembered. */
  get isWaiting(): boolean {
    return this.#list !== undefined || (this.#greeting === undefined && this.#initialize !== undefined);
  }

  /** Takes a response of the server on its way to the client. */
  answered(bytes: Buffer, { kind, rawId }: MessageKind): void {
    if (kind !== "response" || rawId === "") return;
    const isGreeting = this.#greeting === undefined && this.#initialize !== undefined;
    const isList = this.#list !== undefined;
    if (!isGreeting && !isList) return;
    const id: unknown = jsonIn(rawId);
    if (isGreeting && id === this.#initialize?.id) this.#greeting = greetingOf(parse(bytes));
    if (isList && id === this.#list?.id) {
      this.#tools = toolsOf(parse(bytes)) ?? this.#tools;
      this.#listBytes = this.#list?.bytes;
      this.#list = undefined;
    }
  }

  /** The greeting for a new process, with an id of ours; undefined if no server has answered the client's own. */
  get greeting(): Buffer | undefined {
    if (this.#greeting === undefined) return undefined;
    return this.#initialize && withRawId(this.#initialize.bytes, JSON.stringify(`${PREFIX}greeting`));
  }

  /** Asks a process for a sign of life, in the words of the era in which its client speaks. */
  get ping(): string {
    const method = this.#greeting === undefined ? DISCOVER : "ping";
    const params = this.#greeting === undefined ? { _meta: pingMeta } : {};
    return `{"jsonrpc":"2.0","id":${PING_ID},"method":"${method}","params":${JSON.stringify(params)}}`;
  }

  isGreetingAnswer(rawId: string): boolean {
    return rawId === JSON.stringify(`${PREFIX}greeting`);
  }

  /** Whether the new process greets like the old one. */
  isSameServer(bytes: Buffer): boolean {
    return this.#greeting === undefined || this.#greeting === greetingOf(parse(bytes));
  }

  /** The messages that follow the greeting, in order. */
  afterGreeting(): readonly Buffer[] {
    const requests = [this.#logLevel, ...this.#subscribed.values()].filter((each) => each !== undefined);
    const renamed = requests.map((bytes, at) => withRawId(bytes, JSON.stringify(`${PREFIX}${at}`)));
    const list =
      this.#listBytes === undefined ? [] : [withRawId(this.#listBytes, JSON.stringify(`${PREFIX}list`))];
    return [...(this.#initialized === undefined ? [] : [this.#initialized]), ...renamed, ...list];
  }

  /** Whether this answers the repeated list request, with other tools than before. */
  hasOtherTools(rawId: string, bytes: Buffer): boolean {
    if (rawId !== JSON.stringify(`${PREFIX}list`)) return false;
    const tools = toolsOf(parse(bytes));
    const isOther = tools !== undefined && tools !== this.#tools;
    this.#tools = tools ?? this.#tools;
    return isOther;
  }
}

/** For clients that write the members of their messages in another order. */
function mayMatter(bytes: Buffer): boolean {
  for (const method of replayed) if (bytes.includes(`"${method}"`)) return true;
  return false;
}

// Requests of a server to its client carry the server's own ids, and each process counts from the start. From the
// second process on, ids are marked, so that an answer to the old process never reaches the new one.

function markOf(generation: number): string {
  return `waybill-process-${generation}-`;
}

/** Cancels a request by the id that the client knows. */
function markCancelled(bytes: Buffer, generation: number): Buffer {
  const message = parse(bytes);
  const { params } = message;
  if (!isJsonObject(params)) return bytes;
  const requestId = markOf(generation) + JSON.stringify(params["requestId"]);
  try {
    return Buffer.from(JSON.stringify({ ...message, params: { ...params, requestId } }));
  } catch {
    // It is nested too deeply to be written.
    return bytes;
  }
}

/** A message of the server as the client receives it. */
export function fromGeneration(
  bytes: Buffer,
  { kind, method, rawId }: MessageKind,
  generation: number,
): Buffer {
  if (kind === "request") return withRawId(bytes, JSON.stringify(markOf(generation) + rawId));
  return method === "notifications/cancelled" ? markCancelled(bytes, generation) : bytes;
}

/** A message of the client as the server receives it; undefined for an answer to a request of an older process. */
export function toGeneration(
  message: Uint8Array | string,
  generation: number,
): Uint8Array | string | undefined {
  const bytes = Buffer.isBuffer(message) ? message : Buffer.from(message as string);
  const { kind } = glance(bytes);
  if (kind === "request" || kind === "notification") return message;
  const { id, method } = parse(bytes);
  if (method !== undefined) return message;
  const mark = markOf(generation);
  return typeof id === "string" && id.startsWith(mark) ? withRawId(bytes, id.slice(mark.length)) : undefined;
}
