import { base64In } from "../../contract/block-reference.ts";
import type { JsonObject } from "../../json/json-value.ts";
import type { CutPart, KeptPart, Parcel } from "../parcel.ts";
import type { FitContext, PictureCopy } from "../pipeline-context.ts";
import {
  LINK_DIGITS,
  type Linked,
  bytesOf,
  chooseBlocks,
  chooseLinked,
  linkTo,
  roomForBlocks,
  textAt,
  typeOf,
} from "./choose-blocks.ts";
import type { Omission } from "./omission.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";

/** The blocks that will be sent, and what must be archived for it. */
export interface BlockPlan {
  readonly parts: readonly CutPart[];
  readonly omissions: readonly Omission[];
  /** The digits in the links of kept parts, which are charged separately. */
  readonly digitBytes: number;
  /** The blocks for the parts that were kept, in the order of `parts`. */
  build(kept: readonly (KeptPart | undefined)[]): readonly JsonObject[];
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

interface Moved extends Linked {
  readonly index: number;
  readonly part: CutPart;
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
  copy: PictureCopy | undefined,
): Moved {
  const type = typeOf(block);
  const source = type === "resource" ? block["resource"] : block;
  const base64 = base64In(block);
  const text = type === "resource" || type === "text" ? textAt(source, "text") : undefined;
  // A block with neither bytes nor a text is kept as JSON, whatever type it names.
  const isJson = base64 === undefined && text === undefined;
  const mimeType = isJson ? "application/json" : textAt(source, "mimeType");
  const content = base64 === undefined ? (text ?? JSON.stringify(block)) : decodeBase64(base64);
  const contentType = blockType(mimeType ?? (text === undefined ? "application/octet-stream" : "text/plain"));
  const name = `${type}-${index}`;
  return {
    index,
    name,
    part: { name, content: [content], contentType },
    size: typeof content === "string" ? byteLength(content) : content.length,
    mimeType,
    why,
    copy,
  };
}

/** For a model that cannot be given the bytes, where there is no archive for them either. */
function lineFor({ name, mimeType, why = "", copy }: Moved): JsonObject {
  const named = mimeType === undefined ? name : `${name}, ${mimeType}`;
  const said =
    copy === undefined ? `not sent: ${why}; it was not kept` : `sent ${copy.says}; the original was not kept`;
  return { type: "text", text: `[${named}, ${said}]` };
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

export function planBlocks(parcel: Parcel, fitting: FitContext, scale: ParcelWeigher): BlockPlan {
  const { blocks } = parcel;
  if (blocks === undefined || blocks.length === 0)
    return { parts: [], omissions: [], digitBytes: 0, build: () => [] };
  const room = roomForBlocks(parcel, fitting, scale);
  const { reasons, scaled, left } = chooseBlocks(blocks, fitting, scale, room);
  const moved = [...reasons]
    .sort(([a], [b]) => a - b)
    .map(([index, why]) => {
      const copy = scaled.has(index) ? fitting.copies?.get(index) : undefined;
      return moveBlock(blocks[index] ?? {}, index, why, fitting, copy);
    });
  const linked = chooseLinked(blocks, moved, scale, left);
  const others = moved.filter((one) => !linked.includes(one)).map(({ index }) => index);
  return {
    parts: [...linked.map(({ part }) => part), ...keepTogether(blocks, others)],
    omissions: moved.map(({ index }) => ({ kind: "part", id: nameOf(index) })),
    digitBytes: linked.length * LINK_DIGITS,
    build: (kept) => {
      const links = new Map(linked.map((one, place) => [one.index, { one, kept: kept[place] }]));
      return blocks.flatMap((block, index) => {
        if (!reasons.has(index)) return [block];
        const { one, kept } = links.get(index) ?? {};
        if (one === undefined) return [];
        const copy = one.copy === undefined ? [] : [one.copy.block];
        if (kept !== undefined) return [...copy, linkTo(block, one, kept.hash)];
        return one.why === undefined && one.copy === undefined ? [] : [...copy, lineFor(one)];
      });
    },
  };
}
