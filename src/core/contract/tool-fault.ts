import { frozenCopy, MAX_JSON_DEPTH } from "../json/find-non-json.ts";
import type { JsonObject } from "../json/json-value.ts";
import { writeMeta, type ErrorEnvelope, errorDataSchema } from "./envelope.ts";
import {
  noteOptionNames,
  refuseUnknownOptions,
  type NoteOptions,
  notesFromOptions,
  sealMeta,
  toJson,
  writingOf,
} from "./note-options.ts";
import { ContractError } from "./contract-error.ts";
import { describeIssue } from "./describe-issue.ts";
import { completeCodeAndType, readErrorData, writeErrorData, type ErrorType } from "./error-data.ts";
import type { ErrorCode } from "./error-registry.ts";
import { remediationFor } from "./remediation.ts";
import type { Fault, Failure } from "./outcome.ts";

let listener: ((fault: ToolFault) => void) | undefined;

/**
 * The listener is called with every fault when it is made. MCP SDKs keep only the message of what a handler throws, so
 * the server door remembers the whole fault of the running call here. Returns the listener it replaced.
 */
export function setFaultListener(next: typeof listener): typeof listener {
  const previous = listener;
  listener = next;
  return previous;
}

function announceFault(fault: ToolFault): void {
  listener?.(fault);
}

/** Refuses options that neither a fault nor the function `owner` takes. */
export function refuseFaultOptions(owner: string, options: object, ...own: readonly string[]): void {
  const names = Object.fromEntries([...own, "cause"].map((name) => [name, true as const]));
  refuseUnknownOptions(owner, options, { ...errorOptionNames, ...names });
}

const brand = Symbol.for("waybill.ToolFault");

/** Thrown by a tool to fail with a code the caller can act on. Its message is meant for the model. */
export class ToolFault extends Error {
  override readonly name: string = "ToolFault";
  readonly fault: Fault;
  readonly options: ErrorOptions;

  constructor(message: string, options: ErrorOptions & { cause?: unknown } = {}) {
    const { cause, ...rest } = options;
    refuseUnknownOptions("ToolFault", rest, errorOptionNames);
    super(message, cause === undefined ? undefined : { cause });
    this.fault = faultFromOptions(message, rest);
    this.options = rest;
    Object.defineProperty(this, brand, { value: true });
    announceFault(this);
  }

  get code(): string {
    return this.fault.code;
  }

  get type(): string {
    return this.fault.type;
  }

  get remediation(): string | undefined {
    return this.fault.remediation;
  }

  get details(): JsonObject | undefined {
    return this.fault.details;
  }

  /** The failure as the pipeline's own value. */
  toOutcome(): Failure {
    return { ok: false, fault: this.fault, notes: notesFromOptions({ requestId: false, ...this.options }) };
  }

  static isInstance(value: unknown): value is ToolFault {
    return typeof value === "object" && value !== null && brand in value;
  }
}

const INTERNAL_ERROR = -32603;
const sentence = `answer is nested deeper than ${MAX_JSON_DEPTH} levels, so it cannot be read`;
const details = { reason: "too_deep", max_depth: MAX_JSON_DEPTH, executed: "yes" } as const;

/** For an answer that is nested deeper than Waybill, or the answer's reader, can look through. */
export function tooDeep(): ToolFault {
  return new ToolFault(`The tool's ${sentence}`, {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: name a part of what is nested.",
    details,
  });
}

/** The same for a request that is not a tool call. */
export const tooDeepError = {
  code: INTERNAL_ERROR,
  message: `The server's ${sentence}`,
  data: { error_code: "TOO_LARGE", ...details },
} as const;

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
const errorOptionNames: Readonly<Record<keyof ErrorOptions, true>> = {
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
function faultFromOptions(message: string, options: ErrorOptions): Fault {
  if (typeof message !== "string" || message.trim() === "") {
    throw new ContractError("EMPTY_MESSAGE", "A failure needs a message: say what went wrong.");
  }
  const own = { ...options.data } as JsonObject;
  const { code, type } = completeCodeAndType(
    (own["error_code"] ?? options.errorCode) as string | undefined,
    (own["error_type"] ?? options.errorType) as string | undefined,
  );
  const details = options.details as JsonObject | undefined;
  const remediation = options.remediation ?? remediationFor(code, details);
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
