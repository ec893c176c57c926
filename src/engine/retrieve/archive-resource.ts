import { faults } from "../../core/contract/faults.ts";
import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import { type EntrySource, isTextType, readEntryBytes, toBase64 } from "./read-entry.ts";
import { ARCHIVE_META_KEY, ARCHIVE_SCHEME, archiveUri } from "../../core/contract/wire-names.ts";
import { archiveNotFound, askStore, resolveArchive } from "./resolve-archive.ts";
import { refuseArgument } from "./argument-forms.ts";

/** The most that one MCP message carries: the SDKs close a connection whose line exceeds 10 MiB. */
export const MAX_RESOURCE_BYTES = 1024 * 1024;
/** A link to an image must be readable as one piece, so bytes may be longer than text: 4 MiB are 5.6 in base64. */
const MAX_BLOB_BYTES = 4 * MAX_RESOURCE_BYTES;

function maxWhole({ contentType }: ArchiveEntry): number {
  return isTextType(contentType) ? MAX_RESOURCE_BYTES : MAX_BLOB_BYTES;
}

export const resourceTemplates = [
  {
    uriTemplate: `${ARCHIVE_SCHEME}{hash}`,
    name: "waybill-archive",
    description:
      "The whole of a result that was cut, up to 1 MiB of text or 4 MiB of bytes, checked against its sha256.",
    mimeType: "application/json",
  },
  {
    uriTemplate: `${ARCHIVE_SCHEME}{hash}/{start}/{end}`,
    name: "waybill-archive-range",
    description:
      "Bytes of an archived result from start up to, not including, end; at most 1 MiB. Neighbouring ranges join.",
    mimeType: "text/plain",
  },
] as const;

interface Contents {
  readonly uri: string;
  readonly mimeType: string;
  readonly _meta: JsonObject;
}

export type ResourceContents = Contents & ({ readonly text: string } | { readonly blob: string });

interface Part {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly isVerified: boolean;
}

const PATH = /^waybill:\/\/archive\/([^/?#]+)(?:\/(\d{1,15})\/(\d{1,15}))?$/i;

/** Reads `waybill://archive/{hash}` or a range of it; throws a fault if there is nothing to return. */
export async function readArchiveResource(
  uri: string,
  asked: EntrySource,
): Promise<{ readonly contents: readonly ResourceContents[] }> {
  const path = PATH.exec(uri);
  if (path === null) {
    const says = "The URI is not waybill://archive/{hash} or waybill://archive/{hash}/{start}/{end}.";
    throw refuseArgument("uri", "archive URI", says);
  }
  const [, reference = "", start, end] = path;
  const { entry, tenant } = await resolveArchive(asked, reference);
  const source = { ...asked, tenant };
  const isWhole = start === undefined || (Number(start) === 0 && Number(end) >= entry.bytes);
  const part =
    isWhole && (start === undefined || entry.bytes <= MAX_RESOURCE_BYTES)
      ? await readWhole(source, entry)
      : await readRange(source, entry, Number(start), Number(end));
  return { contents: [toContents(uri, entry, part, start === undefined)] };
}

async function readWhole(source: EntrySource, entry: ArchiveEntry): Promise<Part> {
  if (entry.bytes > maxWhole(entry)) {
    const first = archiveUri(entry.hash, { start: 0, end: MAX_RESOURCE_BYTES });
    throw faults.validation(
      `The archive has ${entry.bytes} bytes, over ${maxWhole(entry) / MAX_RESOURCE_BYTES} MiB.`,
      {
        errorCode: "TOO_LARGE",
        remediation: `Read it in ranges of at most 1 MiB, beginning with ${first}`,
        details: { resource_type: "archive", bytes: entry.bytes, limit_bytes: maxWhole(entry) },
      },
    );
  }
  return { bytes: await readEntryBytes(source, entry), from: 0, isVerified: true };
}

async function readRange(
  { store, tenant }: EntrySource,
  entry: ArchiveEntry,
  start: number,
  asked: number,
): Promise<Part> {
  if (start > asked) throw refuseArgument("uri", "start <= end", "The range ends before it begins.");
  if (asked - start > MAX_RESOURCE_BYTES) {
    throw refuseArgument("uri", "at most 1 MiB", `A range has at most ${MAX_RESOURCE_BYTES} bytes.`);
  }
  if (start > entry.bytes) {
    throw refuseArgument("uri", "inside the archive", `The archive has only ${entry.bytes} bytes.`);
  }
  const end = Math.min(asked, entry.bytes);
  // A few more bytes on both sides, to see whether a character crosses the boundary.
  const from = Math.max(0, start - 3);
  const to = Math.min(entry.bytes, end + 1);
  const read = await askStore(() => store.getRange(tenant, entry.hash, from, to));
  if (read === undefined) throw archiveNotFound(`sha256:${entry.hash}`);
  const snap = isTextType(entry.contentType) ? characterStart : (_: Uint8Array, offset: number) => offset;
  const first = snap(read.bytes, start - from);
  const last = end === entry.bytes ? end - from : snap(read.bytes, end - from);
  return { bytes: read.bytes.subarray(first, last), from: from + first, isVerified: false };
}

/** Moves an offset back to the start of the UTF-8 character it falls into. */
function characterStart(bytes: Uint8Array, offset: number): number {
  const isInside = (at: number): boolean => at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let start = offset;
  while (start > 0 && offset - start < 3 && isInside(start)) start--;
  return start;
}

function toContents(uri: string, entry: ArchiveEntry, part: Part, isWhole: boolean): ResourceContents {
  const { bytes, from, isVerified } = part;
  const about = {
    sha256: entry.hash,
    bytes: entry.bytes,
    from,
    to: from + bytes.length,
    verified: isVerified,
  };
  const decoded = isTextType(entry.contentType) ? decodeUtf8(bytes) : undefined;
  // A part of a JSON text is not JSON.
  const isPiece = !isWhole && bytes.length < entry.bytes && decoded?.ok === true;
  const contents = {
    uri,
    mimeType: isPiece ? "text/plain" : entry.contentType,
    _meta: { [ARCHIVE_META_KEY]: about },
  };
  return decoded?.ok === true ? { ...contents, text: decoded.text } : { ...contents, blob: toBase64(bytes) };
}

/** Bytes that a model cannot read in pages: whole if they fit, else the URI under which they can be read. */
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
  const whole = { ...about, verified: true, base64: toBase64(await readEntryBytes(source, entry)) };
  return fits(whole) ? whole : elsewhere;
}
