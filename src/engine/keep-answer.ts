import type { Arrival } from "../pipeline/parcel.ts";
import { isUnfinished } from "./is-tool-result.ts";

/** Carries what a store must not keep past it, to every caller that shares the run. */
class PassedBy extends Error {
  readonly arrival: Arrival;

  constructor(arrival: Arrival) {
    super("This answer is not kept.");
    this.arrival = arrival;
  }
}

/** A question to the client is answered by another call with the same arguments. */
export function isFinal(arrival: Arrival): boolean {
  return !(arrival.kind === "value" && isUnfinished(arrival.value));
}

/** A failure that came as a ready-made result is no better than a thrown one, and those are not cached either. */
export function isCacheable(arrival: Arrival): boolean {
  return isFinal(arrival) && !(arrival.kind === "result" && arrival.result["isError"] === true);
}

/** Runs `store`, which keeps what `run` gives, so that it keeps only what `isKept` allows. */
export async function keepOnly<Answer>(
  isKept: (arrival: Arrival) => boolean,
  run: () => Promise<Arrival>,
  store: (run: () => Promise<Arrival>) => Promise<Answer>,
  toAnswer: (arrival: Arrival) => Answer,
): Promise<Answer> {
  try {
    return await store(async () => {
      const arrival = await run();
      if (isKept(arrival)) return arrival;
      throw new PassedBy(arrival);
    });
  } catch (error) {
    if (error instanceof PassedBy) return toAnswer(error.arrival);
    throw error;
  }
}
