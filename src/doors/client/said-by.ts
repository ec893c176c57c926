// Whose words an answer's notes are. A gateway signs what it wrote; what is not signed is the server's own, also where a
// gateway let it pass.

import { type SaidBy, isByGateway, markIn } from "../../core/contract/contract-mark.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { isJsonObject } from "../../core/json/json-value.ts";

/** A warning, and who gave it. */
export interface HeardWarning extends WarningDetail {
  readonly by: SaidBy;
}

/** Tells of the notes of one result whose they are. */
export interface Authors {
  /** Who wrote the result as it came. */
  readonly by: SaidBy;
  /** Who gave a failure its code and its advice: where the server wrote an envelope, that did. */
  readonly ofFailure: SaidBy;
  /** Who said one of the `warnings` or announced one of the `archives`. */
  of(kind: "warnings" | "archives", text: string): SaidBy;
}

export function authorsOf(meta: unknown): Authors {
  const mark = markIn(meta);
  const by: SaidBy = isByGateway(mark) ? "gateway" : "server";
  const own = mark?.["own"];
  // Where the server said nothing beside its data, all notes are the gateway's.
  if (by === "server" || !isJsonObject(own)) return { by, ofFailure: by, of: () => by };
  return {
    by,
    ofFailure: "server",
    of: (kind, text) => {
      const texts = own[kind];
      return Array.isArray(texts) && texts.includes(text) ? by : "server";
    },
  };
}
