// Where a ready-made answer of a handler (a tool result, an envelope) has the data that the tool's schema is about.
// A plain value is its own data and never comes here.

import { readPayload } from "../../core/schema/payload.ts";
import { isEnvelope } from "../../core/contract/read-envelope.ts";
import { wrapData } from "../../core/contract/write-meta.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { fromResult } from "../../core/pipeline/outcome/from-result.ts";
import { isEnvelopeSchema } from "../../core/schema/envelope-schema.ts";
import { type StandardSchema, jsonSchemaOf } from "../settings/standard-schema.ts";

/** Data to check, and the answer with the schema's output in its place. */
export interface ReturnedData {
  readonly data: unknown;
  readonly withOutput: (output: unknown) => unknown;
}

const hasObjects = new WeakMap<StandardSchema, boolean>();

/** Whether any object conforms: data of a schema that has none stands under `result` in an envelope. */
function takesObjects(schema: StandardSchema): boolean {
  const known = hasObjects.get(schema);
  if (known !== undefined) return known;
  const json = jsonSchemaOf(schema, "output");
  const found = readPayload(json, { tables: false, onNote: () => undefined }).types.has("object");
  hasObjects.set(schema, found);
  return found;
}

function isOfEnvelope(schema: StandardSchema): boolean {
  const json = jsonSchemaOf(schema, "output");
  return json !== undefined && isEnvelopeSchema(json);
}

/** The data of an envelope as the schema describes it: some schemas are about the whole envelope. */
function dataIn(envelope: JsonObject, schema: StandardSchema): unknown {
  if (isOfEnvelope(schema)) return envelope;
  const data = envelope["data"] as JsonObject;
  const isWrapped = Object.keys(data).join() === "result" && !takesObjects(schema);
  return isWrapped ? data["result"] : data;
}

/** The data of an envelope that a handler built; undefined for a failure, which has none. */
export function dataOfEnvelope(envelope: JsonObject, schema: StandardSchema): ReturnedData | undefined {
  if (envelope["success"] !== true) return undefined;
  const data = dataIn(envelope, schema);
  if (data === envelope) return { data, withOutput: (output) => output };
  return { data, withOutput: (output) => ({ ...envelope, data: wrapData(output as JsonValue) }) };
}

/** The data of a ready-made result, which is sent as it is: its structure, else what its text says. */
export function dataOfResult(result: JsonObject, schema: StandardSchema): ReturnedData | undefined {
  const withOutput = (): unknown => result;
  const structured = result["structuredContent"];
  if (result["isError"] === true) return undefined;
  if (structured === undefined) {
    const { outcome } = fromResult(result);
    return outcome.ok ? { data: outcome.data, withOutput } : undefined;
  }
  if (!isJsonObject(structured) || !isEnvelope(structured)) return { data: structured, withOutput };
  return structured["success"] === true ? { data: dataIn(structured, schema), withOutput } : undefined;
}
