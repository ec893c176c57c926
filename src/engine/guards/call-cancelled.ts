const brand = Symbol.for("waybill.CallCancelled");

/** The caller gave up. Named as the platform names its own, since nobody waits for an answer. */
export class CallCancelled extends Error {
  override readonly name = "AbortError";

  constructor(reason?: unknown) {
    super("The call was cancelled", reason === undefined ? undefined : { cause: reason });
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is CallCancelled {
    return typeof value === "object" && value !== null && brand in value;
  }
}
