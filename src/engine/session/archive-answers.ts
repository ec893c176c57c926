import { ARCHIVE_SCHEME } from "../../core/contract/wire-names.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { CallRequest } from "../request/call-request.ts";
import type { ContractState } from "../call/contract-state.ts";
import { tenantOf } from "../call/open-call.ts";
import { notOurs } from "./upstream-requests.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../core/json/json-value.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  legacyRevisions,
} from "../../core/protocol/names.ts";
import type { AnsweredCall } from "../call/answered-call.ts";

/** How long a client may cache archived content: content behind a hash never changes, but it does expire. */
const CACHE_MS = 60 * 60 * 1000;

function uriOf({ method, params }: JsonObject): string | undefined {
  const uri = method === "resources/read" && isJsonObject(params) ? params["uri"] : undefined;
  return typeof uri === "string" && uri.startsWith(ARCHIVE_SCHEME) ? uri : undefined;
}

/** In the modern era no resource has a code of its own for being absent. */
function toError(error: unknown, { isModern }: CallRequest): JsonObject {
  const fault = ToolFault.isInstance(error) ? error : undefined;
  const isLegacyMiss = fault?.code === "NOT_FOUND" && isModern !== true;
  const code = isLegacyMiss ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
  if (fault === undefined) return { error: { code: INTERNAL_ERROR, message: "Internal error" } };
  const { remediation } = fault.toOutcome().fault;
  const said = /[.!?]$/.test(fault.message) ? fault.message : `${fault.message}.`;
  const message = remediation ? `${said} ${remediation}` : fault.message;
  return { error: { code, message, data: { error_code: fault.code } } };
}

/** The cache fields that the modern protocol requires in every result that a client may cache. */
function freshOf({ isModern }: CallRequest, ttlMs: number): JsonObject {
  return isModern === true ? { resultType: "complete", ttlMs, cacheScope: "private" } : {};
}

async function readResource(state: ContractState, uri: string, call: CallRequest): Promise<JsonObject> {
  try {
    const { readArchiveResource } = await import("../retrieve/archive-resource.ts");
    const { tenant, isAnonymous } = tenantOf(call, state.options);
    const store = await state.archive.store();
    const others = (): Promise<readonly string[]> => state.archive.othersOf(tenant);
    const { contents } = await readArchiveResource(uri, { store, tenant, needsHash: isAnonymous, others });
    return { result: { ...freshOf(call, CACHE_MS), contents: contents as unknown as readonly JsonObject[] } };
  } catch (error) {
    if (!ToolFault.isInstance(error)) state.log.error("archive-read-failed", { err: error });
    return toError(error, call);
  }
}

/** True for the answer that no content is kept under a hash. */
export function isMissing({ error }: JsonObject): boolean {
  return isJsonObject(error) && isJsonObject(error["data"]) && error["data"]["error_code"] === "NOT_FOUND";
}

function isUnknown({ error }: JsonObject): boolean {
  return isJsonObject(error) && error["code"] === METHOD_NOT_FOUND;
}

/** The server's own list of templates, followed by ours; for a server without resources, only ours. */
export async function listTemplates(response: JsonObject, call: CallRequest): Promise<JsonObject> {
  const { resourceTemplates: ours } = await import("../retrieve/archive-resource.ts");
  const { result } = response;
  const own = isJsonObject(result) ? result : freshOf(call, 0);
  if (!isJsonObject(result) && !isUnknown(response)) return response;
  // Our entries are on the last page only, so that no client gets them twice.
  if (typeof own["nextCursor"] === "string") return response;
  const listed = Array.isArray(own["resourceTemplates"]) ? own["resourceTemplates"] : [];
  const { error: _error, ...head } = response;
  // An upstream Waybill lists the same template.
  const known = new Set(listed.map((each) => (isJsonObject(each) ? each["uriTemplate"] : undefined)));
  const missing = ours.filter(({ uriTemplate }) => !known.has(uriTemplate));
  return { ...head, result: { ...own, resourceTemplates: [...listed, ...missing] } };
}

/** For a list that never changes, `listChanged` is left out, as source 003 prints it. */
function withoutDenial(capability: JsonValue): JsonValue {
  if (!isJsonObject(capability) || capability["listChanged"] !== false) return capability;
  const { listChanged: _denied, ...rest } = capability;
  return rest;
}

/** The revisions without icons. A client of SDK 1.18 refuses a greeting with icons of today's form. */
const withoutIcons: readonly unknown[] = legacyRevisions.filter((revision) => revision < "2025-11-25");

/** A greeting that its client can read: of the server's own, and of a revision that the client asked for. */
function readableGreeting(result: JsonObject): JsonObject {
  const { protocolVersion, serverInfo } = result;
  if (!withoutIcons.includes(protocolVersion) || !isJsonObject(serverInfo)) return result;
  if (serverInfo["icons"] === undefined) return result;
  const { icons: _icons, ...info } = serverInfo;
  return { ...result, serverInfo: info };
}

/**
 * The server's capabilities in its greeting: if anything is kept, they include resources, because the archive
 * is read as a resource.
 */
export function announce(
  response: JsonObject,
  { keeps, isOwn }: { readonly keeps: boolean; readonly isOwn: boolean },
): JsonObject {
  const { result } = response;
  if (!isJsonObject(result) || !isJsonObject(result["capabilities"])) return response;
  const { capabilities } = result;
  const lacksArchive = keeps && capabilities["resources"] === undefined;
  // A response that is not changed is sent as the bytes in which it came.
  if (!isOwn && !lacksArchive) return response;
  const said = isOwn ? mapObject(capabilities, withoutDenial) : capabilities;
  const shown = lacksArchive ? { ...said, resources: {} } : said;
  const greeting = isOwn ? readableGreeting(result) : result;
  return { ...response, result: { ...greeting, capabilities: shown } };
}

/** The answer to a request for `waybill://archive/…`; undefined for any other request. */
export function answerArchive(
  state: ContractState,
  request: JsonObject,
  callOf: () => CallRequest,
  isTheirs: (hash: string) => boolean = () => false,
): Promise<JsonObject> | undefined {
  const uri = uriOf(request);
  if (uri === undefined) return undefined;
  const [hash = ""] = uri.slice(ARCHIVE_SCHEME.length).split("/", 1);
  // A hash that only the upstream server announced must not open content that is kept here.
  if (hash !== "" && isTheirs(hash)) return Promise.resolve(toError(notOurs(), callOf()));
  return readResource(state, uri, callOf());
}

/** A server without resources does not know the method; under the contract its list is empty. */
export function listResources(response: JsonObject, call: CallRequest): JsonObject {
  if (!isUnknown(response)) return response;
  const { error: _error, ...head } = response;
  return { ...head, result: { ...freshOf(call, 0), resources: [] } };
}

/** More than a conversation has; the oldest are dropped, and can still be read by their hash. */
const MAX_TOLD = 10_000;

function hashesIn(archives: Readonly<Record<string, string>> | undefined): readonly string[] {
  return Object.values(archives ?? {}).map((hash) => hash.replace(/^sha256:/, ""));
}

function addTo(hashes: Set<string>, added: readonly string[]): void {
  for (const hash of added) hashes.add(hash);
  for (const oldest of hashes) {
    if (hashes.size <= MAX_TOLD) return;
    hashes.delete(oldest);
  }
}

/**
 * The archives that one connection was told of, by us or by the upstream server. The connection may read ours
 * without naming one. Archives that only the server announced must come from the server: they must not open
 * content that is kept here.
 */
export class AnnouncedArchives {
  readonly hashes = new Set<string>();
  readonly #theirs = new Set<string>();

  note({ outcome, source }: Pick<AnsweredCall, "outcome" | "source">): void {
    const theirs = hashesIn(source?.notes.fidelity?.archives);
    const all = hashesIn(outcome?.notes.fidelity?.archives);
    addTo(
      this.hashes,
      all.filter((hash) => !theirs.includes(hash)),
    );
    addTo(this.#theirs, theirs);
  }

  /** Whether only the server announced what this hash, or the beginning of one, names. */
  isTheirs(hash: string): boolean {
    const isNamed = (known: string): boolean => known.startsWith(hash);
    return [...this.#theirs].some(isNamed) && ![...this.hashes].some(isNamed);
  }
}
