import { firstCodePoints } from "../../contract/code-points.ts";
import type { Notes } from "../../contract/outcome.ts";
import { type WarningDetail, isNotable } from "../../contract/warning.ts";

/** The order in which notes are given up if cutting the data is not enough; `hint`: names in the cut's own warning. */
export const trimLevels = ["none", "hint", "context", "info", "extras", "details", "all", "least"] as const;
export type TrimLevel = (typeof trimLevels)[number];

const MAX_WARNINGS = 3;
const MAX_MESSAGE_LENGTH = 120;

function omitted(count: number): readonly WarningDetail[] {
  if (count === 0) return [];
  return [{ message: `${count} ${count === 1 ? "warning" : "warnings"} omitted due to token limits` }];
}

/** The warning that a budget was raised explains everything else that is missing, so it is given up last. */
function trimToFloor(warnings: readonly WarningDetail[], rank: number): readonly WarningDetail[] {
  const floored = warnings.find(({ code }) => code === "TOKEN_BUDGET_FLOORED");
  if (floored === undefined || rank > 5) return omitted(warnings.length);
  const { asked, used } = floored.context ?? {};
  const message = `Budget ${JSON.stringify(asked ?? null)} raised to ${JSON.stringify(used ?? null)}`;
  return [{ code: "TOKEN_BUDGET_FLOORED", severity: "warning", message }, ...omitted(warnings.length - 1)];
}

function trimWarnings(warnings: readonly WarningDetail[], rank: number): readonly WarningDetail[] {
  if (rank > 4) return trimToFloor(warnings, rank);
  const bare = warnings.map(({ context: _context, ...rest }) => rest);
  if (rank < 2) return bare;
  const heard = bare.filter(isNotable);
  if (rank < 4) return [...heard, ...omitted(warnings.length - heard.length)];
  const short = heard.slice(0, MAX_WARNINGS).map(({ code, severity, message }) => ({
    ...(code === undefined ? {} : { code }),
    ...(severity === undefined ? {} : { severity }),
    message: firstCodePoints(message, MAX_MESSAGE_LENGTH),
  }));
  return [...short, ...omitted(warnings.length - short.length)];
}

/** The notes at a level. Cursor, hashes and the call's identifiers stay to the last. */
export function trimNotes(notes: Notes, level: TrimLevel): Notes {
  // The first level after "none" concerns the cut's own warning only.
  const rank = trimLevels.indexOf(level) - 1;
  if (rank <= 0) return notes;
  const trimmed: { -readonly [Key in keyof Notes]: Notes[Key] } = { ...notes };
  const warnings = trimWarnings(notes.warnings ?? [], rank);
  if (warnings.length > 0) trimmed.warnings = warnings;
  else delete trimmed.warnings;
  if (rank >= 3) {
    for (const key of ["extra", "capabilities", "provenance", "toolId", "toolVersion", "telemetry"] as const)
      delete trimmed[key];
  }
  if (rank >= 5) {
    delete trimmed.upgradeHints;
    // The result's own `_meta` has the rate limit too.
    delete trimmed.rateLimit;
  }
  return trimmed;
}
