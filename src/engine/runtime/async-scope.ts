import { builtIn } from "./built-in.ts";

/** A value that code below a running call can read without a parameter. */
export interface AsyncScope<Value> {
  run<Result>(value: Value, run: () => Result): Result;
  getStore(): Value | undefined;
}

/**
 * Without Node's async scopes the value is known until the first await. After it the value is unknown, so
 * that it is never the value of another running call.
 */
class ScopeUntilWait<Value> implements AsyncScope<Value> {
  #current: Value | undefined;

  run<Result>(value: Value, run: () => Result): Result {
    const outer = this.#current;
    this.#current = value;
    try {
      return run();
    } finally {
      this.#current = outer;
    }
  }

  getStore(): Value | undefined {
    return this.#current;
  }
}

/** `hooks` is for tests; null for a runtime without them. */
export function asyncScope<Value>(hooks = builtIn("node:async_hooks") ?? null): AsyncScope<Value> {
  return hooks === null ? new ScopeUntilWait<Value>() : new hooks.AsyncLocalStorage<Value>();
}
