import { faults } from "../../../core/contract/faults.ts";
import type { ToolFault } from "../../../core/contract/tool-fault.ts";

/** Why a cursor is refused: the values of `details.cursor_reason`. */
const cursorReasons = [
  "empty",
  "too_long",
  "malformed",
  "not_an_object",
  "version",
  "offset",
  "unknown_key",
  "expired",
  "signature",
] as const;
export type CursorReason = (typeof cursorReasons)[number];

const says: Readonly<Record<CursorReason, string>> = {
  empty: "it is empty",
  too_long: "it is too long",
  malformed: "it is not a cursor of this server",
  not_an_object: "it does not hold a position",
  version: "its version is not supported",
  offset: "it counts more than 10,000 items",
  unknown_key: "it was issued under a key that is no longer in use",
  expired: "it has expired",
  // One sentence for both: separate ones would tell a stranger which guess was right.
  signature: "it was changed, or belongs to another query",
};

/** The one answer to a cursor that cannot be used: INVALID_CURSOR with a machine-readable reason. */
export function refuseCursor(reason: CursorReason): ToolFault {
  return faults.invalidCursor(says[reason], { details: { cursor_reason: reason } });
}
