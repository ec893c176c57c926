import { existsSync, readFileSync, readdirSync } from "node:fs";
import type { JsonValue } from "../../src/core/json/json-value.ts";

/** A real tool result: the file as it was given, and the value in it. */
export interface Payload {
  readonly name: string;
  readonly text: string;
  readonly value: JsonValue;
}

const folder = new URL("../../../shared/data/payloads/", import.meta.url);

/** Whether the payloads are here; where they are required their absence is a failure, else one line says so. */
export const hasPayloads = existsSync(folder);
export const arePayloadsRequired = process.env["WAYBILL_REQUIRE_DATA"] === "1";
if (!hasPayloads) process.stderr.write("skipped: no payloads in ../shared/data/payloads\n");

const files = hasPayloads ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];

export const payloads: readonly Payload[] = files.map((file) => {
  const text = readFileSync(new URL(file, folder), "utf8");
  return { name: file.slice(0, -".json".length), text, value: JSON.parse(text) as JsonValue };
});

/** A payload that is a list, and its records. */
export interface ListPayload extends Payload {
  readonly records: readonly JsonValue[];
}

export const listPayloads: readonly ListPayload[] = payloads.flatMap((payload) =>
  Array.isArray(payload.value) ? [{ ...payload, records: payload.value as readonly JsonValue[] }] : [],
);
