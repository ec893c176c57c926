import type { JsonObject } from "../json/json-value.ts";
import { type ErrorOptions, errorOptionNames, faultFromOptions } from "./responses.ts";
import { refuseUnknownOptions, notesFromOptions } from "./note-options.ts";
import type { Failure, Fault } from "./outcome.ts";
import { MAX_JSON_DEPTH } from "../json/find-non-json.ts";

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
