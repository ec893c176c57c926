import type { Notes } from "../../contract/outcome.ts";
import type { PipelineContext } from "../parcel.ts";

/** What may be taken at most, in each of the two measures. */
export interface Charge {
  readonly tokens: number;
  readonly bytes: number;
}

// With key, quotes and comma. An id of ours is `req_` and 12 hex digits; another maker's ids count by their length.
const ownId: Charge = { tokens: 20, bytes: 40 };
const rateLimitCharge: Charge = { tokens: 64, bytes: 176 };
const figure: Charge = { tokens: 10, bytes: 24 };
/** Joining texts can change how they are split into tokens, by very little. */
export const joint: Charge = { tokens: 8, bytes: 8 };
const nothing: Charge = { tokens: 0, bytes: 0 };

function add(...charges: readonly Charge[]): Charge {
  return charges.reduce((sum, { tokens, bytes }) => ({
    tokens: sum.tokens + tokens,
    bytes: sum.bytes + bytes,
  }));
}

/** Notes without what changes from call to call: it must never move a cut, or equal results would differ. */
export function steadyNotes(notes: Notes, { requestIdFrom }: PipelineContext): Notes {
  const { requestId, telemetry: _telemetry, rateLimit: _rateLimit, ...steady } = notes;
  return requestIdFrom === "client" && requestId !== undefined ? { ...steady, requestId } : steady;
}

/** What those may take at most, whether they are shown this time or not. */
export function chargeOf(notes: Notes, { profile, requestIdFrom }: PipelineContext): Charge {
  const { show } = profile;
  const { requestId = "", rateLimit, telemetry } = notes;
  return add(
    joint,
    show.requestId === "never" || requestIdFrom === "client" ? nothing : chargeId(requestId),
    show.rateLimit === "never" || rateLimit === undefined ? nothing : rateLimitCharge,
    show.telemetry === "always" && telemetry !== undefined ? chargeFigures(telemetry) : nothing,
  );
}

function chargeId({ length }: string): Charge {
  return length <= 16 ? ownId : { tokens: length + 8, bytes: length + 24 };
}

function chargeFigures(telemetry: object): Charge {
  const charges = Object.entries(telemetry).map(([key, value]) => {
    const bytes = key.length * 3 + 4;
    if (typeof value === "number") return add(figure, { tokens: key.length + 4, bytes });
    const text = JSON.stringify(value).length * 3;
    return { tokens: bytes + text, bytes: bytes + text };
  });
  return add(figure, ...charges);
}
