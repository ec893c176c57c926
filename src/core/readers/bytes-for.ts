// Which pictures and sounds the model behind a client can be given, and what they cost it. A picture that its model
// refuses ends a conversation, because it is sent again with every request.

import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { type Picture, pictureTokens, readPicture, whyRefused } from "./picture.ts";
import { type Reader, lineLimitOf } from "./reader.ts";
import { programReader } from "./readers.ts";

/** What a reader does with bytes; for `fit`, which moves what cannot be sent into the archive. */
export interface ReaderBytes {
  /** Why a block cannot be sent, in words, by its place. */
  readonly refused: (blocks: readonly JsonObject[]) => ReadonlyMap<number, string>;
  /** The tokens of pictures that can be sent. */
  readonly tokens: (blocks: readonly JsonObject[]) => number;
  /** The base64 of a block, in bytes, where it counts towards a limit for the whole message. */
  readonly onLine: (block: JsonObject) => number;
}

/** Undefined for a program, which reads bytes itself, and if nothing is known of the client. */
export function bytesFor(reader: Reader | undefined): ReaderBytes | undefined {
  if (reader === undefined || reader === programReader) return undefined;
  const { pictures: family } = reader;
  const hasLine = lineLimitOf(reader) !== undefined;
  return {
    refused: (blocks) => {
      const amount = blocks.filter(isPicture).length;
      return new Map(
        blocks.flatMap((block, index): [number, string][] => {
          const why =
            whyUnshown(block, reader) ?? (isPicture(block) ? whyBad(block, amount, reader) : undefined);
          return why === undefined ? [] : [[index, why]];
        }),
      );
    },
    tokens: (blocks) =>
      blocks.reduce((sum, block) => {
        const picture = isPicture(block) ? pictureIn(block) : undefined;
        return picture === undefined ? sum : sum + pictureTokens(picture, family);
      }, 0),
    onLine: ({ data, resource }) => {
      const base64 = isJsonObject(resource) ? resource["blob"] : data;
      return hasLine && typeof base64 === "string" ? base64.length : 0;
    },
  };
}

function isPicture({ type }: JsonObject): boolean {
  return type === "image";
}

function whyUnshown({ type }: JsonObject, { drops, asText }: Reader): string | undefined {
  if (type !== "image" && type !== "audio") return undefined;
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

/** The picture in a block, by its header. */
export function pictureIn(block: JsonObject): Picture | undefined {
  const found = known.get(block) ?? { picture: readPicture(textIn(block)) };
  known.set(block, found);
  return found.picture;
}
