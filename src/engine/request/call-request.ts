import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { type CarriedTrace, type HttpFacts, type TrustProxy, httpFactsOf, peerOf } from "./call-origin.ts";
import { mcpMeta } from "../../core/protocol/names.ts";

/** Who calls, as far as the transport verified it. */
export interface CallAuth {
  readonly subject?: string;
  readonly clientId?: string;
  readonly scopes?: readonly string[];
}

/** What the transport and the SDK know of one `tools/call`; `tenant` and `tiers.of` decide by it. */
export interface CallRequest {
  /** The request's `_meta`: written by the client, so nothing in it says who calls. */
  readonly meta: JsonObject;
  readonly signal?: AbortSignal;
  /** The id of a legacy session, which the transport made and checked. */
  readonly sessionId?: string;
  /** What the server's own authentication verified, and nothing else. */
  readonly auth?: CallAuth & { readonly token?: string };
  /** True when the call came over HTTP; stdio and in-memory transports carry one local client. */
  readonly isHttp?: boolean;
  /**
   * The hash of a bearer token that came with the request and that nobody verified. It keeps callers' archives apart;
   * `tiers.of` never gets it.
   */
  readonly bearerHash?: string;
  /**
   * The hash of what else a server behind the gateway sees of a caller who shows no proof. It names nobody: it only
   * keeps apart what the server may show to one caller and not to the other.
   */
  readonly variantHash?: string;
  /** The caller's address, where `contract.withPeer` or `trustProxy` gave it. */
  readonly peer?: string;
  /** The trace of the HTTP request; what `_meta` names comes first. */
  readonly trace?: CarriedTrace;
  readonly capabilities?: unknown;
  /** The client's own name, which it may have made up. */
  readonly client?: string;
  /** Known where the call was read from its message: it carries its protocol version itself. */
  readonly isModern?: boolean;
  /** True when it carries the client's answers to what the tool asked for in an earlier round. */
  readonly hasInput?: boolean;
  /**
   * The hashes of the archives that this connection was told of: without a name, only those are looked into. Undefined
   * where a caller may look into all of its own.
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

/** A verified subject says who calls; the OAuth client id only says with which program. */
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

/** True for a request of the modern era, which carries its version and capabilities itself. */
export function isModern(context: unknown): boolean {
  const envelope = (context as SdkContext | undefined)?.mcpReq?.envelope;
  return envelope !== undefined && Object.keys(envelope).length > 0;
}

function nameOf(info: unknown): string | undefined {
  const name = isJsonObject(info) ? info["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** What an SDK server object knows of the client since it connected. */
export interface LegacyClient {
  readonly getClientCapabilities?: () => unknown;
  readonly getClientVersion?: () => unknown;
}

/** A request while it is built: a value that is not known has no key. */
type Draft = { -readonly [Key in keyof CallRequest]: CallRequest[Key] };

/** Where a call came from. Only HTTP transports have sessions, so a call with a session is HTTP even without its request. */
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

/** The call as SDK v2's handler context shows it. */
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

/** What a client said of itself when it connected; requests of the modern era say it each time. */
export interface ClientFacts {
  readonly capabilities: unknown;
  readonly info: unknown;
}

/** What a hooked transport hands over with a message. */
export interface Handover {
  /** What the transport itself gives the SDK beside the message. */
  readonly extra: unknown;
  /** The session of the transport the message came by: a server object may be connected to several. */
  readonly sessionId: string | undefined;
  /** The span of the call, for the server behind: set where one is open. */
  readonly trace?: CarriedTrace | undefined;
  /** Arguments of the call that the contract took for itself: they are left out of what the server gets. */
  readonly taken?: readonly string[] | undefined;
}

/** The call as its JSON-RPC message shows it. */
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
