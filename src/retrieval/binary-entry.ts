import type { JsonObject } from "../json/json-value.ts";
import type { ArchiveEntry } from "../stores/archive-store.ts";
import { archiveUri } from "./archive-reference.ts";
import { type EntrySource, readBytes } from "./read-entry.ts";
import { MAX_RESOURCE_BYTES } from "./archive-resource.ts";
import { toBase64 } from "./to-base64.ts";

/** Bytes no model can page through: whole where they fit, else where to read them. */
export async function binaryEntry(
  source: EntrySource,
  entry: ArchiveEntry,
  fits: (data: JsonObject) => boolean,
): Promise<JsonObject> {
  const about = { archive: `sha256:${entry.hash}`, content_type: entry.contentType, bytes: entry.bytes };
  const end = Math.min(entry.bytes, MAX_RESOURCE_BYTES);
  const uri = end < entry.bytes ? archiveUri(entry.hash, { start: 0, end }) : archiveUri(entry.hash);
  const elsewhere = { ...about, verified: false, read_resource: uri };
  if (entry.bytes > MAX_RESOURCE_BYTES) return elsewhere;
  const whole = { ...about, verified: true, base64: toBase64(await readBytes(source, entry)) };
  return fits(whole) ? whole : elsewhere;
}
