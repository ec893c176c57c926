import { ArchiveError } from "./archive-error.ts";

/** Settles as `work` does, or rejects with TIMEOUT when that takes too long; what `work` does later is nobody's concern. */
export async function withinDeadline<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ArchiveError("TIMEOUT", `${what} did not answer in ${timeoutMs} ms.`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
