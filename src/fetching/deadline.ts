import { waitFault } from "./fetch-fault.ts";

/** What may end a fetch early. The signal's reason is what the caller gets, whatever error the ending caused. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Ends everything under way for this reason. */
  end(reason: unknown): void;
  /** Settles like the promise, or rejects when the end comes first. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** To be called when the fetch is over. */
  clear(): void;
}

export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort(caller?.reason);
  const timer = setTimeout(() => controller.abort(waitFault(timeoutMs, "total")), timeoutMs);
  caller?.addEventListener("abort", stop, { once: true });
  if (caller?.aborted === true) stop();
  return {
    signal,
    end: (reason) => controller.abort(reason),
    race: (promise) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(signal.reason as Error);
        signal.addEventListener("abort", fail, { once: true });
        if (signal.aborted) fail();
        promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", fail));
      }),
    clear: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", stop);
    },
  };
}
