import { ToolFault } from "../../core/contract/tool-fault.ts";
import { URL_ELICITATION_REQUIRED } from "../../core/protocol/names.ts";

const cancelled = Symbol.for("waybill.CallCancelled");
const passedThrough = Symbol.for("waybill.PassedThrough");

/** The caller gave up. It has the name of the platform's own error, because nobody waits for an answer. */
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

/** Thrown by a door when its server answered with something that must not be wrapped: a protocol error, or no answer yet. */
export class PassedThrough extends Error {
  /** The response, where nobody has sent it on yet. */
  readonly response: object | undefined;
  /** No answer yet: the server asks the client for something, or works on in a task. */
  readonly isUnfinished: boolean;
  /** Of a protocol error: its code. */
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

/** Everything that is asked of a thrown value on its way to the answer and to the log. */
function look(error: object): void {
  if (ToolFault.isInstance(error)) error.toOutcome();
  CallCancelled.isInstance(error);
  if ("code" in error) String(error.code);
  if (error instanceof Error)
    [error.name, error.message, error.stack, error.cause].map((part) => typeof part);
}

/**
 * The thrown value, or an error in its place when a getter, a proxy or a false brand makes looking at it throw: what
 * it throws then would otherwise become the SDK's answer, text and all.
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
