import { ArchiveError } from "./archive-error.ts";
import { errnoOf } from "./errno-of.ts";

const FULL: readonly string[] = ["ENOSPC", "EDQUOT"];
const FORBIDDEN: readonly string[] = ["EROFS", "EACCES", "EPERM"];

/** What a failed file operation means to whoever asked the store; anything but an I/O failure stays what it is. */
export function toArchiveError(error: unknown, doing: "read" | "write", location: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const cause = { cause: error };
  if (FULL.includes(errno)) {
    const advice = "free some space, or lower maxBytes so that the store keeps less";
    return new ArchiveError("FULL", `No space left for ${location} (${errno}): ${advice}.`, cause);
  }
  if (doing === "write" && FORBIDDEN.includes(errno)) {
    const advice = "let this process write there, or choose another directory";
    return new ArchiveError("READ_ONLY", `${location} cannot be written (${errno}): ${advice}.`, cause);
  }
  const advice = "check that it is a directory, is mounted and belongs to this process's user";
  return new ArchiveError(
    "UNREACHABLE",
    `${location} could not be ${doing === "read" ? "read" : "written"} (${errno}): ${advice}.`,
    cause,
  );
}
