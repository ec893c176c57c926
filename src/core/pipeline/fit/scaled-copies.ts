// A picture that its model refuses, or for which the budget has no room, is sent smaller where pictures can be scaled.
// Which ones, and to which sizes, follows from headers and the budget alone; only those are decoded then.

import { base64In } from "../../contract/block-reference.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { pictureIn } from "../../readers/bytes-for.ts";
import { saySize } from "../../readers/picture.ts";
import type { Parcel } from "../parcel.ts";
import type { FitContext, PictureCopy } from "../pipeline-context.ts";
import { MAX_LINKS, chooseBlocks, roomForBlocks } from "./choose-blocks.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";

/** Tried in this order, after no copies at all. A smaller picture would show too little. */
const sides = [Number.POSITIVE_INFINITY, 1_024, 768, 512];

/** A copy that has not been made yet. */
interface Wanted extends PictureCopy {
  readonly side: number;
  readonly bytes: number;
}

/** The context with smaller copies of the pictures that would be sent as links alone. */
export async function withCopies(
  parcel: Parcel,
  fitting: FitContext,
  scale: ParcelWeigher,
): Promise<FitContext> {
  const { blocks = [] } = parcel;
  const { scalePicture, bytes } = fitting;
  if (scalePicture === undefined || bytes === undefined) return fitting;
  const copies = new Map<number, PictureCopy>();
  for (const [index, { side, bytes: most }] of wantedCopies(parcel, fitting, scale)) {
    const block = blocks[index] ?? {};
    // One after the other: a picture of many pixels takes much memory while it is scaled.
    const made = await scalePicture(base64In(block) ?? "", { side, bytes: most });
    if (made === undefined) continue;
    const copy = { ...block, data: made.base64, mimeType: made.mimeType };
    if (bytes.refused([copy]).size > 0) continue;
    copies.set(index, { block: copy, tokens: bytes.tokens([copy]), says: sayScaled(block, copy) });
  }
  return copies.size === 0 ? fitting : { ...fitting, copies };
}

function sayScaled(from: JsonObject, to: JsonObject): string {
  const [before, after] = [pictureIn(from), pictureIn(to)].map((one) => (one ? saySize(one) : ""));
  return `scaled from ${before} to ${after} pixels`;
}

/** The copies with which most blocks are sent, and of those the largest. */
function wantedCopies(
  parcel: Parcel,
  fitting: FitContext,
  scale: ParcelWeigher,
): ReadonlyMap<number, Wanted> {
  const { blocks = [] } = parcel;
  const room = roomForBlocks(parcel, fitting, scale);
  let [wanted, sent] = [new Map<number, Wanted>(), -1];
  for (const side of [0, ...sides]) {
    const copies = copiesOf(blocks, side, fitting);
    const { reasons, scaled } = chooseBlocks(blocks, { ...fitting, copies }, scale, room);
    const amount = blocks.length - reasons.size + scaled.size;
    if (amount <= sent) continue;
    sent = amount;
    wanted = new Map([...copies].filter(([index]) => scaled.has(index)));
  }
  return wanted;
}

/** Copies of the first pictures that could be smaller: each copy has a link to its original. */
function copiesOf(
  blocks: readonly JsonObject[],
  side: number,
  fitting: FitContext,
): ReadonlyMap<number, Wanted> {
  const copies = blocks.flatMap((block, index) => {
    const copy = wantedCopy(block, side, fitting);
    return copy === undefined ? [] : [[index, copy] as const];
  });
  return new Map(copies.slice(0, MAX_LINKS));
}

function wantedCopy(
  block: JsonObject,
  most: number,
  { bytes, maxBlobBytes }: FitContext,
): Wanted | undefined {
  const smaller = bytes?.smaller(block, most);
  const before = pictureIn(block);
  if (smaller === undefined || before === undefined) return undefined;
  const limit = maxBlobBytes === "off" ? smaller.bytes : Math.min(maxBlobBytes, smaller.bytes);
  if (limit === 0) return undefined;
  return {
    block: { ...block, data: "", mimeType: "image/jpeg" },
    tokens: smaller.tokens,
    says: `scaled from ${saySize(before)} to ${saySize(smaller)} pixels`,
    side: smaller.side,
    bytes: limit,
  };
}
