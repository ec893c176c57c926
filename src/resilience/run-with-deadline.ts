import { type DeadlineOptions, withinDeadline } from "./within-deadline.ts";

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
