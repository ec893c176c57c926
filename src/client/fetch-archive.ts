import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Called } from "./answer.ts";
import type { CallOptions } from "./client-options.ts";
import { ResponseError } from "./response-error.ts";
import type { CallRunner } from "./run-call.ts";

const RANGE_BYTES = 1024 * 1024;
const MAX_RANGES = 100_000;

/** A whole entry of an archive, its hash recomputed here. */
export interface Entry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

type SendOptions = Pick<CallOptions, "signal">;

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Throws when content is not what its hash says, wherever it came from. */
export async function assertHash(
  bytes: Uint8Array<ArrayBuffer>,
  expected: string,
  called: Called,
): Promise<void> {
  const actual = hexOf(await crypto.subtle.digest("SHA-256", bytes));
  if (actual === expected) return;
  throw new ResponseError({
    message: "The archived content is not what its hash says",
    code: "HASH_MISMATCH",
    type: "internal",
    remediation: "Do not use it; call the tool again.",
    details: { tool: called.tool, expected: `sha256:${expected}`, actual: `sha256:${actual}` },
  });
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

function bytesOf({ text, blob }: JsonObject): Uint8Array {
  if (typeof text === "string") return new TextEncoder().encode(text);
  return Uint8Array.from(atob(typeof blob === "string" ? blob : ""), (char) => char.charCodeAt(0));
}

function incomplete(called: Called, says: string): ResponseError {
  return new ResponseError({
    message: `The archived content could not be read whole: ${says}`,
    code: "ARCHIVE_INCOMPLETE",
    type: "unavailable",
    details: { tool: called.tool },
  });
}

/** By the resource, a range at a time: exact bytes, and never a message that a connection would close on. */
async function byResource(
  read: (uri: string, options: SendOptions) => Promise<unknown>,
  hash: string,
  called: Called,
  options: SendOptions,
): Promise<Entry> {
  const parts: Uint8Array[] = [];
  let contentType = "application/json";
  let next = 0;
  for (let range = 0; range < MAX_RANGES; range++) {
    const answer = await read(`waybill://archive/${hash}/${next}/${next + RANGE_BYTES}`, options);
    const [contents] = isJsonObject(answer) && Array.isArray(answer["contents"]) ? answer["contents"] : [];
    const meta = isJsonObject(contents) ? contents["_meta"] : undefined;
    const place = isJsonObject(meta) ? meta["waybill/archive"] : undefined;
    if (!isJsonObject(contents) || !isJsonObject(place)) throw incomplete(called, "a range is missing");
    const { to, bytes } = place;
    if (typeof contents["mimeType"] === "string" && next === 0) contentType = contents["mimeType"];
    parts.push(bytesOf(contents));
    if (typeof to !== "number" || typeof bytes !== "number") throw incomplete(called, "a range has no place");
    if (to >= bytes) return { bytes: join(parts), contentType };
    if (to <= next) throw incomplete(called, "its ranges do not advance");
    next = to;
  }
  throw incomplete(called, "it has too many ranges");
}

/** By the tool, for those who can do nothing but call tools: the whole value, or the slices of its text. */
async function byTool(
  runner: CallRunner,
  hash: string,
  called: Called,
  options: SendOptions,
): Promise<Entry> {
  const texts: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_RANGES; page++) {
    const args = { archive: hash, pointer: "", ...(cursor === undefined ? {} : { cursor }) };
    const { data, pagination } = await runner.run(
      { tool: "waybill_retrieve", args },
      { ...options, repeatable: true },
    );
    const items =
      isJsonObject(data) && Array.isArray(data["items"]) ? data["items"].filter(isJsonObject) : [];
    for (const item of items) {
      texts.push(typeof item["text"] === "string" ? item["text"] : JSON.stringify(item["value"]));
    }
    const next = pagination?.cursor ?? undefined;
    if (next === undefined) break;
    if (next === cursor || items.length === 0) throw incomplete(called, "its pages do not advance");
    cursor = next;
  }
  return { bytes: join([new TextEncoder().encode(texts.join(""))]), contentType: "application/json" };
}

/** The whole of an archived entry, fetched and verified. */
export async function fetchArchive(
  runner: CallRunner,
  hash: string,
  called: Called,
  options: SendOptions = {},
): Promise<Entry> {
  const { readResource } = runner.connection;
  const digits = hash.replace(/^sha256:/, "");
  const entry =
    readResource === undefined
      ? await byTool(runner, digits, called, options)
      : await byResource(readResource, digits, called, options).catch((error: unknown) => {
          options.signal?.throwIfAborted();
          if (ResponseError.isInstance(error) && error.code === "HASH_MISMATCH") throw error;
          // A server behind a proxy that hides resources still has the tool.
          return byTool(runner, digits, called, options);
        });
  await assertHash(entry.bytes, digits, called);
  return entry;
}
