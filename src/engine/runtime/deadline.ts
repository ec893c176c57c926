interface DeadlineOptions {
  /** At most 2,147,483,647, because a longer timer fires at once. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  readonly onTimeout: () => Error;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** The error for a caller that gave up. Default: the signal's reason. */
  readonly onCancel?: ((reason: unknown) => unknown) | undefined;
  /** Called with the error once it is decided. */
  readonly onStop?: ((error: unknown) => void) | undefined;
}

/**
 * Runs until `run` settles, the time is up or the caller gives up, whichever is first; later results of `run`
 * are ignored. Use `runWithDeadline` for work that can be stopped: a signal costs more than the rest.
 */
export async function withinDeadline<T>(run: () => Promise<T>, options: DeadlineOptions): Promise<T> {
  const { timeoutMs, onTimeout, signal, onCancel = (reason) => reason, onStop } = options;
  if (signal?.aborted === true) throw onCancel(signal.reason);
  let giveUp: (error: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    giveUp = (error) => {
      // First, so that an error that `run` throws because it was stopped comes too late.
      reject(error);
      onStop?.(error);
    };
  });
  const cancel = (): void => giveUp(onCancel(signal?.reason));
  signal?.addEventListener("abort", cancel, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => giveUp(onTimeout()), timeoutMs);
  try {
    // In an async function, so that an error thrown at once also takes part in the race.
    const work = (async () => run())();
    return await Promise.race([stopped, work]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

/** `withinDeadline` for work that can stop: the signal passed to `run` aborts with the error of the rejection. */
export async function runWithDeadline<T>(
  run: (signal: AbortSignal) => Promise<T>,
  options: Omit<DeadlineOptions, "onStop">,
): Promise<T> {
  const controller = new AbortController();
  return withinDeadline(() => run(controller.signal), {
    ...options,
    onStop: (error) => controller.abort(error),
  });
}
