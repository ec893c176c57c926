import { createHash } from "node:crypto";

/** What transports hand over beside a message: SDK v2 the web request, v1 its headers; stdio and memory neither. */
interface MessageExtra {
  readonly request?: { readonly headers?: unknown };
  readonly requestInfo?: { readonly headers?: unknown };
}

/** What is known of the HTTP request that carried a call. */
export interface HttpFacts {
  readonly bearerHash: string | undefined;
  readonly forwardedFor: string | undefined;
}

const HASH_DIGITS = 32;

/** Enough of a credential's sha256 to tell callers apart, and nothing to sign in with. */
export function hashCredential(credential: string): string {
  return createHash("sha256").update(credential).digest("hex").slice(0, HASH_DIGITS);
}

/** Of a web request, whose class differs from runtime to runtime. */
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

/** What clients send by mistake where they have no token: everybody sends the same, so it tells nobody apart. */
const placeholders = ["undefined", "null", "none"];

function bearerHashOf(headers: unknown): string | undefined {
  const [, token] = /^Bearer +(\S+)\s*$/i.exec(headerOf(headers, "authorization") ?? "") ?? [];
  if (token === undefined || placeholders.includes(token.toLowerCase())) return undefined;
  return hashCredential(token);
}

/** The facts of the HTTP request behind a message; undefined where the transport hands over no request. */
export function httpFactsOf(extra: unknown): HttpFacts | undefined {
  const { request, requestInfo } = (extra ?? {}) as MessageExtra;
  const carrier = request ?? requestInfo;
  if (carrier === undefined) return undefined;
  const { headers } = carrier;
  return { bearerHash: bearerHashOf(headers), forwardedFor: headerOf(headers, "x-forwarded-for") };
}
