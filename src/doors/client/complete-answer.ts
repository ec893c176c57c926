import { resolveReferences } from "../../core/contract/block-reference.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type JsonValue, isJsonObject, type JsonObject } from "../../core/json/json-value.ts";
import { type Answer, failuresIn } from "./answer.ts";
import type { CompleteOptions } from "./client-options.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import type { CallRunner } from "./call-runner.ts";
import { ARCHIVE_META_KEY, archiveUri } from "../../core/contract/wire-names.ts";
import {
  type FetchCause,
  type Fetching,
  incomplete,
  late,
  hashMismatch,
  archiveTooLarge,
  retrievalTool,
} from "./archive-faults.ts";
import type { SendLimits } from "./connection.ts";
import {
  type TextPiece,
  asArchived,
  itemsIn,
  joinPieces,
  pieceOf,
} from "../../core/pipeline/archive/archived-bytes.ts";
import { type Bytes, decodeBase64, encode, join, sha256 } from "../../core/text/bytes.ts";

/** The prefix in the names of moved blocks. */
const BLOCK_NAME = "#content/";

/** Warnings about a cut, which are no longer true of the whole. */
const cutWarnings = [
  "CONTENT_TRUNCATED",
  "CONTENT_DROPPED",
  "ARCHIVE_WRITE_FAILED",
  "FALLBACK_USED",
  "WHITESPACE_DROPPED",
];

function isBlockList(value: JsonValue): boolean {
  const [first] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return isJsonObject(first) && typeof first["id"] === "string" && first["id"].startsWith(BLOCK_NAME);
}

/** The data in an entry, and its text if that is formatted differently from ours; undefined for a moved block. */
function dataIn(bytes: Uint8Array): { readonly data: JsonValue; readonly text?: string } | undefined {
  try {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const data = JSON.parse(text) as JsonValue;
    if (isBlockList(data)) return undefined;
    return typeof data === "object" && JSON.stringify(data) !== text ? { data, text } : { data };
  } catch {
    return undefined;
  }
}

/** Moved blocks are kept beside the data; only what is missing in the data needs completing. */
export function isDataCut({ fidelity, dropped }: Answer): boolean {
  return (
    fidelity !== "full" && (dropped.length === 0 || dropped.some((name) => !name.startsWith(BLOCK_NAME)))
  );
}

/** The data is whole, but without its spaces: the server's own text is archived under this name. */
function hasOwnText({ fidelity, archives }: Answer): boolean {
  return fidelity === "full" && Object.keys(archives)[0]?.startsWith("own-text-") === true;
}

export function nothingKept({ called, requestId }: Answer): ResponseError {
  return new ResponseError(
    {
      message: `What ${called.tool} left out was not kept`,
      code: "NOT_FOUND",
      type: "not_found",
      remediation: "Call the tool again with narrower arguments.",
      details: { resource_type: "archive", tool: called.tool },
    },
    { requestId },
  );
}

export function assertAnswer(answer: Partial<Answer> | undefined): void {
  if (answer?.ok === true && answer.archives !== undefined) return;
  throw new ContractError(
    "INVALID_OPTION",
    "complete(), retrieve() and ask() take the answer of a call: await it, and look at `ok` first.",
  );
}

/** The hash of the text that a digest replaces; that text is archived beside the whole and is not the whole. */
function digestedText(data: unknown): unknown {
  const omitted = isJsonObject(data) ? data["omitted"] : undefined;
  const digest = isJsonObject(omitted) ? omitted["digest"] : undefined;
  return isJsonObject(digest) ? digest["source_text_hash"] : undefined;
}

/** The contract's rule: the first entry of `content_archive_hashes` is the whole. */
export function wholeHash({ archives, data }: Answer): string | undefined {
  const [first] = Object.values(archives);
  return first === digestedText(data) ? undefined : first;
}

/** The answer before it was cut, equal to what the tool returned, however often it was cut on the way. */
export async function completeAnswer(
  runner: CallRunner,
  answer: Answer,
  options: CompleteOptions = {},
): Promise<Answer> {
  assertAnswer(answer);
  if (!isDataCut(answer) && !hasOwnText(answer)) return answer;
  const hash = wholeHash(answer);
  if (hash === undefined) throw nothingKept(answer);
  const found = dataIn(await fetchArchive(runner, hash, answer, options));
  if (found === undefined) throw nothingKept(answer);
  const data = resolveReferences(found.data, answer.blocks);
  const { fidelity: _fidelity, ...rest } = answer.notes;
  const warnings = answer.warnings.filter(
    // The FALLBACK_USED of a cut has no context; one with a context is about the data, such as a summariser's.
    ({ code = "", context }) =>
      !cutWarnings.includes(code) || (code === "FALLBACK_USED" && context !== undefined),
  );
  const notes = { ...rest, warnings };
  return {
    ...answer,
    ...found,
    data,
    notes,
    warnings,
    fidelity: "full",
    dropped: [],
    archives: {},
    keptByGateway: [],
    failures: failuresIn(data),
  };
}

const RANGE_BYTES = 1024 * 1024;
const MAX_RANGES = 100_000;
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;

/** The bytes of a range; undefined if it is neither text nor base64, or longer than requested. */
function bytesOf({ text, blob }: JsonObject): Bytes | undefined {
  const sent = typeof text === "string" ? text : blob;
  // Base64 takes four characters for three bytes. Checked first, so that a range that is too long is not decoded.
  if (typeof sent !== "string" || sent.length > RANGE_BYTES * 1.5) return undefined;
  try {
    return typeof text === "string" ? encode(text) : decodeBase64(sent);
  } catch {
    return undefined;
  }
}

interface Range {
  readonly bytes: Bytes;
  readonly to: number;
  readonly total: number;
}

/** A range with its position; the stated position must match the request and the number of bytes. */
function rangeIn(contents: JsonObject, place: JsonObject, next: number, { cause }: Fetching): Range {
  const { from = next, to, bytes: total } = place;
  if (!Number.isSafeInteger(to) || !Number.isSafeInteger(total))
    throw incomplete(cause, "a range has no place");
  const [end, size] = [Number(to), Number(total)];
  if (end < size && end <= next) throw incomplete(cause, "its ranges do not advance");
  const bytes = bytesOf(contents);
  if (from !== next || end > size || bytes?.byteLength !== end - next)
    throw incomplete(cause, "a range is not as long as it says, or not the one that was asked for");
  return { bytes, to: end, total: size };
}

/** Abandons the work when the signal aborts: a client may ignore its signal. */
function orStop<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Fetches by the resource, a range at a time: exact bytes, and no message large enough to close a connection. */
async function byResource(
  read: (uri: string, options: SendLimits) => Promise<unknown>,
  fetching: Fetching,
  timeoutMs: number | undefined,
): Promise<Bytes> {
  const { cause, hash, signal, maxBytes } = fetching;
  const parts: Uint8Array[] = [];
  let next = 0;
  let size: number | undefined;
  for (let count = 0; count < MAX_RANGES; count++) {
    const uri = archiveUri(hash, { start: next, end: next + RANGE_BYTES });
    const answer = await orStop(read(uri, { signal, timeoutMs }), signal);
    const [contents] = isJsonObject(answer) && Array.isArray(answer["contents"]) ? answer["contents"] : [];
    const meta = isJsonObject(contents) ? contents["_meta"] : undefined;
    const place = isJsonObject(meta) ? meta[ARCHIVE_META_KEY] : undefined;
    // The resource may be missing because of a proxy; the tool may still be available.
    if (!isJsonObject(contents) || !isJsonObject(place)) throw new Error("A range is missing");
    const { bytes, to, total } = rangeIn(contents, place, next, fetching);
    size ??= total;
    if (total !== size) throw incomplete(cause, "its size changes from range to range");
    if (size > maxBytes) throw archiveTooLarge(fetching);
    parts.push(bytes);
    if (to >= size) return join(parts);
    next = to;
  }
  throw incomplete(cause, "it has too many ranges");
}

/** Fetches by the tool, for connections that can only call tools: the whole value, or the slices of its text. */
async function byTool(runner: CallRunner, fetching: Fetching): Promise<Bytes> {
  const { cause, hash, signal, maxBytes } = fetching;
  const tool = await retrievalTool(runner, cause);
  const pieces: TextPiece[] = [];
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_RANGES; page++) {
    const args = { archive: hash, pointer: "", ...(cursor === undefined ? {} : { cursor }) };
    const call = { ...(signal && { signal }), repeatable: true };
    const { data, pagination } = await runner.run({ tool, args }, call);
    const base64 = isJsonObject(data) ? data["base64"] : undefined;
    if (typeof base64 === "string" && base64.length * 0.75 > maxBytes + 2) throw archiveTooLarge(fetching);
    if (typeof base64 === "string") return decodeBase64(base64);
    const items = itemsIn(data);
    for (const item of items) {
      const piece = pieceOf(item, pieces.at(-1));
      if (piece === undefined)
        throw incomplete(cause, "a slice is not as long as it says, or not the next one");
      // A character has at least one byte. If an item claims to be longer than the limit, the claim is believed.
      characters += piece.text.length;
      if (Math.max(characters, piece.of ?? 0) > maxBytes) throw archiveTooLarge(fetching);
      pieces.push(piece);
    }
    const next = pagination?.cursor ?? undefined;
    if (next === undefined) return asArchived(joinPieces(pieces), hash);
    if (next === cursor || items.length === 0) throw incomplete(cause, "its pages do not advance");
    cursor = next;
  }
  throw incomplete(cause, "it has too many pages");
}

async function fetchBytes(runner: CallRunner, fetching: Fetching): Promise<Bytes> {
  const { readResource } = runner.connection;
  if (readResource === undefined) return byTool(runner, fetching);
  try {
    return await byResource(readResource, fetching, runner.options.timeoutMs);
  } catch (error) {
    fetching.signal?.throwIfAborted();
    // A wrong size ends the fetching. A server behind a proxy that hides resources still offers the tool.
    if (ResponseError.isInstance(error)) throw error;
    return byTool(runner, fetching);
  }
}

/**
 * The whole of an archived entry, fetched, and verified here regardless of the sender. Limited in bytes and time; it
 * stops as soon as the server reports a wrong size.
 */
async function fetchArchive(
  runner: CallRunner,
  hash: string,
  cause: FetchCause,
  options: CompleteOptions = {},
): Promise<Bytes> {
  const { signal, timeoutMs } = options;
  const maxBytes = options.maxArchiveBytes ?? runner.options.maxArchiveBytes ?? MAX_ARCHIVE_BYTES;
  const clock = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, clock].filter((one) => one !== undefined);
  const fetching = {
    cause,
    hash: hash.replace(/^sha256:/, ""),
    maxBytes,
    signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
  };
  try {
    const bytes = await fetchBytes(runner, fetching);
    if (bytes.byteLength > maxBytes) throw archiveTooLarge(fetching);
    const actual = await sha256(bytes);
    if (actual !== fetching.hash) throw hashMismatch(cause, fetching.hash, actual);
    return bytes;
  } catch (error) {
    signal?.throwIfAborted();
    if (timeoutMs !== undefined && clock?.aborted === true && !isOurs(error)) throw late(cause, timeoutMs);
    throw error;
  }
}

/** An error found before the timeout says more than the timeout. */
function isOurs(error: unknown): boolean {
  return (
    ResponseError.isInstance(error) &&
    ["TOO_LARGE", "ARCHIVE_INCOMPLETE", "HASH_MISMATCH"].includes(error.code)
  );
}
