import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { type CarriedTrace, type HttpFacts, type TrustProxy, httpFactsOf, peerOf } from "./call-origin.ts";
import { mcpMeta } from "../../core/protocol/names.ts";

/** The caller, as far as the transport verified it. */
export interface CallAuth {
  readonly subject?: string;
  readonly clientId?: string;
  readonly scopes?: readonly string[];
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
  return {
    ...(typeof subject === "string" ? { subject } : {}),
    ...(info.clientId === undefined ? {} : { clientId: info.clientId }),
    ...(info.scopes === undefined ? {} : { scopes: info.scopes }),
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
