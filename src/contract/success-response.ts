import { type JsonValue } from "../json/json-value.ts";
import { type DataOf, type SuccessEnvelope, wrapData } from "./envelope.ts";
import { type NoteOptions, assertJson, notesFromOptions, sealMeta } from "./note-options.ts";
import { writeMeta } from "./write-meta.ts";

export type SuccessOptions = NoteOptions;

/**
 * A successful response-v2 envelope.
 *
 * @example
 * successResponse({ tasks: [] }, { warnings: ["The index is being rebuilt"] });
 */
export function successResponse<Value = undefined>(
  data?: Value,
  options: SuccessOptions = {},
): SuccessEnvelope<DataOf<Value>> {
  if (data !== undefined) assertJson(data, "data");
  const meta = sealMeta(writeMeta(notesFromOptions(options), { emitEmpty: options.emitEmpty ?? false }));
  const payload = wrapData(data as JsonValue | undefined);
  return Object.freeze({ success: true, data: payload, error: null, meta }) as unknown as SuccessEnvelope<
    DataOf<Value>
  >;
}
