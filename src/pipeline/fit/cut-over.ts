import { type FitContext, type Parcel, type PipelineContext, partOf, stamp } from "../parcel.ts";
import { cutDigest } from "./cut-digest.ts";
import { cutFailure } from "./cut-failure.ts";
import { cutSuccess } from "./cut-success.ts";
import type { Scale } from "./scale.ts";
import { shrinkPage } from "./shrink-page.ts";

/** A parcel that is over the budget: a page gets shorter, anything else is cut. */
export async function cutOver(
  parcel: Parcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: Scale,
): Promise<Parcel> {
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) return cutFailure({ ...parcel, outcome }, context, fitting, scale);
  const page = await shrinkPage({ ...parcel, outcome }, scale);
  if (page.fits) return stamp(page.parcel, "fit", page.says, { outcome: page.parcel.outcome });
  const digested = await cutDigest(page.parcel, context, fitting, scale);
  return digested ?? cutSuccess(page.parcel, context, fitting, scale);
}
