import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { mcpMeta } from "../../core/protocol/names.ts";
import { isAddress } from "../../core/text/network-address.ts";
import { asyncScope } from "../runtime/async-scope.ts";
import { sha256Hex } from "../runtime/sha256-hex.ts";

/** The caller, as far as the transport verified it. */
export interface CallAuth {
  readonly subject?: string;
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  /** The verified claims of a JSON Web Token, or what the author's own check gave as `extra.claims`. */
  readonly claims?: JsonObject;
}

/** What the transport and the SDK know of one `tools/call`; `tenant` and `tiers.of` decide by it. */
export interface CallRequest {
  /** The request's `_meta`: written by the client, so it never identifies the caller. */
  readonly meta: JsonObject;
  readonly signal?: AbortSignal;
  /** The id of a legacy session, made and checked by the transport. */
  readonly sessionId?: string;
  /** What the server's own authentication verified, and nothing else. */
  readonly auth?: CallAuth & { readonly token?: string };
  /** True when the call came over HTTP; stdio and in-memory transports carry one local client. */
  readonly isHttp?: boolean;
  /**
   * The hash of an unverified bearer token of the request. It keeps callers' archives apart; `tiers.of` never
   * gets it.
   */
  readonly bearerHash?: string;
  /**
   * The hash of what else a server behind the gateway sees of a caller without credentials. It identifies no
   * caller: it only separates what the server may show to one caller and not to another.
   */
  readonly variantHash?: string;
  /** The caller's address, if `contract.withPeer` or `trustProxy` gave it. */
  readonly peer?: string;
  /** The trace of the HTTP request; a trace in `_meta` comes first. */
  readonly trace?: CarriedTrace;
  readonly capabilities?: unknown;
  /** The client's name for itself, which it may have made up. */
  readonly client?: string;
  /** Known if the call was read from its message: a modern message carries its protocol version. */
  readonly isModern?: boolean;
  /** True if the call carries the client's answers to a tool's questions of an earlier round. */
  readonly hasInput?: boolean;
  /**
   * The hashes of the archives that this connection was told of: a caller without a name may read only those.
   * Undefined if a caller may read all of its own.
   */
  readonly told?: ReadonlySet<string> | undefined;
  /** What was negotiated earlier on this connection. */
  readonly negotiated?: unknown;
  readonly notify?: (method: string, params: JsonObject) => Promise<void>;
  /** Sends a line to the client's log; the SDK leaves out what the client does not want. */
  readonly log?: (level: string, data: unknown, logger?: string) => Promise<void>;
  readonly sdk?: unknown;
}

interface SdkContext {
  readonly sessionId?: string;
  readonly mcpReq?: {
    readonly _meta?: unknown;
    readonly envelope?: Readonly<Record<string, unknown>>;
    readonly signal?: AbortSignal;
    readonly inputResponses?: unknown;
    readonly requestState?: () => unknown;
    readonly notify?: (notification: { method: string; params: JsonObject }) => Promise<void>;
    readonly log?: (level: string, data: unknown, logger?: string) => Promise<void>;
  };
  readonly http?: { readonly authInfo?: SdkAuth; readonly req?: { readonly headers?: unknown } };
}

interface SdkAuth {
  readonly clientId?: string;
  readonly token?: string;
  readonly scopes?: readonly string[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A verified subject identifies the caller; the OAuth client id identifies only the program. */
function toAuth(info: SdkAuth | undefined): CallRequest["auth"] {
  if (info === undefined) return undefined;
  const subject = info.extra?.["sub"];
  const claims = info.extra?.["claims"];
  return {
    ...(typeof subject === "string" ? { subject } : {}),
    ...(info.clientId === undefined ? {} : { clientId: info.clientId }),
    ...(info.scopes === undefined ? {} : { scopes: info.scopes }),
    ...(isJsonObject(claims) ? { claims } : {}),
    ...(info.token === undefined ? {} : { token: info.token }),
  };
}

/** True for a request of the modern era, which carries its own version and capabilities. */
export function isModern(context: unknown): boolean {
  const envelope = (context as SdkContext | undefined)?.mcpReq?.envelope;
  return envelope !== undefined && Object.keys(envelope).length > 0;
}

function nameOf(info: unknown): string | undefined {
  const name = isJsonObject(info) ? info["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** What an SDK server object learned of the client when it connected. */
export interface LegacyClient {
  readonly getClientCapabilities?: () => unknown;
  readonly getClientVersion?: () => unknown;
}

/** A request while it is built: an unknown value has no key. */
type Draft = { -readonly [Key in keyof CallRequest]: CallRequest[Key] };

/**
 * Adds the origin of a call. Only HTTP transports have sessions, so a call with a session is HTTP even
 * without its request.
 */
function addOrigin(
  request: Draft,
  http: HttpFacts | undefined,
  sessionId: string | undefined,
  trustProxy: TrustProxy | undefined,
): void {
  request.isHttp = http !== undefined || sessionId !== undefined;
  if (!request.isHttp) return;
  const peer = peerOf(http?.forwardedFor, trustProxy, http?.peer);
  if (sessionId !== undefined) request.sessionId = sessionId;
  if (http?.bearerHash !== undefined) request.bearerHash = http.bearerHash;
  if (http?.variantHash !== undefined) request.variantHash = http.variantHash;
  if (peer !== undefined) request.peer = peer;
  if (http?.trace !== undefined) request.trace = http.trace;
}

function addCaller(request: Draft, client: unknown, auth: SdkAuth | undefined): void {
  const name = nameOf(client);
  const verified = toAuth(auth);
  if (name !== undefined) request.client = name;
  if (verified !== undefined) request.auth = verified;
}

/** The call from the handler context of SDK v2. */
export function fromSdkContext(
  context: unknown,
  legacy: LegacyClient | undefined,
  trustProxy?: TrustProxy,
): CallRequest {
  const { sessionId, mcpReq, http } = (context ?? {}) as SdkContext;
  const meta = mcpReq?._meta;
  const notify = mcpReq?.notify;
  const request: Draft = {
    meta: isJsonObject(meta) ? meta : {},
    capabilities: mcpReq?.envelope?.[mcpMeta.clientCapabilities] ?? legacy?.getClientCapabilities?.(),
    hasInput: mcpReq?.inputResponses !== undefined || mcpReq?.requestState?.() !== undefined,
    sdk: context,
  };
  addOrigin(request, http && httpFactsOf({ request: http.req }), sessionId, trustProxy);
  addCaller(request, mcpReq?.envelope?.[mcpMeta.clientInfo] ?? legacy?.getClientVersion?.(), http?.authInfo);
  if (mcpReq?.signal !== undefined) request.signal = mcpReq.signal;
  if (notify !== undefined) request.notify = (method, params) => notify({ method, params });
  if (mcpReq?.log !== undefined) request.log = mcpReq.log;
  return request;
}

/** What a client said of itself when it connected; modern requests say it each time. */
export interface ClientFacts {
  readonly capabilities: unknown;
  readonly info: unknown;
}

/** What a hooked transport provides with a message. */
export interface Handover {
  /** What the transport itself gives the SDK beside the message. */
  readonly extra: unknown;
  /** The session of the transport that carried the message: a server object may be connected to several. */
  readonly sessionId: string | undefined;
  /** The span of the call, for the upstream server; set if a span is open. */
  readonly trace?: CarriedTrace | undefined;
  /** Arguments of the call that the contract took for itself: they are not sent to the server. */
  readonly taken?: readonly string[] | undefined;
  /** The server's own name of the called tool, if clients know it by another. */
  readonly toolName?: string | undefined;
}

/** The call from its JSON-RPC message. */
export function fromMessage(
  message: JsonObject,
  { extra, sessionId }: Handover,
  known: ClientFacts | undefined,
  trustProxy?: TrustProxy,
): CallRequest {
  const params = isJsonObject(message["params"]) ? message["params"] : {};
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
  const request: Draft = {
    meta,
    capabilities: meta[mcpMeta.clientCapabilities] ?? known?.capabilities,
    isModern: meta[mcpMeta.protocolVersion] !== undefined,
    hasInput: params["inputResponses"] !== undefined || params["requestState"] !== undefined,
  };
  addOrigin(request, httpFactsOf(extra), sessionId, trustProxy);
  const { authInfo } = (extra ?? {}) as { readonly authInfo?: SdkAuth };
  addCaller(request, meta[mcpMeta.clientInfo] ?? known?.info, authInfo);
  return request;
}

/** What transports provide with a message: SDK v2 the web request, v1 its headers; stdio and memory neither. */
interface MessageExtra {
  readonly request?: { readonly headers?: unknown };
  readonly requestInfo?: { readonly headers?: unknown };
  /** The caller's address, provided by the gateway's own listener. */
  readonly peer?: string | undefined;
  /** The gateway's hash of everything that a server behind a URL sees of the caller; see `HttpFacts`. */
  readonly callerHash?: string | undefined;
  readonly variantHash?: string | undefined;
}

/** What is known of the HTTP request that carried a call. */
export interface HttpFacts {
  /** The hash of the bearer token; in front of a server behind a URL, of every credential that the server sees. */
  readonly bearerHash: string | undefined;
  /** The hash of what else that server sees of a caller without credentials: its answer may depend on it. */
  readonly variantHash: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly peer: string | undefined;
  /** The trace of the request, from its headers. */
  readonly trace: CarriedTrace | undefined;
}

/** The headers of W3C Trace Context, as they came. */
export interface CarriedTrace {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

const MAX_TRACE_LENGTH = 512;

function traceOf(headers: unknown): CarriedTrace | undefined {
  const traceparent = headerOf(headers, "traceparent");
  if (traceparent === undefined || traceparent.length > MAX_TRACE_LENGTH) return undefined;
  const tracestate = headerOf(headers, "tracestate");
  return { traceparent, tracestate: (tracestate?.length ?? 0) > MAX_TRACE_LENGTH ? undefined : tracestate };
}

const HASH_DIGITS = 32;

/** Enough of a credential's sha256 to tell callers apart; it cannot be used to sign in. */
export function hashCredential(credential: string): string {
  return sha256Hex(credential).slice(0, HASH_DIGITS);
}

/** The headers of a web request; its class differs between runtimes. */
interface WebHeaders {
  get(name: string): string | null;
}

function isWebHeaders(headers: object): headers is WebHeaders {
  return "get" in headers && typeof headers.get === "function";
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  if (isWebHeaders(headers)) return headers.get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, unknown>>)[name];
  const text: unknown = Array.isArray(value) ? value.join(", ") : value;
  return typeof text === "string" ? text : undefined;
}

/** What clients send by mistake if they have no token: all of them send the same, so it identifies no caller. */
const placeholder = /^\s*(?:(?:bearer|basic|token)\b\s*)?(?:undefined|null|none)?\s*$/i;

/** Whether an `Authorization` header contains a placeholder, or nothing, instead of a credential. */
export function isPlaceholderCredential(authorization: string): boolean {
  return placeholder.test(authorization);
}

function bearerHashOf(headers: unknown): string | undefined {
  const authorization = headerOf(headers, "authorization") ?? "";
  const [, token] = /^Bearer +(\S+)\s*$/i.exec(authorization) ?? [];
  return token === undefined || isPlaceholderCredential(authorization) ? undefined : hashCredential(token);
}

/** The facts of the HTTP request behind a message; undefined if the transport provides no request. */
export function httpFactsOf(extra: unknown): HttpFacts | undefined {
  const { request, requestInfo, peer, callerHash, variantHash } = (extra ?? {}) as MessageExtra;
  const carrier = request ?? requestInfo;
  if (carrier === undefined) return undefined;
  const { headers } = carrier;
  return {
    bearerHash: callerHash ?? bearerHashOf(headers),
    variantHash,
    forwardedFor: headerOf(headers, "x-forwarded-for"),
    peer,
    trace: traceOf(headers),
  };
}

const peers = asyncScope<string>();

/** Runs `run` for a caller at this address: only the HTTP server knows the address, and no SDK passes it on. */
export function withPeer<Value>(address: string | undefined, run: () => Value): Value {
  return address === undefined || address === "" ? run() : peers.run(address, run);
}

/** The address in an entry of X-Forwarded-For; some proxies add the port. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  if (isAddress(text)) return text;
  const bare = text.replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1");
  return isAddress(bare) ? bare : undefined;
}

/** How many of the operator's own proxies are in front; a caller may have invented entries that they did not write. */
export type TrustProxy = boolean | number;

/**
 * The caller's address: what the outermost trusted proxy saw, else what the HTTP server passed on. Proxies
 * append, so trusted entries are counted from the right; any caller may have written those before them.
 */
export function peerOf(
  forwardedFor: string | undefined,
  trustProxy: TrustProxy = false,
  handedOver?: string,
): string | undefined {
  const direct = handedOver ?? peers.getStore();
  const hops = Number(trustProxy);
  if (hops === 0 || forwardedFor === undefined) return direct;
  const entry = forwardedFor.split(",").at(-hops);
  return (entry === undefined ? undefined : addressIn(entry)) ?? direct;
}
