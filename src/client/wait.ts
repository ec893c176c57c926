/** Timers count milliseconds in 31 bits and go off at once beyond them. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits, or rejects with the signal's reason as soon as that is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
    await waitOnce(Math.min(left, LONGEST_TIMER_MS), signal);
  }
}

async function waitOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
