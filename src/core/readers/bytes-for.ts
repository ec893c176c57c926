// Which pictures and sounds the model behind a client can be given, and what they cost it. A picture that its model
// refuses ends a conversation, because it is sent again with every request.

import { base64In } from "../contract/block-reference.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import {
  type Picture,
  type SmallerPicture,
  pictureTokens,
  readPicture,
  smallerPicture,
  whyRefused,
} from "./picture.ts";
import { type Reader, lineLimitOf } from "./reader.ts";
import { programReader } from "./readers.ts";
import { soundSeconds, soundTokens } from "./sound.ts";

/** What a reader does with bytes; for `fit`, which moves what cannot be sent into the archive. */
export interface ReaderBytes {
  /** Why a block cannot be sent, in words, by its place. */
  readonly refused: (blocks: readonly JsonObject[]) => ReadonlyMap<number, string>;
  /** The tokens of pictures and sounds that can be sent. */
  readonly tokens: (blocks: readonly JsonObject[]) => number;
  /** What the picture of a block can be scaled to, at most `side` pixels a side, and its tokens then. */
  readonly smaller: (
    block: JsonObject,
    side: number,
  ) => (SmallerPicture & { readonly tokens: number }) | undefined;
  /** The base64 of a block, in bytes, where it counts towards a limit for the whole message. */
  readonly onLine: (block: JsonObject) => number;
}

/**
 * Undefined for a program, which reads bytes itself, and if nothing is known of the client. `seesBlocks`: false for a
 * result of which the model gets the structure alone, where no bytes can be.
 */
export function bytesFor(reader: Reader | undefined, seesBlocks = true): ReaderBytes | undefined {
  // A row may have been copied between threads.
  if (reader === undefined || reader.id === programReader.id) return undefined;
  const { pictures: family, sounds } = reader;
  const hasLine = lineLimitOf(reader) !== undefined;
  const whyUnshown = (block: JsonObject): string | undefined => {
    // The text of an embedded resource becomes a text, its bytes do not.
    if (base64In(block) === undefined) return undefined;
    return seesBlocks ? whyDropped(block, reader) : "this client shows its model the structure alone";
  };
  return {
    refused: (blocks) => {
      const amount = blocks.filter(isPicture).length;
      return new Map(
        blocks.flatMap((block, index): [number, string][] => {
          const why = whyUnshown(block) ?? (isPicture(block) ? whyBad(block, amount, reader) : undefined);
          return why === undefined ? [] : [[index, why]];
        }),
      );
    },
    tokens: (blocks) =>
      blocks.reduce((sum, block) => {
        const picture = isPicture(block) ? pictureIn(block) : undefined;
        if (picture !== undefined) return sum + pictureTokens(picture, family);
        const seconds = sounds !== undefined && block["type"] === "audio" ? secondsIn(block) : 0;
        return sounds === undefined ? sum : sum + soundTokens(seconds, sounds);
      }, 0),
    smaller: (block, side) => {
      const isShown = isPicture(block) && whyUnshown(block) === undefined;
      const picture = isShown ? pictureIn(block) : undefined;
      const smaller = picture && smallerPicture(picture, side, family);
      return smaller && { ...smaller, tokens: pictureTokens(smaller, family) };
    },
    onLine: ({ data, resource }) => {
      const base64 = isJsonObject(resource) ? resource["blob"] : data;
      return hasLine && typeof base64 === "string" ? base64.length : 0;
    },
  };
}

function isPicture({ type }: JsonObject): boolean {
  return type === "image";
}

function whyDropped({ type }: JsonObject, { drops, asText }: Reader): string | undefined {
  if (drops.some((kind) => kind === type)) return "this client does not show it to its model";
  if (asText.some((kind) => kind === type)) return "this client shows its model the bytes as text";
  return undefined;
}

function whyBad(block: JsonObject, amount: number, { pictures: family }: Reader): string | undefined {
  return whyRefused(pictureIn(block), textIn(block).length, amount, family);
}

function textIn({ data }: JsonObject): string {
  return typeof data === "string" ? data : "";
}

/** Headers are read once: a block is looked at by several steps of a call. */
const known = new WeakMap<JsonObject, { readonly picture: Picture | undefined }>();
const lengths = new WeakMap<JsonObject, number>();

function secondsIn(block: JsonObject): number {
  const seconds = lengths.get(block) ?? soundSeconds(textIn(block)) ?? 0;
  lengths.set(block, seconds);
  return seconds;
}

/** The picture in a block, by its header. */
export function pictureIn(block: JsonObject): Picture | undefined {
  const found = known.get(block) ?? { picture: readPicture(textIn(block)) };
  known.set(block, found);
  return found.picture;
}
