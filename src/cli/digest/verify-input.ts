import { DIGEST_CONTENT_TYPE } from "../../core/contract/wire-names.ts";
import { readDocument } from "../../engine/digest/sources/read-document.ts";
import type { VerifySource } from "../../engine/digest/verify-digest.ts";
import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { appendPointer } from "../../core/json/pointer.ts";
import { sha256 } from "../../core/text/sha256.ts";
import { explainFault } from "./explain-fault.ts";
import type { Source, SourceOptions } from "./load-document.ts";

/** The possible texts of a source; each is made once, when it is needed. */
export interface DocumentViews {
  /** The raw text, if it matches the hash: canonical text need not look like text. */
  plain(hash: string): Promise<VerifySource | undefined>;
  read(compat?: "foundry"): Promise<VerifySource>;
}

export function documentViews(
  source: Source,
  { maxBytes, maxPages }: SourceOptions,
  onProgress: ((done: number, total: number) => void) | undefined,
): DocumentViews {
  const { bytes, contentType, fileName: name } = source;
  const hash = once(async () => `sha256:${await sha256(new Uint8Array(bytes))}`);
  const readAs = (compat?: "foundry") =>
    once(() =>
      readDocument(bytes, { contentType, name, maxBytes, maxPages, compat, onProgress }).catch(
        (error: unknown) => {
          throw explainFault(error, source.name, "verify <digest> <source>");
        },
      ),
    );
  const [ours, foundry] = [readAs(), readAs("foundry")];
  return {
    async plain(wanted) {
      if ((await hash()) !== wanted) return undefined;
      const decoded = decodeUtf8(bytes);
      return decoded.ok ? decoded.text : undefined;
    },
    read: (compat) => (compat === undefined ? ours() : foundry()),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

export interface FoundDigest {
  /** JSON Pointer to the digest; empty for the whole JSON. */
  readonly pointer: string;
  /** Not yet checked: it may be an invalid payload. */
  readonly payload: JsonValue;
}

/** Every digest in a JSON value: a payload itself, a source with a payload as text, or a response around either. */
export function findDigests(value: JsonValue, pointer = ""): readonly FoundDigest[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue, index) => findDigests(item, appendPointer(pointer, index)));
  }
  if (!isJsonObject(value)) return [];
  if (value["content_type"] === DIGEST_CONTENT_TYPE) return [{ pointer, payload: payloadOf(value) }];
  return Object.entries(value).flatMap(([key, item]) => findDigests(item, appendPointer(pointer, key)));
}

/** A source has the payload as the text of its `content`; text that is not JSON is judged unchanged. */
function payloadOf(value: JsonObject): JsonValue {
  const { content } = value;
  if (typeof content !== "string" || "source_text_hash" in value) return value;
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return content;
  }
}
