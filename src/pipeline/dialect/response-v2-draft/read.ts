import { readErrorData } from "../../../contract/error-data.ts";
import type { Outcome } from "../../../contract/outcome.ts";
import { readMeta } from "../../../contract/read-meta.ts";
import { type JsonValue, isJsonObject, mapObject } from "../../../json/json-value.ts";
import type { Envelope } from "../envelope-rules.ts";
import { moveOutOfData } from "./metadata-in-data.ts";
import { faultKeys } from "./render.ts";

export function read(json: JsonValue): Outcome {
  const envelope = json as unknown as Envelope;
  if (envelope.success) {
    const { data, meta } = moveOutOfData(envelope.data, envelope.meta);
    return { ok: true, data, notes: readMeta(meta) };
  }
  const { error_data: extra, ...meta } = envelope.meta;
  const about = mapObject(meta, (value, key) => (faultKeys.some((name) => name === key) ? value : undefined));
  const notes = readMeta(mapObject(meta, (value, key) => (Object.hasOwn(about, key) ? undefined : value)));
  const fault = readErrorData(envelope.error ?? "", { ...(isJsonObject(extra) ? extra : {}), ...about });
  return { ok: false, fault, notes };
}
