import type { Success } from "../../contract/outcome.ts";
import type { Pagination } from "../../contract/pagination.ts";
import { HANDLE_LENGTH } from "../../contract/wire-names.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type FitContext, type Pager, type Parcel, type PipelineContext, partOf, stamp } from "../parcel.ts";
import { cutDigest } from "./cut-digest.ts";
import { cutFailure } from "./cut-failure.ts";
import { cutSuccess } from "./cut-success.ts";
import type { SuccessParcel } from "./result-cut.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";

/** A new cursor may be longer than the one it replaces. */
const CURSOR_RESERVE = 128;

interface ShrunkPage {
  readonly parcel: SuccessParcel;
  readonly fits: boolean;
  readonly says: string;
}

function itemsAt(data: JsonValue, path: string): readonly JsonValue[] | undefined {
  const items = isJsonObject(data) ? data[path] : undefined;
  return Array.isArray(items) ? (items as readonly JsonValue[]) : undefined;
}

function withItems(
  parcel: SuccessParcel,
  path: string,
  items: readonly JsonValue[],
  pagination: Pagination | undefined,
): SuccessParcel {
  const { data, notes } = parcel.outcome;
  const outcome: Success = {
    ok: true,
    data: { ...(isJsonObject(data) ? data : {}), [path]: items },
    notes: pagination === undefined ? notes : { ...notes, pagination },
  };
  return { ...parcel, outcome };
}

/** How many of the first items have room, at least one. */
function countFitting(items: readonly JsonValue[], room: number, { gauge }: ParcelWeigher): number {
  let left = room;
  for (const [index, item] of items.entries()) {
    left -= gauge.weigh(`${JSON.stringify(item)},`, left);
    if (left < 0) return Math.max(1, index);
  }
  return items.length;
}

async function shorten(
  parcel: SuccessParcel,
  items: readonly JsonValue[],
  pager: Pager,
  scale: ParcelWeigher,
): Promise<ShrunkPage> {
  const frame = scale.weigh(withItems(parcel, pager.path, [], undefined)) + CURSOR_RESERVE;
  let keep = Math.min(items.length - 1, countFitting(items, scale.budget - frame, scale));
  for (;;) {
    const shorter = withItems(parcel, pager.path, items.slice(0, keep), await pager.shrink(keep));
    const excess = scale.weigh(shorter) - scale.budget;
    if (excess <= 0) return { parcel: shorter, fits: true, says: `full: page of ${keep}` };
    if (keep === 1) return { parcel: shorter, fits: false, says: "" };
    keep = Math.max(1, keep - Math.max(1, Math.ceil((keep * excess) / (2 * scale.budget))));
  }
}

/** A page over the budget gets shorter and its cursor moves back, so that nothing is lost and nothing is kept. */
async function shrinkPage(parcel: SuccessParcel, scale: ParcelWeigher): Promise<ShrunkPage> {
  const { pager } = parcel.arrival;
  const items = pager === undefined ? undefined : itemsAt(parcel.outcome.data, pager.path);
  if (pager === undefined || items === undefined || items.length < 2)
    return { parcel, fits: false, says: "" };
  return shorten(parcel, items, pager, scale);
}

/** An example in the warning may cost this share of the budget; where it costs more, it is left out. */
const EXAMPLE_SHARE = 0.025;

/** What is known to fit a cut, with a question that its warning can show. */
async function withExample(
  data: JsonValue,
  fitting: FitContext,
  { budget, gauge }: ParcelWeigher,
): Promise<FitContext> {
  const example = await fitting.exampleFor?.(data);
  if (example === undefined) return fitting;
  const digits = gauge.reserve({ tokens: HANDLE_LENGTH, bytes: HANDLE_LENGTH });
  const cost = gauge.weigh(JSON.stringify({ or: { archive: "", ...example } })) + digits;
  return cost > budget * EXAMPLE_SHARE ? fitting : { ...fitting, example };
}

/** A parcel that is over the budget: a page gets shorter, anything else is cut. */
export async function cutOver(
  parcel: Parcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Promise<Parcel> {
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) return cutFailure({ ...parcel, outcome }, context, fitting, scale);
  const page = await shrinkPage({ ...parcel, outcome }, scale);
  if (page.fits) return stamp(page.parcel, "fit", page.says, { outcome: page.parcel.outcome });
  const asking = await withExample(outcome.data, fitting, scale);
  const digested = await cutDigest(page.parcel, context, asking, scale);
  return digested ?? cutSuccess(page.parcel, context, asking, scale);
}
