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

  constructor(response: object | undefined, isUnfinished: boolean) {
    super("The response is passed on as it is");
    this.response = response;
    this.isUnfinished = isUnfinished;
    Object.defineProperty(this, passedThrough, { value: true });
  }

  static isInstance(value: unknown): value is PassedThrough {
    return typeof value === "object" && value !== null && passedThrough in value;
  }
}

/** The URL elicitation error is an instruction to the client, so it must not be wrapped. */
const URL_ELICITATION = -32042;

export function isForTheClient(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === URL_ELICITATION;
}
