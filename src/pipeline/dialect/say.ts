// Says the outcome in the agreed words: response-v2 by default, any of six dialects.
// Promises that reading the words back gives the outcome again, up to the dialect's pinned losses.
// Never decides what is said: the profile and the earlier stages did.

import { type Parcel, type PipelineContext, partOf, stamp } from "../parcel.ts";
import { dialects } from "./dialects.ts";

export function say(parcel: Parcel, context: PipelineContext): Parcel {
  const dialect = dialects[context.dialect];
  const outcome = partOf(parcel, "outcome");
  const said = `${dialect.id}, profile ${context.profile.name}`;
  const { rendering } = parcel;
  if (rendering?.outcome === outcome) return stamp(parcel, "dialect", said, { wire: rendering.wire });
  const { profile, requestIdFrom, draftNotes: metadata } = context;
  const options = { profile, requestIdFrom, ...(metadata === undefined ? {} : { metadata }) };
  const aside = dialect.aside?.(outcome, options);
  const json = dialect.render(outcome, options);
  const wire = { level: dialect.level, json, ...(aside === undefined ? {} : { aside }) };
  return stamp(parcel, "dialect", said, { wire });
}
