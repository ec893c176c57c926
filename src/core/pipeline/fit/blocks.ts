import { base64In } from "../../contract/block-reference.ts";
import { archiveUri } from "../../contract/wire-names.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { type CutPart, type KeptPart, type Parcel, blockText } from "../parcel.ts";
import type { FitContext } from "../pipeline-context.ts";
import type { Omission } from "./omission.ts";
import type { Charge, ParcelWeigher } from "./weigh-parcel.ts";

/** Blocks beside the rendered data may take this share of the budget; the rendered data gets the rest. */
const BLOCK_SHARE = 0.5;
/** The same if the data is only in the structure, so that the texts contain only notes. */
const UNMIRRORED_SHARE = 0.75;
/** The least that the rendered data takes: an envelope, its names and its hashes. */
const wordsReserve: Charge = { tokens: 320, bytes: 1_280 };
/** Links cost tokens too: beyond this many, moved blocks are archived together and only named. */
const MAX_LINKS = 16;
/** The digits of a hash in a link, and of hash and handle in the list of archives. */
const LINK_DIGITS = 64;
const ENTRY_DIGITS = 76;

/** The blocks that will be sent, and what must be archived for it. */
export interface BlockPlan {
  readonly parts: readonly CutPart[];
  readonly omissions: readonly Omission[];
  /** The digits in the links of kept parts, which are charged separately. */
  readonly digitBytes: number;
  /** The blocks for the parts that were kept, in the order of `parts`. */
  build(kept: readonly (KeptPart | undefined)[]): readonly JsonObject[];
}

function bytesOf(block: JsonObject): number {
  return Math.floor(((base64In(block)?.length ?? 0) * 3) / 4);
}

type BlobLimits = Pick<FitContext, "maxBlobBytes" | "bytes">;

/** Whether a block has more bytes than are sent, or bytes that the model behind the client cannot be given. */
export function hasUnsendable(blocks: readonly JsonObject[], { maxBlobBytes, bytes }: BlobLimits): boolean {
  if (maxBlobBytes !== "off" && blocks.some((block) => bytesOf(block) > maxBlobBytes)) return true;
  return bytes !== undefined && bytes.refused(blocks).size > 0;
}

function nameOf(index: number): string {
  return `#content/${index}`;
}

interface Moved {
  readonly index: number;
  readonly part: CutPart;
  readonly size: number;
  readonly mimeType: string | undefined;
  /** Why its bytes are not sent, if it is not for their number. */
  readonly why: string | undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** Marks JSON of a block as such: all other JSON in an archive is the data of a result. */
function blockType(contentType: string): string {
  return /[/+]json\b/i.test(contentType) ? `${contentType};part=block` : contentType;
}

function moveBlock(
  block: JsonObject,
  index: number,
  why: string | undefined,
  { decodeBase64, byteLength }: FitContext,
): Moved {
  const type = textAt(block, "type") ?? "block";
  const source = type === "resource" ? block["resource"] : block;
  const base64 = base64In(block);
  const text = type === "resource" || type === "text" ? textAt(source, "text") : undefined;
  // A block with neither bytes nor a text is kept as JSON, whatever type it names.
  const isJson = base64 === undefined && text === undefined;
  const mimeType = isJson ? "application/json" : textAt(source, "mimeType");
  const content = base64 === undefined ? (text ?? JSON.stringify(block)) : decodeBase64(base64);
  const contentType = blockType(mimeType ?? (text === undefined ? "application/octet-stream" : "text/plain"));
  return {
    index,
    part: { name: `${type}-${index}`, content: [content], contentType },
    size: typeof content === "string" ? byteLength(content) : content.length,
    mimeType,
    why,
  };
}

/** A link to a moved block, in the block's place. */
function linkTo(block: JsonObject, { part, size, mimeType, why }: Moved, { hash }: KeptPart): JsonObject {
  const resource = block["resource"];
  const name = textAt(resource, "uri") ?? textAt(block, "uri") ?? part.name;
  return {
    type: "resource_link",
    uri: archiveUri(hash),
    name,
    ...(why === undefined ? {} : { description: `Not sent: ${why}` }),
    ...(mimeType === undefined ? {} : { mimeType }),
    size,
  };
}

/** For a model that cannot be given the bytes, where there is no archive for them either. */
function lineFor({ part, mimeType, why = "" }: Moved): JsonObject {
  const name = mimeType === undefined ? part.name : `${part.name}, ${mimeType}`;
  return { type: "text", text: `[${name}, not sent: ${why}; it was not kept]` };
}

/** The weight of a link with its final address, and of its entry among the archive's hashes. */
function weighLink(block: JsonObject, moved: Moved, { gauge }: ParcelWeigher): number {
  const link = JSON.stringify(linkTo(block, moved, { hash: "", usedFallback: false }));
  const digits = LINK_DIGITS + ENTRY_DIGITS;
  return (
    gauge.weigh(`${link}"${moved.part.name}-":"sha256:",`) + gauge.reserve({ tokens: digits, bytes: digits })
  );
}

/** The blocks that are too large to send: those over the byte limit, then the heaviest texts until the rest fits. */
function chooseMoved(
  blocks: readonly JsonObject[],
  { maxBlobBytes, bytes }: FitContext,
  { gauge }: ParcelWeigher,
  room: number,
): { readonly reasons: ReadonlyMap<number, string | undefined>; readonly left: number } {
  const reasons = new Map<number, string | undefined>(bytes?.refused(blocks));
  const tokensOf = (block: JsonObject): number => bytes?.tokens([block]) ?? 0;
  const lengthOf = (block: JsonObject): number => bytes?.onLine(block) ?? 0;
  const weights = blocks.map((block, index) => {
    if (maxBlobBytes !== "off" && bytesOf(block) > maxBlobBytes && !reasons.has(index))
      reasons.set(index, undefined);
    if (reasons.has(index)) return 0;
    const more = { tokens: tokensOf(block), bytes: lengthOf(block) };
    return gauge.weigh(blockText(block), gauge.budget) + gauge.reserve(more);
  });
  let sum = weights.reduce((total, weight) => total + weight, 0);
  const heaviest = weights
    .map((weight, index) => ({ weight, index }))
    .sort((a, b) => b.weight - a.weight || b.index - a.index);
  for (const { weight, index } of heaviest) {
    if (sum <= room) break;
    const block = blocks[index] ?? {};
    if (!reasons.has(index)) reasons.set(index, sayCost(tokensOf(block), lengthOf(block)));
    sum -= weight;
  }
  return { reasons, left: room - sum };
}

/** What is said of a picture that costs too much; nothing of a text, whose link says how long it is. */
function sayCost(tokens: number, length: number): string | undefined {
  if (length > 0) return `${length.toLocaleString("en-US")} bytes, for which the message has no room`;
  return tokens === 0 ? undefined : `about ${tokens} tokens, for which the budget has no room`;
}

/** The first of the moved blocks whose links have room; links to hundreds of blocks would be a list of their own. */
function chooseLinked(
  blocks: readonly JsonObject[],
  moved: readonly Moved[],
  scale: ParcelWeigher,
  room: number,
): readonly Moved[] {
  let left = room;
  const linked: Moved[] = [];
  for (const one of moved.slice(0, MAX_LINKS)) {
    left -= weighLink(blocks[one.index] ?? {}, one, scale);
    if (left < 0) break;
    linked.push(one);
  }
  return linked;
}

/** Moved blocks without a link of their own are archived together, each under its name as id. */
function keepTogether(blocks: readonly JsonObject[], indexes: readonly number[]): readonly CutPart[] {
  if (indexes.length === 0) return [];
  function* write(): Generator<string> {
    let separator = "[";
    for (const index of indexes) {
      yield separator + JSON.stringify({ id: nameOf(index), block: blocks[index] ?? null });
      separator = ",";
    }
    yield "]";
  }
  return [{ name: "content", content: { [Symbol.iterator]: write }, contentType: "application/json" }];
}

/** The blocks' share: larger if the smallest possible cut would be sent as structure only. */
function shareOf(parcel: Parcel, { render }: FitContext): number {
  if (parcel.dropsRepeatedText !== true) return BLOCK_SHARE;
  const fidelity = { level: "partial", dropped: [], archives: {} } as const;
  const { structure } = render({ ...parcel, outcome: { ok: true, data: {}, notes: { fidelity } } });
  return structure === undefined ? BLOCK_SHARE : UNMIRRORED_SHARE;
}

export function planBlocks(parcel: Parcel, fitting: FitContext, scale: ParcelWeigher): BlockPlan {
  const { blocks } = parcel;
  if (blocks === undefined || blocks.length === 0)
    return { parts: [], omissions: [], digitBytes: 0, build: () => [] };
  const share = shareOf(parcel, fitting);
  const room = Math.max(0, Math.min(scale.budget * share, scale.budget - scale.gauge.reserve(wordsReserve)));
  const { reasons, left } = chooseMoved(blocks, fitting, scale, room);
  const moved = [...reasons]
    .sort(([a], [b]) => a - b)
    .map(([index, why]) => moveBlock(blocks[index] ?? {}, index, why, fitting));
  const linked = chooseLinked(blocks, moved, scale, left);
  const others = moved.slice(linked.length).map(({ index }) => index);
  return {
    parts: [...linked.map(({ part }) => part), ...keepTogether(blocks, others)],
    omissions: moved.map(({ index }) => ({ kind: "part", id: nameOf(index) })),
    digitBytes: linked.length * LINK_DIGITS,
    build: (kept) => {
      const links = new Map(linked.map((one, place) => [one.index, { one, kept: kept[place] }]));
      return blocks.flatMap((block, index) => {
        if (!reasons.has(index)) return [block];
        const link = links.get(index);
        if (link?.kept !== undefined) return [linkTo(block, link.one, link.kept)];
        return link?.one.why === undefined ? [] : [lineFor(link.one)];
      });
    },
  };
}
