import { withinDeadline } from "../resilience/deadline.ts";
import { ArchiveError } from "./archive-store.ts";

/** Settles as `run` does, or rejects with TIMEOUT when that takes too long. */
export async function answerInTime<T>(run: () => Promise<T>, timeoutMs: number, what: string): Promise<T> {
  return withinDeadline(run, {
    timeoutMs,
    onTimeout: () => new ArchiveError("TIMEOUT", `${what} did not answer in ${timeoutMs} ms.`),
  });
}
