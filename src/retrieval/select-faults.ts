import { faults } from "../contract/faults.ts";
import type { ToolFault } from "../contract/tool-fault.ts";

const MAX_SHOWN = 10;

/** Nothing in the archive has any of these ids, or stands where these pointers say. */
export function nothingAt(wanted: readonly string[]): ToolFault {
  const shown = wanted.slice(0, MAX_SHOWN).map((id) => id.slice(0, 100));
  return faults.notFound("item", shown.join(", ") || '""', {
    remediation: "Ask with limit 0 what the archive holds, or look for it with match or query.",
  });
}
