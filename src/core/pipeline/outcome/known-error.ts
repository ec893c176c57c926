// Errors that every Node program throws get a code: missing files, refused connections, the status of a service behind
// the tool. The texts are fixed, because an error's own text may name paths, hosts and secrets. An error about the
// server's own set-up (its credentials, its programs, its schemas) stays an internal error.

import { errorRegistry } from "../../contract/error-registry.ts";
import { remediationFor } from "../../contract/remediation.ts";
import type { Failure } from "../../contract/outcome.ts";
import type { JsonObject } from "../../json/json-value.ts";

type Known = readonly [code: string, message: string];

const isAway: Known = ["UNAVAILABLE", "A service that the call needs cannot be reached"];
const isFailing: Known = ["UNAVAILABLE", "A service that the call needs failed"];
const isLate: Known = ["TIMEOUT", "A service that the call needs did not answer in time"];
const isStopped: Known = ["UNAVAILABLE", "The operation was cancelled before it was done"];
const isAbsent: Known = ["NOT_FOUND", "A file or folder that the call needs does not exist"];
const isDenied: Known = ["FORBIDDEN", "The server may not access a file or folder that the call needs"];
const isNoPath: Known = ["INVALID_PATH", "A path does not lead to what the call needs"];
const isFull: Known = ["RESOURCE_EXHAUSTED", "The server has run out of memory, disk space or open files"];

/** Codes of the file system. They count only on the error itself: a wrapped error is about the server's own files. */
export const fileCodes: Readonly<Record<string, Known>> = {
  ENOENT: isAbsent,
  EACCES: isDenied,
  EPERM: isDenied,
  EROFS: isDenied,
  EEXIST: ["DUPLICATE_ENTRY", "A file or folder of this name exists already"],
  ENOTEMPTY: ["CONFLICT", "A folder is not empty"],
  EISDIR: isNoPath,
  ENOTDIR: isNoPath,
  ENAMETOOLONG: isNoPath,
  ELOOP: isNoPath,
  EBUSY: ["UNAVAILABLE", "A file or folder that the call needs is in use"],
  ENOSPC: isFull,
  EDQUOT: isFull,
  EMFILE: isFull,
  ENFILE: isFull,
  ENOMEM: isFull,
};

/** Codes of connections from Node, its fetch (undici) and axios. */
export const connectionCodes: Readonly<Record<string, Known>> = {
  ECONNREFUSED: isAway,
  ECONNRESET: isAway,
  EPIPE: isAway,
  EHOSTUNREACH: isAway,
  ENETUNREACH: isAway,
  ENETDOWN: isAway,
  ENOTFOUND: isAway,
  EAI_AGAIN: isAway,
  ERR_NETWORK: isAway,
  UND_ERR_SOCKET: isAway,
  UND_ERR_CLOSED: isAway,
  UND_ERR_DESTROYED: isAway,
  ConnectionRefused: isAway,
  ETIMEDOUT: isLate,
  ESOCKETTIMEDOUT: isLate,
  ECONNABORTED: isLate,
  UND_ERR_CONNECT_TIMEOUT: isLate,
  UND_ERR_HEADERS_TIMEOUT: isLate,
  UND_ERR_BODY_TIMEOUT: isLate,
  ABORT_ERR: isStopped,
  ERR_CANCELED: isStopped,
  UND_ERR_ABORTED: isStopped,
};

const names: Readonly<Record<string, Known>> = { AbortError: isStopped, TimeoutError: isLate };

// 400, 401, 403, 422 and the like mean that the server asked in the wrong way, not that its caller did.
export const statuses: Readonly<Record<number, Known>> = {
  404: ["NOT_FOUND", "A service that the call needs does not have what was asked for"],
  410: ["NOT_FOUND", "A service that the call needs no longer has what was asked for"],
  408: isLate,
  504: isLate,
  409: ["CONFLICT", "A service that the call needs refused the change because of its current state"],
  412: ["CONFLICT", "A service that the call needs refused the change because of its current state"],
  423: ["CONFLICT", "What the call would change is locked"],
  429: ["RATE_LIMIT_EXCEEDED", "A service that the call needs limits its requests"],
  500: isFailing,
  502: isFailing,
  503: isFailing,
  529: isFailing,
};

type Loose = Readonly<Record<string, unknown>>;

function looseAt(value: unknown, key: string): Loose {
  const inner = (value as Loose)[key];
  return typeof inner === "object" && inner !== null ? (inner as Loose) : {};
}

function own<Value>(table: Readonly<Record<string, Value>>, key: unknown): Value | undefined {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The status of a downstream's answer, where axios, got, ky, octokit, ofetch, gaxios and the AWS SDK put it. */
function statusOf(error: Loose): number | undefined {
  const response = looseAt(error, "response");
  const places = [
    response["status"],
    response["statusCode"],
    error["status"],
    error["statusCode"],
    looseAt(error, "$metadata")["httpStatusCode"],
  ];
  return places.find((place): place is number => Number.isInteger(place) && Number(place) >= 400);
}

const MAX_WAIT_SECONDS = 86_400;

/** Headers are a `Headers` object, or a plain object in upper or lower case. */
function retryAfterOf(error: Loose): number | undefined {
  const { headers = error["headers"] } = looseAt(error, "response");
  if (typeof headers !== "object" || headers === null) return undefined;
  const { get } = headers as { readonly get?: unknown };
  const said: unknown =
    typeof get === "function" ? get.call(headers, "retry-after") : (headers as Loose)["retry-after"];
  const seconds = typeof said === "string" || typeof said === "number" ? Number(said) : Number.NaN;
  return seconds > 0 && seconds <= MAX_WAIT_SECONDS ? Math.ceil(seconds) : undefined;
}

const MAX_CAUSES = 4;

/** The error, then its causes: fetch puts a connection's code there, and if there were several addresses, in a list. */
function causesOf(error: Loose): readonly Loose[] {
  const found: Loose[] = [];
  let next: unknown = error;
  while (typeof next === "object" && next !== null && found.length < MAX_CAUSES) {
    found.push(next as Loose);
    const { errors, cause } = next as Loose;
    next = cause ?? (Array.isArray(errors) ? (errors as readonly unknown[])[0] : undefined);
  }
  return found;
}

/** If a program is not installed, the server lacks it, not its caller. */
function isOfFile({ syscall }: Loose): boolean {
  return typeof syscall !== "string" || !syscall.startsWith("spawn");
}

const fetchFailed = /^(?:fetch failed|failed to fetch|network error|networkerror when)/i;

function isFetchFailure({ name, message }: Loose): boolean {
  return name === "TypeError" && typeof message === "string" && fetchFailed.test(message);
}

function toFailure([code, message]: Known, more: Pick<Failure["fault"], "details" | "data">): Failure {
  const { type } = errorRegistry.get(code) ?? { type: "internal" };
  const remediation = remediationFor(code, more.details) ?? "";
  return { ok: false, fault: { message, code, type, remediation, ...more }, notes: {} };
}

function read(error: Loose): Failure | undefined {
  const status = statusOf(error);
  if (status !== undefined) {
    const known = statuses[status];
    if (known === undefined) return undefined;
    const wait = status === 429 || status === 503 ? retryAfterOf(error) : undefined;
    // A limit of ours refuses a call before it runs; behind this one the tool may have done part of its work.
    const details: JsonObject = {
      downstream_status: status,
      ...(status === 429 ? { executed: "unknown" } : {}),
    };
    return toFailure(known, {
      details,
      ...(wait === undefined ? {} : { data: { retry_after_seconds: wait } }),
    });
  }
  const file = isOfFile(error) ? own(fileCodes, error["code"]) : undefined;
  if (file !== undefined) return toFailure(file, { details: { reason: String(error["code"]) } });
  for (const cause of causesOf(error)) {
    const known = own(connectionCodes, cause["code"]) ?? own(names, cause["name"]);
    const { code } = cause;
    if (known !== undefined)
      return toFailure(known, typeof code === "string" ? { details: { reason: code } } : {});
  }
  return isFetchFailure(error) ? toFailure(isAway, {}) : undefined;
}

/** The failure that a thrown error means in every program; undefined if it tells the caller nothing. */
export function knownError(error: unknown): Failure | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  try {
    return read(error as Loose);
  } catch {
    // A getter threw: such an error tells nothing.
    return undefined;
  }
}
