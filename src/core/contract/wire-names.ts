// Every name that both ends of a connection must spell alike: server and client, or two servers in a row. Nothing
// here may change without a new version of the contract.

/** Key of a request's `_meta` that says how this one call is to be answered, and of a result's that says how it was. */
export const CONTRACT_META_KEY = "waybill/contract";

/** Value of `content` under that key: the blocks are the server's own, in their places, and only notes follow them. */
export const AS_SENT = "as_sent";

/** Name of the client capability that says the same for a whole connection. */
export const CONTRACT_EXTENSION = "waybill/response-contract";

/** Key of a result's `_meta` with what changes from call to call: request id, rate limit, telemetry. */
export const NOTES_META_KEY = "waybill/notes";

/** Keys of a request's `_meta`: the id its caller knows it by, and the key that makes repeating it harmless. */
export const REQUEST_ID_META_KEY = "waybill/request_id";
export const IDEMPOTENCY_META_KEY = "waybill/idempotency_key";

/** Key of a resource's `_meta` that says which bytes of which archive it holds. */
export const ARCHIVE_META_KEY = "waybill/archive";

/** What an archive's resource URI begins with; the hash follows, then perhaps `/start/end`. */
export const ARCHIVE_SCHEME = "waybill://archive/";

/** What the tool is called that gives back what was cut, where nobody chose another name for it. */
export const RETRIEVE_TOOL = "waybill_retrieve";

/** The argument in which a model asks for a part of a tool's answer; `select` in the object `_waybill` says the same. */
export const SELECT_ARGUMENT = "_waybill_select";

/** Where an answer to a question stands in the data of a tool that has an output schema. */
export const SELECTED_KEY = "selected";

/** The content type of a digest, whoever made it. */
export const DIGEST_CONTENT_TYPE = "digest/v1";

/** How many digits of a hash a handle has. */
export const HANDLE_LENGTH = 12;
const HASH_PREFIX = "sha256:";
/** A handle may be as short as eight digits; the full hash has 64. */
const HEX = /^[0-9a-f]{8,64}$/;

/** The beginning of a hash, which is enough to name an archive to those who may list them. */
export function handleOf(hash: string): string {
  return hash.slice(0, HANDLE_LENGTH);
}

/** An entry of `content_archive_hashes`: `findings-3f2a9c01b7de`, and the full hash behind `sha256:`. */
export function archiveListing(name: string, hash: string): readonly [key: string, value: string] {
  return [`${name}-${handleOf(hash)}`, HASH_PREFIX + hash];
}

/**
 * The hash, or the beginning of one, that a reference names: `3f2a9c01b7de`, the full hash, either with `sha256:`,
 * a key of content_archive_hashes (`findings-3f2a9c01b7de`) or a resource URI. Undefined for anything else.
 */
export function parseArchiveReference(reference: string): string | undefined {
  const text = reference.trim().toLowerCase();
  const plain = text.startsWith(ARCHIVE_SCHEME) ? text.slice(ARCHIVE_SCHEME.length) : text;
  const handle = plain.slice(plain.lastIndexOf("-") + 1);
  const hash = handle.startsWith(HASH_PREFIX) ? handle.slice(HASH_PREFIX.length) : handle;
  return HEX.test(hash) ? hash : undefined;
}

/** The URI of an entry, or of a range of its bytes. */
export function archiveUri(hash: string, range?: { readonly start: number; readonly end: number }): string {
  return range === undefined ? ARCHIVE_SCHEME + hash : `${ARCHIVE_SCHEME}${hash}/${range.start}/${range.end}`;
}
