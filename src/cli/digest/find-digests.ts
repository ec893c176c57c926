import { DIGEST_CONTENT_TYPE } from "../../contract/digest-type.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";

export interface FoundDigest {
  /** Where it stands in the JSON; empty for the whole of it. */
  readonly pointer: string;
  /** Not yet judged: it may be no valid payload. */
  readonly payload: JsonValue;
}

/** Every digest in a JSON value: a payload itself, a source that carries one as text, or a response around either. */
export function findDigests(value: JsonValue, pointer = ""): readonly FoundDigest[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue, index) => findDigests(item, appendPointer(pointer, index)));
  }
  if (!isJsonObject(value)) return [];
  if (value["content_type"] === DIGEST_CONTENT_TYPE) return [{ pointer, payload: payloadOf(value) }];
  return Object.entries(value).flatMap(([key, item]) => findDigests(item, appendPointer(pointer, key)));
}

/** A source has the payload as the text of its `content`; text that is no JSON is judged as what it is. */
function payloadOf(value: JsonObject): JsonValue {
  const { content } = value;
  if (typeof content !== "string" || "source_text_hash" in value) return value;
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return content;
  }
}
