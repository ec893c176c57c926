import type { SuccessEnvelope } from "./envelope.ts";
import type { NoteOptions } from "./note-options.ts";
import { successResponse } from "./success-response.ts";

export interface BlockedOptions extends NoteOptions {
  /** The blocked thing's id. */
  readonly id: string;
  /** What it waits for. */
  readonly blocker: string;
  /** The key of the id in `data`, e.g. `task_id`; its first word names the thing in the warning. */
  readonly idKey?: string;
  /** Further keys for `data`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

function nounOf(idKey: string): string {
  const noun = idKey.replace(/_?id$/i, "").replaceAll("_", " ") || "work";
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

/** Work that cannot go on is a success that says so: the state in `data`, a warning beside it. */
export function blockedResponse(options: BlockedOptions): SuccessEnvelope {
  const { id, blocker, idKey = "id", data, ...notes } = options;
  return successResponse(
    { [idKey]: id, status: "blocked", blocker, ...data },
    { ...notes, warnings: [`${nounOf(idKey)} is blocked and cannot proceed`, ...(notes.warnings ?? [])] },
  ) as unknown as SuccessEnvelope;
}
