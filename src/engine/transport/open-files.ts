// The files that this process may have open, including sockets and pipes. The last ones are reserved for the
// process itself: if a lazily loaded module cannot be read when it is first needed, Node never loads it
// again, so a flood of clients would leave a process that fails every call.

import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

/** This many are reserved, or an eighth of a small limit. */
const KEPT_FREE = 64;

/**
 * How near the limit is: `low` within the reserved files, `out` within the last half of them. At `tight`
 * there is room for as many connections, but not for a new process: clients must still reach the running
 * ones.
 */
export type FileRoom = "enough" | "tight" | "low" | "out";

let known: { readonly limit: number | undefined } | undefined;

/** Only Linux has the limit in a file; elsewhere only the system's own error shows it. */
function readLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** The room, by the number of a file that was just opened: the system gives the lowest free number. */
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
