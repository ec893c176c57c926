import { sayName } from "../text/say-name.ts";
import { ContractError } from "./contract-error.ts";
import { type ErrorOptions, ToolFault, refuseFaultOptions } from "./tool-fault.ts";
import { refuseOtherKind } from "./note-options.ts";
import type { UpgradeHint } from "./outcome.ts";
import { errorRegistry } from "./error-registry.ts";
import { errorTypeTable } from "./error-data.ts";

type Options = Omit<ErrorOptions, "errorType"> & { cause?: unknown };

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Rounded up, so that a caller who waits this long has waited long enough; rounding errors are ignored. */
function seconds(wait: number): string {
  const count = Math.ceil(Number(wait.toFixed(3)));
  return `${count} second${count === 1 ? "" : "s"}`;
}

function retryAfter(waitSeconds: number | undefined): { retry_after_seconds?: number } {
  return waitSeconds !== undefined && waitSeconds > 0 ? { retry_after_seconds: waitSeconds } : {};
}

interface RateLimitedOptions extends Options {
  readonly limit?: number | undefined;
  readonly period?: string | undefined;
  readonly resetAt?: Date | undefined;
  readonly retryAfterSeconds: number;
}

function rateLimited(given: RateLimitedOptions): ToolFault {
  refuseFaultOptions("faults.rateLimited", given, "limit", "period", "resetAt", "retryAfterSeconds");
  const { limit, period, resetAt, retryAfterSeconds, ...options } = given;
  if (!(retryAfterSeconds >= 0 && retryAfterSeconds < 1e10))
    throw new ContractError(
      "INVALID_OPTION",
      `rateLimited: retryAfterSeconds is ${retryAfterSeconds}: give seconds.`,
    );
  const quota =
    limit === undefined ? "" : `: ${limit} requests${period === undefined ? "" : ` per ${period}`}`;
  const reset = resetAt ?? new Date(Date.now() + retryAfterSeconds * 1000);
  return new ToolFault(`Rate limit exceeded${quota}`, {
    errorCode: "RATE_LIMIT_EXCEEDED",
    remediation: `Wait ${seconds(retryAfterSeconds)} before retrying. Consider batching requests.`,
    rateLimit: {
      ...(limit === undefined ? {} : { limit }),
      remaining: 0,
      reset_at: reset.toISOString(),
      ...(period === undefined ? {} : { period }),
      retry_after: retryAfterSeconds,
    },
    ...options,
    data: { retry_after_seconds: retryAfterSeconds, ...options.data },
  });
}

/** Ready-made faults: `throw faults.notFound("spec", id)`. Options override anything they set. */
export const faults = {
  validation: (message: string, options: Options = {}) =>
    new ToolFault(message, { errorCode: "VALIDATION_ERROR", ...options }),

  notFound: (resourceType: string, resourceId: string, options: Options = {}) => {
    refuseOtherKind("string", 'faults.notFound: give what was not found, as in ("task", id)', resourceType);
    return new ToolFault(`${capitalised(resourceType)} not found: ${sayName(resourceId)}`, {
      errorCode: "NOT_FOUND",
      ...options,
      details: { resource_type: resourceType, resource_id: resourceId, ...options.details },
    });
  },

  unauthorized: (message = "Authentication is required", options: Options = {}) =>
    new ToolFault(message, { errorCode: "UNAUTHORIZED", ...options }),

  forbidden: (message = "This is not allowed", options: Options & { permission?: string } = {}) => {
    refuseFaultOptions("faults.forbidden", options, "permission");
    const { permission, ...rest } = options;
    const data = permission === undefined ? {} : { required_permission: permission };
    return new ToolFault(message, { errorCode: "FORBIDDEN", ...rest, data: { ...data, ...rest.data } });
  },

  conflict: (message: string, options: Options = {}) =>
    new ToolFault(message, { errorCode: "CONFLICT", ...options }),

  rateLimited,

  featureDisabled: (feature: string, options: Options = {}) =>
    new ToolFault(`Feature '${feature}' is not enabled`, {
      errorCode: "FEATURE_DISABLED",
      ...options,
      data: { feature, ...options.data },
    }),

  upgradeRequired: (hint: UpgradeHint, options: Options = {}) => {
    refuseOtherKind("object", "faults.upgradeRequired: give { feature, tier, reason }", hint);
    return new ToolFault(`Feature '${hint.feature}' needs the ${hint.tier} tier`, {
      errorCode: "UPGRADE_REQUIRED",
      upgradeHints: [hint],
      ...options,
    });
  },

  unavailable: (
    message = "The service is temporarily unavailable",
    given: Options & { retryAfterSeconds?: number | undefined } = {},
  ) => {
    refuseFaultOptions("faults.unavailable", given, "retryAfterSeconds");
    const { retryAfterSeconds, ...options } = given;
    return new ToolFault(message, {
      errorCode: "UNAVAILABLE",
      ...options,
      data: { ...retryAfter(retryAfterSeconds), ...options.data },
    });
  },

  timeout: (waitedMs: number, options: Options = {}) =>
    new ToolFault(`The operation did not finish within ${Math.round(waitedMs)} ms`, {
      errorCode: "TIMEOUT",
      ...options,
    }),

  invalidCursor: (reason: string, options: Options = {}) =>
    new ToolFault(`The cursor cannot be used: ${reason}`, {
      errorCode: "INVALID_CURSOR",
      ...options,
      details: { field: "cursor", reason, ...options.details },
    }),

  internal: (message = "The server failed unexpectedly", options: Options = {}) =>
    new ToolFault(message, { errorCode: "INTERNAL_ERROR", ...options }),

  fromResponse,
  fromError,
} as const;

// Faults for what a service behind a tool did: its answer, or the error that its client threw. Code, type and retry
// time come from status, headers and error codes. No text of the service is passed on: it may contain paths, hosts or
// secrets.

/** The service that the fault is about. The other options override what the answer or the error says. */
export interface UpstreamFaultOptions extends Omit<ErrorOptions, "errorType"> {
  /** The service, as its users call it. Default: "A service that the call needs". */
  readonly service?: string | undefined;
  /** What the service was asked for, such as "issue 17". */
  readonly resource?: string | undefined;
  /** How long to wait. Default: what the service says, up to a day. */
  readonly retryAfterSeconds?: number | undefined;
  /** For the log only. */
  readonly cause?: unknown;
}

const ownOptions = ["service", "resource", "retryAfterSeconds"] as const;

/** The parts of an answer that are read: fetch's `Response`, or an object like it. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body?: unknown;
}

interface Cancellable {
  cancel?(): Promise<void>;
}

type ReadHeader = (name: string) => unknown;

const UNEXPECTED = "OPERATION_FAILED";
const LIMIT = "RATE_LIMIT_EXCEEDED";

// Statuses that the error types do not name, read as the rules for other servers' failures read them.
const codes: Readonly<Record<number, string>> = {
  408: "TIMEOUT",
  410: "NOT_FOUND",
  412: "CONFLICT",
  413: "TOO_LARGE",
  422: "VALIDATION_ERROR",
  423: "CONFLICT",
  // A service that failed may be back soon; only our own failures are internal.
  500: "UNAVAILABLE",
  501: "NOT_IMPLEMENTED",
  504: "TIMEOUT",
};

function codeOf(status: number): string {
  const known = codes[status] ?? Object.values(errorTypeTable).find(({ http }) => http === status)?.code;
  return known ?? (status < 1 || status > 499 ? "UNAVAILABLE" : UNEXPECTED);
}

const MAX_WAIT_SECONDS = 86_400;
/** A number above this is a time in seconds since 1970, not a wait. */
const FIRST_MOMENT = 1e9;

/** The seconds to wait, if one of these headers says so. */
function waitIn(names: readonly string[], read: ReadHeader): number | undefined {
  const said = String(names.map(read).find(Boolean)).replace(/^.*\b(?:t|reset)=(\d+).*/, "$1");
  const seconds = /^[A-Z][a-z]+,? /.test(said) ? Date.parse(said) / 1000 : Number(said);
  const wait = Math.ceil(seconds > FIRST_MOMENT ? seconds - Date.now() / 1000 : seconds);
  return wait > 0 ? wait : undefined;
}

function upstreamFault(
  code: string,
  said: string,
  details: Readonly<Record<string, unknown>>,
  given: UpstreamFaultOptions,
  wait?: number,
): ToolFault {
  const isLong = Number(wait) > MAX_WAIT_SECONDS;
  const {
    service = "A service that the call needs",
    resource,
    retryAfterSeconds = isLong ? undefined : wait,
    errorCode = code,
    ...options
  } = given;
  const about = resource === undefined ? "" : ` for ${resource}`;
  // The registry's sentence does not fit an unexpected answer, nor a code that the author chose.
  const says = errorCode === code && code !== UNEXPECTED ? errorRegistry.get(code)?.says : undefined;
  return new ToolFault(`${service} ${said}${about}${says === undefined ? "" : `: ${says}`}`, {
    remediation: errorCode === code ? adviceFor(code, retryAfterSeconds, isLong) : undefined,
    ...options,
    errorCode,
    details: { service, ...details, ...options.details },
    data: { retry_after_seconds: retryAfterSeconds, ...options.data },
  });
}

/** What to do if the registry's advice would not fit. */
function adviceFor(code: string, seconds: number | undefined, isLong: boolean): string | undefined {
  if (code === UNEXPECTED) return "Change the request.";
  if (seconds !== undefined || code !== LIMIT) return undefined;
  return isLong ? "Do not retry today." : "Retry later, and less often.";
}

function answered(status: number, read: ReadHeader, options: UpstreamFaultOptions): ToolFault {
  // Some services answer 403 to a caller who asks too often.
  const isLimit = status === 429 || (status === 403 && read("x-ratelimit-remaining") === "0");
  const code = isLimit ? LIMIT : codeOf(status);
  // Some services send rate limit headers with every answer; they matter only if the limit is reached.
  const names = ["retry-after", ...(isLimit ? ["ratelimit", "ratelimit-reset", "x-ratelimit-reset"] : [])];
  const isWorthWaiting = /^(?:RATE|TIME|UNAV)/.test(code);
  const details = {
    downstream_status: status,
    // A limit of ours refuses a call before it runs; here the tool may have done part of its work.
    ...(isLimit ? { executed: "unknown" } : {}),
  };
  const wait = isWorthWaiting ? waitIn(names, read) : undefined;
  return upstreamFault(code, `answered with HTTP ${status}`, details, options, wait);
}

/** The fault for an answer that is not a success. Its body is discarded unread. */
function fromResponse(response: UpstreamResponse, options: UpstreamFaultOptions = {}): ToolFault {
  refuseFaultOptions("faults.fromResponse", options, ...ownOptions);
  if (typeof response?.status !== "number" || typeof response.headers?.get !== "function")
    throw new ContractError("INVALID_OPTION", "faults.fromResponse takes the Response that fetch gives.");
  const { status, headers, body } = response;
  (body as Cancellable | undefined | null)?.cancel?.().catch(() => undefined);
  return answered(status, (name) => headers.get(name), options);
}

type Loose = Readonly<Record<string, unknown>>;

const late = /^\w*(?:TIMEDOUT|TIMEOUT|ECONNABORTED|TimeoutError)$/;
const away =
  /^(?:E(?:CONN|PIPE|HOST|NET|NOTFOUND|AI_)|ERR_(?:NETWORK|CANCELED)|UND_ERR_|ABORT_ERR|AbortError|ConnectionRefused)\w*$/;
const fetchFailed = /^(?:fetch failed|failed to fetch|network ?error)/i;

const MAX_CAUSES = 4;

function inside(value: unknown, key: string): Loose {
  return Object((Object(value) as Loose)[key]) as Loose;
}

/**
 * What one error says by itself: axios, got, ky, octokit, ofetch, gaxios and the AWS SDK put the status in these
 * places.
 */
function read(error: Loose, options: UpstreamFaultOptions): ToolFault | undefined {
  const response = inside(error, "response");
  const { status = response["statusCode"], headers = error["headers"] } = response;
  const found =
    status ?? error["status"] ?? error["statusCode"] ?? inside(error, "$metadata")["httpStatusCode"];
  if (Number(found) > 399) {
    const named = Object(headers) as Loose & { get?: ReadHeader };
    return answered(Number(found), (name) => named.get?.(name) ?? named[name], options);
  }
  const reason = [error["code"], error["name"]]
    .map(String)
    .find((word) => late.test(word) || away.test(word));
  if (reason === undefined) return undefined;
  return upstreamFault(late.test(reason) ? "TIMEOUT" : "UNAVAILABLE", "failed", { reason }, options);
}

/** The error, then its causes: fetch puts a connection's code there, and if there were several addresses, in a list. */
function search(error: unknown, options: UpstreamFaultOptions): ToolFault | undefined {
  let next: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof next === "object" && next !== null; depth++) {
    const found = ToolFault.isInstance(next) ? next : read(next as Loose, options);
    if (found !== undefined) return found;
    const { cause, errors } = next as Loose;
    next = cause ?? inside(errors, "0");
  }
  const isFetch = fetchFailed.test(String(inside({ error }, "error")["message"]));
  return isFetch ? upstreamFault("UNAVAILABLE", "failed", {}, options) : undefined;
}

/** The fault for what a service's client threw; a fault is returned unchanged. */
function fromError(error: unknown, options: UpstreamFaultOptions = {}): ToolFault {
  refuseFaultOptions("faults.fromError", options, ...ownOptions);
  const given = { cause: error, ...options };
  let found: ToolFault | undefined;
  try {
    found = search(error, given);
  } catch {
    // A getter threw: such an error tells nothing.
  }
  return found ?? upstreamFault("INTERNAL_ERROR", "failed", {}, given);
}
