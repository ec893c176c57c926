// Who wrote an answer's notes. A gateway signs what it wrote; unsigned notes are the server's own, even if they passed
// through a gateway.

import { type SaidBy, isByGateway, markIn } from "../../core/contract/contract-mark.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { isJsonObject } from "../../core/json/json-value.ts";

/** A warning, and its author. */
export interface HeardWarning extends WarningDetail {
  readonly by: SaidBy;
}

/** Tells who wrote each note of one result. */
export interface Authors {
  /** Who wrote the received result. */
  readonly by: SaidBy;
  /** Who gave a failure its code and advice: the server, if it wrote an envelope. */
  readonly ofFailure: SaidBy;
  /** Who wrote one of the `warnings` or announced one of the `archives`. */
  of(kind: "warnings" | "archives", text: string): SaidBy;
}

export function authorsOf(meta: unknown): Authors {
  const mark = markIn(meta);
  const by: SaidBy = isByGateway(mark) ? "gateway" : "server";
  const own = mark?.["own"];
  // If the server wrote nothing beside its data, all notes are the gateway's.
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
