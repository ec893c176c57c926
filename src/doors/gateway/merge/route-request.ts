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
import { withRawName } from "../message/client-message.ts";
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

/** `bytes`: the request as it came. */
export function addressOf(servers: MergedServers, message: JsonObject, bytes: Buffer): Addressed {
  const { method } = message;
  const { name, uri, taskId, ref } = paramsOf(message);
  const kind = kindOfMethod(method);
  if (kind !== undefined && typeof name === "string") return byName(servers, kind, name, bytes);
  if (byResource.includes(method) && typeof uri === "string") return byUri(servers, uri);
  if (byTask.includes(method) && typeof taskId === "string")
    return { kind: "some", servers: servers.forTask(taskId), isArchive: false };
  if (method === "completion/complete" && isJsonObject(ref)) return byReference(servers, message, ref, bytes);
  // Without a name, each server would refuse it in the same words.
  const [first] = servers.all;
  const isKnown = kind !== undefined || byResource.includes(method) || byTask.includes(method);
  if ((isKnown || method === "completion/complete") && first !== undefined)
    return { kind: "one", server: first, bytes };
  return { kind: "unknown" };
}

function byName(servers: MergedServers, kind: ListedKind, name: string, bytes: Buffer): Addressed {
  const retrievals = kind === "tools" ? servers.retrievals(name) : undefined;
  if (retrievals !== undefined) return { kind: "some", servers: retrievals, isArchive: true };
  const place = servers.find(kind, name);
  const server = place && servers.server(place.server);
  if (place === undefined || server === undefined) return { kind: "unlisted" };
  return { kind: "one", server, bytes: place.name === name ? bytes : withRawName(bytes, place.name) };
}

function byUri(servers: MergedServers, uri: string): Addressed {
  if (uri.startsWith(ARCHIVE_SCHEME)) return { kind: "some", servers: servers.all, isArchive: true };
  return { kind: "some", servers: servers.forResource(uri), isArchive: false };
}

/** A completion is for a prompt or for a template of resources. */
function byReference(servers: MergedServers, message: JsonObject, ref: JsonObject, bytes: Buffer): Addressed {
  const { type, name, uri } = ref;
  if (typeof uri === "string") return byUri(servers, uri);
  if (type !== "ref/prompt" || typeof name !== "string")
    return { kind: "some", servers: servers.all, isArchive: false };
  const found = byName(servers, "prompts", name, bytes);
  if (found.kind !== "one" || found.bytes === bytes) return found;
  const place = servers.find("prompts", name);
  const params = { ...paramsOf(message), ref: { ...ref, name: place?.name ?? name } };
  return { ...found, bytes: Buffer.from(JSON.stringify({ ...message, params })) };
}

/** The error for a request that no server of the endpoint is for, which the access log gets too. */
export function refuseUnknown(servers: MergedServers, message: JsonObject, handover: Handover): BridgeFault {
  const fault = unknownName(servers, message);
  const { name } = paramsOf(message);
  const { authInfo } = (handover.extra ?? {}) as { readonly authInfo?: AuthInfo };
  const caller = authInfo === undefined ? undefined : `sub:${authInfo.extra.sub}`;
  if (message["method"] === "tools/call" && typeof name === "string")
    servers.refused({ name, code: fault.code, caller });
  return fault;
}

function unknownName(servers: MergedServers, message: JsonObject): BridgeFault {
  const { method } = message;
  const { name, ref } = paramsOf(message);
  const meant = typeof name === "string" ? name : isJsonObject(ref) ? ref["name"] : undefined;
  const isTool = method === "tools/call";
  const isNamed = isTool || method === "prompts/get" || method === "completion/complete";
  if (!isNamed || typeof meant !== "string")
    return {
      code: METHOD_NOT_FOUND,
      message: `Method not found: ${sayName(typeof method === "string" ? method : "")}`,
    };
  const close = didYouMean(meant, servers.names(isTool ? "tools" : "prompts").all());
  const advice = close === undefined ? "" : ` Did you mean ${quoteName(close)}?`;
  return {
    code: INVALID_PARAMS,
    message: `No server has a ${isTool ? "tool" : "prompt"} ${quoteName(meant)}.${advice}`,
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
