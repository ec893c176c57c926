// Which blocks are sent as they are, which as smaller copies, and which as links alone.

import { base64In } from "../../contract/block-reference.ts";
import { archiveUri } from "../../contract/wire-names.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { type Parcel, blockText } from "../parcel.ts";
import type { FitContext, PictureCopy } from "../pipeline-context.ts";
import type { Charge, ParcelWeigher } from "./weigh-parcel.ts";

/** Blocks beside the rendered data may take this share of the budget; the rendered data gets the rest. */
const BLOCK_SHARE = 0.5;
/** The same if the data is only in the structure, so that the texts contain only notes. */
const UNMIRRORED_SHARE = 0.75;
/** The least that the rendered data takes: an envelope, its names and its hashes. */
const wordsReserve: Charge = { tokens: 320, bytes: 1_280 };
/** Links cost tokens too: beyond this many, moved blocks are archived together and only named. */
export const MAX_LINKS = 16;
/** The digits of a hash in a link, and of hash and handle in the list of archives. */
export const LINK_DIGITS = 64;
const ENTRY_DIGITS = 76;

export function bytesOf(block: JsonObject): number {
  return Math.floor(((base64In(block)?.length ?? 0) * 3) / 4);
}

export function textAt(value: unknown, key: string): string | undefined {
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

export function typeOf(block: JsonObject): string {
  return textAt(block, "type") ?? "block";
}

/** What a link says of a block. */
export interface Linked {
  readonly name: string;
  readonly size: number;
  readonly mimeType: string | undefined;
  /** Why its bytes are not sent, if it is not for their number. */
  readonly why: string | undefined;
  /** The smaller copy that is sent in its place, if there is one. */
  readonly copy: PictureCopy | undefined;
}

function sayMoved({ why, copy }: Linked): string | undefined {
  if (copy !== undefined) return `Sent ${copy.says}; this is the original`;
  return why === undefined ? undefined : `Not sent: ${why}`;
}

/** A link to a moved block, in the block's place. */
export function linkTo(block: JsonObject, linked: Linked, hash: string): JsonObject {
  const resource = block["resource"];
  const { name, size, mimeType } = linked;
  const says = sayMoved(linked);
  return {
    type: "resource_link",
    uri: archiveUri(hash),
    name: textAt(resource, "uri") ?? textAt(block, "uri") ?? name,
    ...(says === undefined ? {} : { description: says }),
    ...(mimeType === undefined ? {} : { mimeType }),
    size,
  };
}

/** The weight of a link with its final address, and of its entry among the archive's hashes. */
function weighLink(block: JsonObject, linked: Linked, { gauge }: ParcelWeigher): number {
  const link = JSON.stringify(linkTo(block, linked, ""));
  const digits = LINK_DIGITS + ENTRY_DIGITS;
  return (
    gauge.weigh(`${link}"${linked.name}-":"sha256:",`) + gauge.reserve({ tokens: digits, bytes: digits })
  );
}

/** A smaller copy of a picture has a link to the original beside it. */
function weighCopy(
  block: JsonObject,
  index: number,
  copy: PictureCopy,
  cost: Charge,
  scale: ParcelWeigher,
): number {
  const name = `${typeOf(block)}-${index}`;
  const facts = { size: bytesOf(block), mimeType: textAt(block, "mimeType"), why: undefined };
  return weighLink(block, { name, ...facts, copy }, scale) + weighSent(copy.block, cost, scale);
}

function weighSent(block: JsonObject, cost: Charge, { gauge }: ParcelWeigher): number {
  return gauge.weigh(blockText(block), gauge.budget) + gauge.reserve(cost);
}

/** The blocks that are not sent as they are. */
interface Choice {
  /** Why, by place. */
  readonly reasons: ReadonlyMap<number, string | undefined>;
  /** Those that are sent as smaller copies. */
  readonly scaled: ReadonlySet<number>;
  readonly left: number;
}

/** Heaviest first, and of equal ones the last. */
function byWeight(
  weights: readonly number[],
): readonly { readonly weight: number; readonly index: number }[] {
  return weights
    .map((weight, index) => ({ weight, index }))
    .sort((a, b) => b.weight - a.weight || b.index - a.index);
}

/**
 * The blocks that are too large to send: those over the byte limit and those that are refused, then the heaviest until
 * the rest fits. Of those that have a smaller copy, the copy is sent, as long as it has room.
 */
export function chooseBlocks(
  blocks: readonly JsonObject[],
  { maxBlobBytes, bytes, copies = new Map() }: FitContext,
  scale: ParcelWeigher,
  room: number,
): Choice {
  const reasons = new Map<number, string | undefined>(bytes?.refused(blocks));
  const costOf = (block: JsonObject = {}): Charge => ({
    tokens: bytes?.tokens([block]) ?? 0,
    bytes: bytes?.onLine(block) ?? 0,
  });
  // Its tokens are known before it is made.
  const costOfCopy = ({ block, tokens }: PictureCopy): Charge => ({ ...costOf(block), tokens });
  const leave = (index: number): void => {
    if (!reasons.has(index)) reasons.set(index, sayCost(costOf(blocks[index])));
  };
  const copyWeights = new Map(
    [...copies].map(([index, copy]) => [
      index,
      weighCopy(blocks[index] ?? {}, index, copy, costOfCopy(copy), scale),
    ]),
  );
  const scaled = new Set<number>();
  const weights = blocks.map((block, index) => {
    if (maxBlobBytes !== "off" && bytesOf(block) > maxBlobBytes && !reasons.has(index))
      reasons.set(index, undefined);
    if (!reasons.has(index)) return weighSent(block, costOf(block), scale);
    if (copyWeights.has(index)) scaled.add(index);
    return copyWeights.get(index) ?? 0;
  });
  let sum = weights.reduce((total, weight) => total + weight, 0);
  for (const { weight, index } of byWeight(weights)) {
    if (sum <= room) break;
    const smaller = scaled.has(index) ? weight : (copyWeights.get(index) ?? weight);
    if (smaller >= weight) continue;
    leave(index);
    scaled.add(index);
    weights[index] = smaller;
    sum -= weight - smaller;
  }
  // All copies have about the same size, so the first ones stay.
  const heaviestCopy = Math.max(...[...scaled].map((index) => weights[index] ?? 0));
  const ranks = weights.map((weight, index) => (scaled.has(index) ? heaviestCopy : weight));
  for (const { index } of byWeight(ranks)) {
    if (sum <= room) break;
    leave(index);
    scaled.delete(index);
    sum -= weights[index] ?? 0;
  }
  return { reasons, scaled, left: room - sum };
}

/** Why a block costs too much, in words; undefined for a text, because its link says how long it is. */
function sayCost({ tokens, bytes }: Charge): string | undefined {
  if (bytes > 0) return `${bytes.toLocaleString("en-US")} bytes, for which the message has no room`;
  return tokens === 0 ? undefined : `about ${tokens} tokens, for which the budget has no room`;
}

/**
 * Those with smaller copies, and the first of the others whose links have room; links to hundreds of blocks would be a
 * list of their own.
 */
export function chooseLinked<Moved extends Linked & { readonly index: number }>(
  blocks: readonly JsonObject[],
  moved: readonly Moved[],
  scale: ParcelWeigher,
  room: number,
): readonly Moved[] {
  let left = room;
  const linked = new Set(moved.filter(({ copy }) => copy !== undefined));
  for (const one of moved.filter(({ copy }) => copy === undefined).slice(0, MAX_LINKS - linked.size)) {
    left -= weighLink(blocks[one.index] ?? {}, one, scale);
    if (left < 0) break;
    linked.add(one);
  }
  return moved.filter((one) => linked.has(one));
}

/** The blocks' share: larger if the smallest possible cut would be sent as structure only. */
function shareOf(parcel: Parcel, { render }: FitContext): number {
  if (parcel.dropsRepeatedText !== true) return BLOCK_SHARE;
  const fidelity = { level: "partial", dropped: [], archives: {} } as const;
  const { structure } = render({ ...parcel, outcome: { ok: true, data: {}, notes: { fidelity } } });
  return structure === undefined ? BLOCK_SHARE : UNMIRRORED_SHARE;
}

/** The room for blocks. */
export function roomForBlocks(parcel: Parcel, fitting: FitContext, { budget, gauge }: ParcelWeigher): number {
  return Math.max(0, Math.min(budget * shareOf(parcel, fitting), budget - gauge.reserve(wordsReserve)));
}
