import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import type { CutPart, FitContext, KeptPart } from "../parcel.ts";
import type { Omission } from "./omission.ts";
import type { Scale } from "./scale.ts";

/** Blocks beside the words may take this share of the budget; the words themselves get the rest. */
const BLOCK_SHARE = 0.5;

/** Blocks as they will be sent, and what had to go to the archive for it. */
export interface BlockPlan {
  readonly parts: readonly CutPart[];
  readonly omissions: readonly Omission[];
  /** The blocks for the parts that were kept, in the order of `parts`. */
  build(kept: readonly (KeptPart | undefined)[]): readonly JsonObject[];
}

function base64Of(block: JsonObject): string | undefined {
  const { data, resource } = block;
  if (typeof data === "string") return data;
  const blob = isJsonObject(resource) ? resource["blob"] : undefined;
  return typeof blob === "string" ? blob : undefined;
}

function bytesOf(block: JsonObject): number {
  return Math.floor(((base64Of(block)?.length ?? 0) * 3) / 4);
}

export function hasLargeBlob(blocks: readonly JsonObject[] = [], maxBytes: number | "off"): boolean {
  return maxBytes !== "off" && blocks.some((block) => bytesOf(block) > maxBytes);
}

/** The text of a block that a model may be shown; the bytes of images and sounds are none. */
export function blockText(block: JsonObject): string {
  const { type, data: _data, ...rest } = block;
  if (type === "image" || type === "audio") return JSON.stringify({ type, ...rest });
  const { resource } = block;
  if (!isJsonObject(resource) || resource["blob"] === undefined) return JSON.stringify(block);
  const { blob: _blob, ...shown } = resource;
  return JSON.stringify({ ...rest, type: type ?? "resource", resource: shown });
}

interface Moved {
  readonly index: number;
  readonly part: CutPart;
  readonly size: number;
  readonly mimeType: string | undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

function moveBlock(block: JsonObject, index: number, { decodeBase64 }: FitContext): Moved {
  const source = isJsonObject(block["resource"]) ? block["resource"] : block;
  const base64 = base64Of(block);
  const text = textAt(source, "text");
  const mimeType = textAt(source, "mimeType");
  const content = base64 === undefined ? (text ?? JSON.stringify(block)) : decodeBase64(base64);
  const contentType = mimeType ?? (text === undefined ? "application/octet-stream" : "text/plain");
  const type = textAt(block, "type") ?? "block";
  return {
    index,
    part: { name: `${type}-${index}`, content: [content], contentType },
    size: content.length,
    mimeType,
  };
}

/** A link to what was moved, in the place it had. */
function linkTo(block: JsonObject, { part, size, mimeType }: Moved, { hash }: KeptPart): JsonObject {
  const resource = block["resource"];
  const name = textAt(resource, "uri") ?? textAt(block, "uri") ?? part.name;
  return {
    type: "resource_link",
    uri: `waybill://archive/${hash}`,
    name,
    ...(mimeType === undefined ? {} : { mimeType }),
    size,
  };
}

/** The blocks too large to travel: over the limit for bytes, then the heaviest texts until the rest has room. */
function chooseMoved(blocks: readonly JsonObject[], { maxBlobBytes }: FitContext, scale: Scale): Set<number> {
  const moved = new Set<number>();
  const weights = blocks.map((block, index) => {
    if (maxBlobBytes !== "off" && bytesOf(block) > maxBlobBytes) moved.add(index);
    return moved.has(index) ? 0 : scale.gauge.weigh(blockText(block), scale.budget);
  });
  let sum = weights.reduce((total, weight) => total + weight, 0);
  const heaviest = weights.map((weight, index) => ({ weight, index })).sort((a, b) => b.weight - a.weight);
  for (const { weight, index } of heaviest) {
    if (sum <= scale.budget * BLOCK_SHARE) break;
    moved.add(index);
    sum -= weight;
  }
  return moved;
}

/** Links have a weight too: beyond this many, what was moved is named but not linked. */
const MAX_LINKS = 16;

export function planBlocks(
  blocks: readonly JsonObject[] | undefined,
  fitting: FitContext,
  scale: Scale,
): BlockPlan {
  if (blocks === undefined || blocks.length === 0) return { parts: [], omissions: [], build: () => [] };
  const chosen = chooseMoved(blocks, fitting, scale);
  const moved = blocks.flatMap((block, index) =>
    chosen.has(index) ? [moveBlock(block, index, fitting)] : [],
  );
  const linked = moved.slice(0, MAX_LINKS);
  return {
    parts: linked.map(({ part }) => part),
    omissions: moved.map(({ index }) => ({ kind: "part", id: `#content/${index}` })),
    build: (kept) => {
      const links = new Map(linked.map((one, place) => [one.index, { one, kept: kept[place] }]));
      return blocks.flatMap((block, index) => {
        if (!chosen.has(index)) return [block];
        const link = links.get(index);
        return link?.kept === undefined ? [] : [linkTo(block, link.one, link.kept)];
      });
    },
  };
}
