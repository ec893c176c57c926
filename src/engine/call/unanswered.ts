import { ToolFault } from "../../core/contract/tool-fault.ts";
import { URL_ELICITATION_REQUIRED } from "../../core/protocol/names.ts";

const cancelled = Symbol.for("waybill.CallCancelled");
const passedThrough = Symbol.for("waybill.PassedThrough");

/** The caller gave up. The class has the name of the platform's own error, because no caller waits for an answer. */
export class CallCancelled extends Error {
  override readonly name = "AbortError";

  constructor(reason?: unknown) {
    super("The call was cancelled", reason === undefined ? undefined : { cause: reason });
    Object.defineProperty(this, cancelled, { value: true });
  }

  static isInstance(value: unknown): value is CallCancelled {
    return typeof value === "object" && value !== null && cancelled in value;
  }
}

/**
 * Thrown by a door if its server's response must not be wrapped: a protocol error, or a response that is not
 * an answer yet.
 */
export class PassedThrough extends Error {
  /** The response, if it has not been sent on yet. */
  readonly response: object | undefined;
  /** Not an answer yet: the server asks the client for something, or continues in a task. */
  readonly isUnfinished: boolean;
  /** The code of a protocol error. */
  readonly code: number | undefined;

  constructor(response: object | undefined, isUnfinished: boolean, code?: number) {
    super("The response is passed on as it is");
    this.response = response;
    this.isUnfinished = isUnfinished;
    this.code = code;
    Object.defineProperty(this, passedThrough, { value: true });
  }

  static isInstance(value: unknown): value is PassedThrough {
    return typeof value === "object" && value !== null && passedThrough in value;
  }
}

/** The URL elicitation error is an instruction to the client, so it must not be wrapped. */
export function isForTheClient(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === URL_ELICITATION_REQUIRED
  );
}

/** Reads everything that is later read from a thrown value, for the answer and for the log. */
function look(error: object): void {
  if (ToolFault.isInstance(error)) error.toOutcome();
  CallCancelled.isInstance(error);
  if ("code" in error) String(error.code);
  if (error instanceof Error)
    [error.name, error.message, error.stack, error.cause].map((part) => typeof part);
}

/**
 * The thrown value, or an error in its place if a getter, a proxy or a false brand throws when the value is
 * read: that second error would otherwise become the SDK's answer, with its text.
 */
export function readableError(error: unknown): unknown {
  if ((typeof error !== "object" && typeof error !== "function") || error === null) return error;
  try {
    look(error);
    return error;
  } catch {
    return new Error("The tool threw a value that cannot be read");
  }
}
