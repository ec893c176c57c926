// Says the outcome in the agreed words: response-v2 by default, any of six dialects.
// Promises that reading the words back gives the outcome again, up to the dialect's pinned losses.
// Never decides what is said: the profile and the earlier stages did.

import type { Outcome } from "../../contract/outcome.ts";
import { type Parcel, type PipelineContext, type Wire, partOf, stamp } from "../parcel.ts";
import { dialects } from "./dialects.ts";

/** The outcome in the words of the context's dialect and profile. */
export function wordsOf(outcome: Outcome, context: PipelineContext): Wire {
  const dialect = dialects[context.dialect];
  const { profile, requestIdFrom, draftNotes: metadata } = context;
  const options = { profile, requestIdFrom, ...(metadata === undefined ? {} : { metadata }) };
  const aside = dialect.aside?.(outcome, options);
  const json = dialect.render(outcome, options);
  return { level: dialect.level, json, ...(aside === undefined ? {} : { aside }) };
}

export function say(parcel: Parcel, context: PipelineContext): Parcel {
  const outcome = partOf(parcel, "outcome");
  const { rendering } = parcel;
  const wire = rendering?.outcome === outcome ? rendering.wire : wordsOf(outcome, context);
  return stamp(parcel, "dialect", `${context.dialect}, profile ${context.profile.name}`, { wire });
}
