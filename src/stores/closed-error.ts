import { ArchiveError } from "./archive-error.ts";

/** What every call on a closed store answers. */
export function closedError(kind: string): ArchiveError {
  return new ArchiveError("CLOSED", `The ${kind} store is closed: make a new one to go on.`);
}
