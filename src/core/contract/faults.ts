import { sayName } from "../text/say-name.ts";
import { ContractError } from "./contract-error.ts";
import type { ErrorOptions } from "./error-response.ts";
import { refuseOtherKind } from "./known-options.ts";
import type { UpgradeHint } from "./outcome.ts";
import { ToolFault, refuseFaultOptions } from "./tool-fault.ts";
import { fromError, fromResponse } from "./upstream-faults.ts";

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
