/** A value, or a promise of it. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Handlers and schemas may return any thenable, not only a promise of this realm. */
export function isPromiseLike<Value>(value: MaybePromise<Value>): value is Promise<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Passes a value to `next`: at once if it is already there, later if it is a promise. Each promise costs a turn of the
 * event loop, and more if async contexts are followed, so a call waits only for what really takes time.
 */
export function chain<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromiseLike(value) ? value.then(next) : next(value);
}
