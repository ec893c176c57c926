import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { Answer } from "./answer.ts";
import type { CallOptions } from "./client-options.ts";
import { ResponseError } from "./response-error.ts";
import type { CallRunner } from "./run-call.ts";
import { sha256 } from "../text/sha256.ts";

const RANGE_BYTES = 1024 * 1024;
const MAX_RANGES = 100_000;

type Bytes = Uint8Array<ArrayBuffer>;
type SendOptions = Pick<CallOptions, "signal">;
type Cause = Pick<Answer, "called" | "requestId">;

function fail(
  { called, requestId }: Cause,
  fault: {
    readonly code: string;
    readonly type: string;
    readonly message: string;
    readonly remediation: string;
  },
  details: JsonObject = {},
): ResponseError {
  const notes = requestId === undefined ? {} : { requestId };
  return new ResponseError({ ...fault, details: { tool: called.tool, ...details } }, notes);
}

function mismatch(cause: Cause, expected: string, actual: string): ResponseError {
  const fault = {
    message: "The archived content is not what its hash says",
    code: "HASH_MISMATCH",
    type: "internal",
    remediation: "Do not use it; call the tool again.",
  };
  return fail(cause, fault, { expected: `sha256:${expected}`, actual: `sha256:${actual}` });
}

function incomplete(cause: Cause, says: string): ResponseError {
  return fail(cause, {
    message: `The archived content could not be read whole: ${says}`,
    code: "ARCHIVE_INCOMPLETE",
    type: "unavailable",
    remediation: "Try again, or call the tool with narrower arguments.",
  });
}

function join(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

function encode(text: string): Bytes {
  return join([new TextEncoder().encode(text)]);
}

function decodeBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function bytesOf({ text, blob }: JsonObject): Bytes {
  return typeof text === "string" ? encode(text) : decodeBase64(typeof blob === "string" ? blob : "");
}

/** By the resource, a range at a time: exact bytes, and never a message that a connection would close on. */
async function byResource(
  read: (uri: string, options: SendOptions) => Promise<unknown>,
  hash: string,
  cause: Cause,
  options: SendOptions,
): Promise<Bytes> {
  const parts: Uint8Array[] = [];
  let next = 0;
  for (let range = 0; range < MAX_RANGES; range++) {
    const answer = await read(`waybill://archive/${hash}/${next}/${next + RANGE_BYTES}`, options);
    const [contents] = isJsonObject(answer) && Array.isArray(answer["contents"]) ? answer["contents"] : [];
    const meta = isJsonObject(contents) ? contents["_meta"] : undefined;
    const place = isJsonObject(meta) ? meta["waybill/archive"] : undefined;
    if (!isJsonObject(contents) || !isJsonObject(place)) throw incomplete(cause, "a range is missing");
    const { to, bytes } = place;
    parts.push(bytesOf(contents));
    if (typeof to !== "number" || typeof bytes !== "number") throw incomplete(cause, "a range has no place");
    if (to >= bytes) return join(parts);
    if (to <= next) throw incomplete(cause, "its ranges do not advance");
    next = to;
  }
  throw incomplete(cause, "it has too many ranges");
}

function itemsIn(data: JsonValue): readonly JsonObject[] {
  const items = isJsonObject(data) ? data["items"] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

function pieceOf({ text, value }: JsonObject): string {
  return typeof text === "string" ? text : JSON.stringify(value ?? null);
}

/** The text of the whole: the tool gives a list item by item, and an item that is too large in slices, one by one. */
function joinItems(items: readonly JsonObject[]): string {
  const isList = items[0]?.["pointer"] !== "";
  const pieces = items.map((item, index) => {
    const isSame = index === 0 || items[index - 1]?.["pointer"] === item["pointer"];
    return `${isList && !isSame ? "," : ""}${pieceOf(item)}`;
  });
  return isList ? `[${pieces.join("")}]` : pieces.join("");
}

/** By the tool, for those who can do nothing but call tools: the whole value, or the slices of its text. */
async function byTool(runner: CallRunner, hash: string, cause: Cause, options: SendOptions): Promise<Bytes> {
  const found: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_RANGES; page++) {
    const args = { archive: hash, pointer: "", ...(cursor === undefined ? {} : { cursor }) };
    const call = { ...options, repeatable: true };
    const { data, pagination } = await runner.run({ tool: "waybill_retrieve", args }, call);
    const base64 = isJsonObject(data) ? data["base64"] : undefined;
    if (typeof base64 === "string") return decodeBase64(base64);
    const items = itemsIn(data);
    found.push(...items);
    const next = pagination?.cursor ?? undefined;
    if (next === undefined) return asArchived(joinItems(found), hash);
    if (next === cursor || items.length === 0) throw incomplete(cause, "its pages do not advance");
    cursor = next;
  }
  throw incomplete(cause, "it has too many pages");
}

/** The tool shows lists where the archive has tables: what has not the hash as it is may have it when encoded again. */
async function asArchived(text: string, hash: string): Promise<Bytes> {
  const bytes = encode(text);
  if ((await sha256(bytes)) === hash) return bytes;
  const { encodeTables } = await import("../json/table/encode-tables.ts");
  try {
    const value = JSON.parse(text) as JsonValue;
    // A changed text that reads the same, such as 1E5 for 1e5, is a changed text.
    if (JSON.stringify(value) !== text) return bytes;
    const tables = encode(JSON.stringify(encodeTables(value)));
    return (await sha256(tables)) === hash ? tables : bytes;
  } catch {
    return bytes;
  }
}

/** The whole of an archived entry, fetched, and verified here whoever sent it. */
export async function fetchArchive(
  runner: CallRunner,
  hash: string,
  cause: Cause,
  options: SendOptions = {},
): Promise<Bytes> {
  const { readResource } = runner.connection;
  const digits = hash.replace(/^sha256:/, "");
  const bytes =
    readResource === undefined
      ? await byTool(runner, digits, cause, options)
      : await byResource(readResource, digits, cause, options).catch((error: unknown) => {
          options.signal?.throwIfAborted();
          // A server behind a proxy that hides resources still has the tool.
          return byTool(runner, digits, cause, options).catch((second: unknown) => {
            options.signal?.throwIfAborted();
            throw ResponseError.isInstance(error) ? error : second;
          });
        });
  const actual = await sha256(bytes);
  if (actual !== digits) throw mismatch(cause, digits, actual);
  return bytes;
}
