// Which server a request is for, and the request as that server knows it.

import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  jsonObjectIn,
} from "../../../core/json/json-value.ts";
import { ARCHIVE_SCHEME } from "../../../core/contract/wire-names.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND } from "../../../core/protocol/names.ts";
import { didYouMean } from "../../../core/text/did-you-mean.ts";
import { quoteName, sayName } from "../../../core/text/say-name.ts";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { AuthInfo } from "../../../engine/request/sign-in/verdict.ts";
import type { BridgeFault } from "../message/faults.ts";
import { modernVersionOf } from "../../../engine/transport/http/message-headers.ts";
import { withRawName } from "../message/client-message.ts";
import type { ListMethod } from "./gather-lists.ts";
import type { ListedKind } from "./known-lists.ts";
import type { MergedServer, MergedServers } from "./merged-servers.ts";

export type Addressed =
  | { readonly kind: "one"; readonly server: MergedServer; readonly bytes: Buffer }
  /** Each of them may know it; for what was cut, the one that keeps it. */
  | { readonly kind: "some"; readonly servers: readonly MergedServer[]; readonly isArchive: boolean }
  /** The name is in no list that is known; a server may have it since. */
  | { readonly kind: "unlisted" }
  /** No server of an endpoint knows the method. */
  | { readonly kind: "unknown" };

const byResource: readonly unknown[] = ["resources/read", "resources/subscribe", "resources/unsubscribe"];
const byTask: readonly unknown[] = ["tasks/get", "tasks/result", "tasks/cancel", "tasks/update"];

function kindOfMethod(method: JsonValue | undefined): ListedKind | undefined {
  if (method === "tools/call") return "tools";
  return method === "prompts/get" ? "prompts" : undefined;
}

function paramsOf({ params }: JsonObject): JsonObject {
  return isJsonObject(params) ? params : {};
}

/** For a caller who may use the servers `mine`; `bytes`: the request as it came. */
export function addressOf(
  servers: MergedServers,
  mine: readonly MergedServer[],
  message: JsonObject,
  bytes: Buffer,
): Addressed {
  const { method } = message;
  const { name, uri, taskId, ref } = paramsOf(message);
  const kind = kindOfMethod(method);
  if (kind !== undefined && typeof name === "string") return byName(servers, mine, kind, name, bytes);
  if (byResource.includes(method) && typeof uri === "string") return byUri(servers, mine, uri);
  if (byTask.includes(method) && typeof taskId === "string")
    return { kind: "some", servers: servers.forTask(taskId, mine), isArchive: false };
  const isReference = method === "completion/complete" && isJsonObject(ref);
  const found = isReference ? byReference(servers, mine, message, ref, bytes) : undefined;
  if (found !== undefined) return found;
  // Without a name, each server would refuse it in the same words.
  const [first] = mine;
  const isKnown = kind !== undefined || byResource.includes(method) || byTask.includes(method);
  if ((isKnown || method === "completion/complete") && first !== undefined)
    return { kind: "one", server: first, bytes };
  return { kind: "unknown" };
}

function byName(
  servers: MergedServers,
  mine: readonly MergedServer[],
  kind: ListedKind,
  name: string,
  bytes: Buffer,
): Addressed {
  const retrievals = kind === "tools" ? servers.retrievals(name) : undefined;
  if (retrievals !== undefined)
    return { kind: "some", servers: retrievals.filter((one) => mine.includes(one)), isArchive: true };
  const place = servers.names(kind).find(name);
  const server = place && mine.find((one) => one.name === place.server);
  if (place !== undefined && server !== undefined)
    return { kind: "one", server, bytes: place.name === name ? bytes : withRawName(bytes, place.name) };
  return { kind: servers.namesakes(kind, name, mine).length > 0 ? "unknown" : "unlisted" };
}

function byUri(servers: MergedServers, mine: readonly MergedServer[], uri: string): Addressed {
  if (uri.startsWith(ARCHIVE_SCHEME)) return { kind: "some", servers: mine, isArchive: true };
  const having = servers.forResource(uri, mine);
  return having.length > 0 ? { kind: "some", servers: having, isArchive: false } : { kind: "unlisted" };
}

/** A completion is for a prompt or for a template of resources. */
function byReference(
  servers: MergedServers,
  mine: readonly MergedServer[],
  message: JsonObject,
  ref: JsonObject,
  bytes: Buffer,
): Addressed | undefined {
  const { type, name, uri } = ref;
  if (typeof uri === "string") return byUri(servers, mine, uri);
  if (type !== "ref/prompt" || typeof name !== "string") return undefined;
  const found = byName(servers, mine, "prompts", name, bytes);
  if (found.kind !== "one" || found.bytes === bytes) return found;
  const place = servers.names("prompts").find(name);
  const params = { ...paramsOf(message), ref: { ...ref, name: place?.name ?? name } };
  return { ...found, bytes: Buffer.from(JSON.stringify({ ...message, params })) };
}

/** The lists in which what a request names may be. */
export function listsFor({ method, params }: JsonObject): readonly ListMethod[] {
  const { uri, ref } = paramsOf({ params: params ?? null });
  const isResource = uri !== undefined || (isJsonObject(ref) && ref["uri"] !== undefined);
  if (isResource) return ["resources/list", "resources/templates/list"];
  return method === "tools/call" ? ["tools/list"] : ["prompts/list"];
}

/**
 * The error for a request that no server of the endpoint is for, which the access log gets too. It names nothing of
 * servers that are not the caller's.
 */
export function refuseUnknown(
  servers: MergedServers,
  mine: readonly MergedServer[],
  message: JsonObject,
  handover: Handover,
): BridgeFault {
  const fault = unknownFault(servers, mine, message);
  const { name } = paramsOf(message);
  const { authInfo } = (handover.extra ?? {}) as { readonly authInfo?: AuthInfo };
  const caller = authInfo === undefined ? undefined : `sub:${authInfo.extra.sub}`;
  if (message["method"] === "tools/call" && typeof name === "string")
    servers.refused({ name, code: fault.code, caller });
  return fault;
}

function unknownFault(
  servers: MergedServers,
  mine: readonly MergedServer[],
  message: JsonObject,
): BridgeFault {
  const { method } = message;
  const { name, uri, ref } = paramsOf(message);
  const reference = isJsonObject(ref) ? ref : {};
  if (typeof (uri ?? reference["uri"]) === "string" && method !== "tools/call")
    return unknownResource(message);
  const meant = typeof name === "string" ? name : reference["name"];
  const isNamed = method === "tools/call" || method === "prompts/get" || method === "completion/complete";
  if (isNamed && typeof meant === "string")
    return unknownName(servers, mine, method === "tools/call" ? "tools" : "prompts", meant);
  return {
    code: METHOD_NOT_FOUND,
    message: `Method not found: ${sayName(typeof method === "string" ? method : "")}`,
  };
}

function unknownName(
  servers: MergedServers,
  mine: readonly MergedServer[],
  kind: ListedKind,
  meant: string,
): BridgeFault {
  const what = `${kind === "tools" ? "tool" : "prompt"} ${quoteName(meant)}`;
  const namesakes = servers.namesakes(kind, meant, mine);
  if (namesakes.length > 1)
    return {
      code: INVALID_PARAMS,
      message: `Several servers have a ${what}. Use ${namesakes.map((one) => quoteName(one)).join(" or ")}.`,
    };
  const close = namesakes[0] ?? didYouMean(meant, servers.namesAmong(kind, mine));
  const advice = close === undefined ? "" : ` Did you mean ${quoteName(close)}?`;
  return { code: INVALID_PARAMS, message: `No server has a ${what}.${advice}` };
}

function unknownResource(message: JsonObject): BridgeFault {
  const { uri } = paramsOf(message);
  return {
    code: modernVersionOf(message) === undefined ? RESOURCE_NOT_FOUND : INVALID_PARAMS,
    message: "Resource not found: no server lists it, has a template for it, or gave a link to it.",
    ...(typeof uri === "string" && { data: { uri } }),
  };
}

const notFound: readonly unknown[] = [RESOURCE_NOT_FOUND, INVALID_PARAMS, METHOD_NOT_FOUND];
/** Errors are short. */
const MAX_ERROR_BYTES = 65_536;

/** Whether a server says that it does not know what it was asked for. */
export function isNotFound(answer: Buffer): boolean {
  if (answer.length > MAX_ERROR_BYTES || !answer.includes('"error"')) return false;
  const error = jsonObjectIn(answer.toString())?.["error"];
  return isJsonObject(error) && notFound.includes(error["code"]);
}
