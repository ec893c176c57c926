/** A value that may still be on its way. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Handlers and schemas may answer with any thenable, not only with a promise of this realm. */
export function isPromiseLike<Value>(value: MaybePromise<Value>): value is Promise<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * What `next` makes of a value: at once where the value is there, later where it is not. Each promise costs a turn of
 * the event loop, and more where async contexts are followed, so a call waits only for what really takes time.
 */
export function chain<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromiseLike(value) ? value.then(next) : next(value);
}

/** The same for work that may fail, at once or later. */
export function attempt<Value, Next>(
  run: () => MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
  failed: (error: unknown) => MaybePromise<Next>,
): MaybePromise<Next> {
  let value: MaybePromise<Value>;
  try {
    value = run();
    if (isPromiseLike(value)) return value.then(next, failed);
  } catch (error) {
    return failed(error);
  }
  return next(value);
}
