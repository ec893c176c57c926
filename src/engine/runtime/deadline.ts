interface DeadlineOptions {
  /** At most 2,147,483,647, because a longer timer fires at once. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  readonly onTimeout: () => Error;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** What a caller gets who gave up. Default: the signal's reason. */
  readonly onCancel?: ((reason: unknown) => unknown) | undefined;
  /** Called with the error once it is decided. */
  readonly onStop?: ((error: unknown) => void) | undefined;
}

/**
 * Runs until it settles, the time is up or the caller gives up, whichever is first; what `run` does after that is
 * ignored. Use `runWithDeadline` for work that can be stopped: a signal costs more than the rest.
 */
export async function withinDeadline<T>(run: () => Promise<T>, options: DeadlineOptions): Promise<T> {
  const { timeoutMs, onTimeout, signal, onCancel = (reason) => reason, onStop } = options;
  if (signal?.aborted === true) throw onCancel(signal.reason);
  let giveUp: (error: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    giveUp = (error) => {
      // First, so that what `run` throws because it was stopped comes too late.
      reject(error);
      onStop?.(error);
    };
  });
  const cancel = (): void => giveUp(onCancel(signal?.reason));
  signal?.addEventListener("abort", cancel, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => giveUp(onTimeout()), timeoutMs);
  try {
    // Called from an async function, what throws at once still joins the race.
    const work = (async () => run())();
    return await Promise.race([stopped, work]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

/** `withinDeadline` for what can stop: the signal handed to `run` aborts with the error this rejects with. */
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
