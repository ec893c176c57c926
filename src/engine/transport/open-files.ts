// The files that this process may have open: sockets and pipes count among them. The last ones are kept free for its
// own needs. A module that is loaded when it is first needed and cannot be read then is lost to Node for good, so a
// flood of clients would leave a process behind that fails every call.

import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/** So many stay free, or an eighth where few are allowed. */
const KEPT_FREE = 64;

/**
 * How near the limit is: `low` among the files that are kept free, `out` among the last half of them. At `tight` there
 * is room for as many connections, but for no process: those that run must be reached by their clients.
 */
export type FileRoom = "enough" | "tight" | "low" | "out";

let known: { readonly limit: number | undefined } | undefined;

/** Only Linux says it in a file; elsewhere the system's own refusal is all there is. */
function readLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** What the number of a file that was just opened tells: the system gives the lowest one that is free. */
export function roomAt(number: number | undefined, limit = openFileLimit()): FileRoom {
  if (number === undefined || limit === undefined) return "enough";
  const kept = Math.min(KEPT_FREE, Math.floor(limit / 8));
  if (number < limit - 2 * kept) return "enough";
  if (number < limit - kept) return "tight";
  return number < limit - kept / 2 ? "low" : "out";
}

function openFileLimit(): number | undefined {
  known ??= { limit: readLimit() };
  return known.limit;
}

/** How much room there is now. */
export function roomForFiles(): FileRoom {
  if (openFileLimit() === undefined) return "enough";
  try {
    const number = openSync(devNull, "r");
    closeSync(number);
    return roomAt(number);
  } catch {
    return "out";
  }
}
