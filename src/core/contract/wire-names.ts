import { type JsonObject, isJsonObject } from "../json/json-value.ts";

// Every name that both ends of a connection must spell alike: server and client, or two servers in a row. Nothing here
// may change without a new version of the contract.

/** Key of `_meta`: in a request it says how to answer this one call, in a result how the call was answered. */
export const CONTRACT_META_KEY = "waybill/contract";

/** Value of `content` under that key: the blocks are the server's own, in their places, and only notes follow them. */
export const AS_SENT = "as_sent";

/** Name of the client capability that asks the same for a whole connection. */
export const CONTRACT_EXTENSION = "waybill/response-contract";

/** Key of a result's `_meta` with what changes from call to call: request id, rate limit, telemetry. */
export const NOTES_META_KEY = "waybill/notes";

/** Keys of a request's `_meta`: the id its caller knows it by, and the key that makes repeating it harmless. */
export const REQUEST_ID_META_KEY = "waybill/request_id";
export const IDEMPOTENCY_META_KEY = "waybill/idempotency_key";

/** Key of a resource's `_meta` that says which bytes of which archive it holds. */
export const ARCHIVE_META_KEY = "waybill/archive";

/** Key of the `_meta` of greetings and tools that a gateway gives in place of a server that awaits a sign-in. */
export const SIGN_IN_META_KEY = "waybill/sign_in";

/** What an archive's resource URI begins with; the hash follows, then perhaps `/start/end`. */
export const ARCHIVE_SCHEME = "waybill://archive/";

/** The default name of the tool that returns what was cut. */
export const RETRIEVE_TOOL = "waybill_retrieve";

/** The argument in which a model asks for a part of a tool's answer; `select` in `_waybill` does the same. */
export const SELECT_ARGUMENT = "_waybill_select";

/** The key of an answer to a question in the data of a tool that has an output schema. */
export const SELECTED_KEY = "selected";

/** The content type of every digest. */
export const DIGEST_CONTENT_TYPE = "digest/v1";

/** The number of hash digits in a handle. */
export const HANDLE_LENGTH = 12;
const HASH_PREFIX = "sha256:";
/** A handle may be as short as eight digits; the full hash has 64. */
const HEX = /^[0-9a-f]{8,64}$/;

/** The beginning of a hash, enough to name an archive to callers who may list archives. */
export function handleOf(hash: string): string {
  return hash.slice(0, HANDLE_LENGTH);
}

/** An entry of `content_archive_hashes`: the key `findings-3f2a9c01b7de`, and the full hash after `sha256:`. */
export function archiveListing(name: string, hash: string): readonly [key: string, value: string] {
  return [`${name}-${handleOf(hash)}`, HASH_PREFIX + hash];
}

/**
 * The hash, or the beginning of one, that a reference names: `3f2a9c01b7de`, the full hash, either with `sha256:`, a
 * key of content_archive_hashes (`findings-3f2a9c01b7de`) or a resource URI. Undefined for anything else.
 */
export function parseArchiveReference(reference: string): string | undefined {
  const text = reference.trim().toLowerCase();
  const plain = text.startsWith(ARCHIVE_SCHEME) ? text.slice(ARCHIVE_SCHEME.length) : text;
  const handle = plain.slice(plain.lastIndexOf("-") + 1);
  const hash = handle.startsWith(HASH_PREFIX) ? handle.slice(HASH_PREFIX.length) : handle;
  return HEX.test(hash) ? hash : undefined;
}

/** The URI of an archive, or of a range of its bytes. */
export function archiveUri(hash: string, range?: { readonly start: number; readonly end: number }): string {
  return range === undefined ? ARCHIVE_SCHEME + hash : `${ARCHIVE_SCHEME}${hash}/${range.start}/${range.end}`;
}

// The name of the tool that returns what was cut. Clients that show several servers in one flat list of names need a
// different name for each, so the name is a setting; code that looks for the tool recognises it by its arguments.

/** Model APIs accept 64 characters; the rest is left for a client that adds a prefix. */
const MAX_RETRIEVE_NAME = 60;

/** A tool name that every model API accepts. */
export const RETRIEVE_NAME = /^[A-Za-z0-9_-]{1,60}$/;
const ILLEGAL = /[^A-Za-z0-9_-]+/g;
const ENDING = "_retrieve";

/** Why the tool cannot have this name, as the end of a sentence; undefined if it can. */
export function retrieveNameProblem(name: unknown): string | undefined {
  if (typeof name === "string" && RETRIEVE_NAME.test(name)) return undefined;
  return `is not the name of a tool: write letters, digits, dashes and underscores, ${MAX_RETRIEVE_NAME} at most.`;
}

/** The name with only the characters that tool names may have; undefined if none are left. */
export function toolWord(name: string): string | undefined {
  const word = name.replaceAll(ILLEGAL, "_").replaceAll(/^_+|_+$/g, "");
  return word === "" ? undefined : word;
}

/** The tool's name behind a gateway of this name: `files_retrieve`. */
export function retrieveNameFor(gateway: string): string {
  const word = toolWord(gateway);
  return word === undefined ? RETRIEVE_TOOL : word.slice(0, MAX_RETRIEVE_NAME - ENDING.length) + ENDING;
}

/** The name itself, or the first numbered form of it that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) {
    const ending = `_${number}`;
    free = name.slice(0, MAX_RETRIEVE_NAME - ending.length) + ending;
  }
  return free;
}

/** True for a name, or that name with a number, which the tool gets if the name is taken. */
export function isNumbered(name: string, base: string): boolean {
  return name === base || (name.startsWith(`${base}_`) && /^[1-9]\d{0,3}$/.test(name.slice(base.length + 1)));
}

/** The arguments that tell Waybill's own tool from any other, whatever its name. */
const retrievalArguments = ["archive", "ids", "pointer", "match", "cursor"];

/** True for a greeting, or a listed tool, in place of a server that wants a sign-in first. */
export function standsForSignIn({ _meta }: JsonObject): boolean {
  return isJsonObject(_meta) && _meta[SIGN_IN_META_KEY] === true;
}

/** True for a listed tool with which a Waybill server returns what it cut. */
export function isRetrievalTool({ inputSchema }: JsonObject): boolean {
  const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  return isJsonObject(properties) && retrievalArguments.every((each) => Object.hasOwn(properties, each));
}
