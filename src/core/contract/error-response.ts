import { frozenCopy } from "../json/frozen-copy.ts";
import type { JsonObject } from "../json/json-value.ts";
import { ContractError } from "./contract-error.ts";
import { describeIssue } from "./describe-issue.ts";
import { type ErrorEnvelope, errorDataSchema } from "./envelope.ts";
import { completeCodeAndType, readErrorData, writeErrorData } from "./error-data.ts";
import { errorRegistry } from "./error-registry.ts";
import type { ErrorCode } from "./error-rows.ts";
import type { ErrorType } from "./error-types.ts";
import { noteOptionNames, refuseUnknownOptions } from "./known-options.ts";
import { type NoteOptions, notesFromOptions, sealMeta, toJson, writingOf } from "./note-options.ts";
import type { Fault } from "./outcome.ts";
import { writeMeta } from "./write-meta.ts";

export interface ErrorOptions extends NoteOptions {
  readonly errorCode?: ErrorCode | undefined;
  readonly errorType?: ErrorType | undefined;
  /** Default: the registry's text. An empty string is kept. */
  readonly remediation?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Further keys for `data`; a standard field in here overrides the parameter of that name. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** The options of a failure, for every function that makes one; a fault also takes `cause`. */
export const errorOptionNames: Readonly<Record<keyof ErrorOptions, true>> = {
  errorCode: true,
  errorType: true,
  remediation: true,
  details: true,
  data: true,
  ...noteOptionNames,
};

function assertErrorData(given: JsonObject): JsonObject {
  const data = toJson(given, "data");
  const issue = errorDataSchema.safeParse(data, { error: describeIssue }).error?.issues[0];
  if (issue) {
    const path = issue.path.join(".");
    const message = `data.${path} ${issue.message}: pass a value the contract allows.`;
    throw new ContractError("INVALID_OPTION", message, { path });
  }
  return data;
}

/** The fault that a message and builder options describe. */
export function faultFromOptions(message: string, options: ErrorOptions): Fault {
  if (typeof message !== "string" || message.trim() === "") {
    throw new ContractError("EMPTY_MESSAGE", "A failure needs a message: say what went wrong.");
  }
  const own = { ...options.data } as JsonObject;
  const { code, type } = completeCodeAndType(
    (own["error_code"] ?? options.errorCode) as string | undefined,
    (own["error_type"] ?? options.errorType) as string | undefined,
  );
  const remediation = options.remediation ?? errorRegistry.get(code)?.remediation;
  const details = options.details as JsonObject | undefined;
  const data: JsonObject = {
    ...(remediation === undefined ? {} : { remediation }),
    ...(details === undefined ? {} : { details }),
    ...own,
    error_code: code,
    error_type: type,
  };
  return readErrorData(message, assertErrorData(data));
}

/**
 * A failed response-v2 envelope.
 *
 * @example
 * errorResponse("Spec not found: login", { errorCode: "SPEC_NOT_FOUND" });
 */
export function errorResponse(message: string, options: ErrorOptions = {}): ErrorEnvelope {
  refuseUnknownOptions("errorResponse", options, errorOptionNames);
  const fault = faultFromOptions(message, options);
  const { upgradeHints, ...notes } = notesFromOptions(options);
  const hinted = upgradeHints?.length
    ? { ...fault, data: { ...fault.data, upgrade_hints: upgradeHints as never } }
    : fault;
  const meta = sealMeta(writeMeta(notes, writingOf(options)));
  return Object.freeze({
    success: false,
    data: frozenCopy(writeErrorData(hinted)),
    error: message,
    meta,
  }) as unknown as ErrorEnvelope;
}
