// Decides which era a POST belongs to, or why it is refused, by the rules of the SDK's own server: the body decides,
// and the headers are compared with it. The wording of a refusal is ours; its status and code are the SDK's.

import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import type { RequestHeaders } from "../../../engine/request/sign-in/verdict.ts";
import { checkStandardHeaders, headerOf, headerMismatch } from "./modern-headers.ts";
import type { Refusal } from "../../../engine/transport/http/refusal.ts";
import { httpRefusals } from "../listen/refuse-request.ts";
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  MODERN_REVISION,
  mcpMeta,
  HEADER_MISMATCH,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
} from "../../../core/protocol/names.ts";

const modernRevisions: readonly string[] = [MODERN_REVISION];
const logLevels = new Set<unknown>([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
]);

/** The SDKs accept this many messages in one array. */
const MAX_BATCH = 100;

export type ClassifiedPost =
  | { readonly kind: "modern"; readonly message: JsonObject; readonly isRequest: boolean }
  | { readonly kind: "legacy"; readonly messages: readonly JsonObject[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };

function refused(refusal: Refusal): ClassifiedPost {
  return { kind: "refused", refusal };
}

function metaOf({ params }: JsonObject): JsonObject | undefined {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  return isJsonObject(meta) ? meta : undefined;
}

function isModernRevision(version: string | undefined): version is string {
  return version !== undefined && version >= MODERN_REVISION;
}

interface EnvelopeIssue {
  readonly key: string;
  readonly problem: string;
}

function isImplementation(value: unknown): boolean {
  return isJsonObject(value) && typeof value["name"] === "string" && typeof value["version"] === "string";
}

/** What is wrong with the version and capabilities that a request of the modern era carries. */
function envelopeIssue(meta: JsonObject): EnvelopeIssue | undefined {
  for (const key of [mcpMeta.protocolVersion, mcpMeta.clientCapabilities])
    if (!(key in meta)) return { key, problem: "missing" };
  if (typeof meta[mcpMeta.protocolVersion] !== "string")
    return { key: mcpMeta.protocolVersion, problem: "expected a string" };
  if (meta[mcpMeta.clientInfo] !== undefined && !isImplementation(meta[mcpMeta.clientInfo]))
    return { key: mcpMeta.clientInfo, problem: "expected an object with a name and a version" };
  if (!isJsonObject(meta[mcpMeta.clientCapabilities]))
    return { key: mcpMeta.clientCapabilities, problem: "expected an object" };
  if (meta[mcpMeta.logLevel] !== undefined && !logLevels.has(meta[mcpMeta.logLevel]))
    return { key: mcpMeta.logLevel, problem: "expected a log level" };
  return undefined;
}

function badEnvelope(issue: EnvelopeIssue): Refusal {
  return {
    status: 400,
    code: INVALID_PARAMS,
    message: `Invalid _meta envelope for protocol revision ${MODERN_REVISION}: ${issue.key}: ${issue.problem}`,
    data: { envelope: { key: issue.key, problem: issue.problem } },
  };
}

/** A request whose headers say that it is modern, but whose body does not. */
function withoutEnvelope(version: string, meta: JsonObject | undefined): Refusal {
  const required = [mcpMeta.protocolVersion, mcpMeta.clientCapabilities].filter(
    (key) => meta === undefined || !(key in meta),
  );
  const missing = meta === undefined ? ["_meta"] : required;
  return {
    status: 400,
    code: INVALID_PARAMS,
    message: `Invalid params: the MCP-Protocol-Version header names protocol revision ${version}, but the request is missing the required per-request envelope key(s): ${missing.join(", ")}`,
    data: { envelope: { missing } },
  };
}

function unsupported(requested: string): Refusal {
  return {
    status: 400,
    code: UNSUPPORTED_VERSION,
    message: `Unsupported protocol version: ${requested}`,
    data: { supported: [...modernRevisions], requested },
  };
}

function checkMethodHeader(message: JsonObject, headers: RequestHeaders): Refusal | undefined {
  const named = headerOf(headers, "mcp-method");
  const { method } = message;
  if (named === undefined || named === method || typeof method !== "string") return undefined;
  return headerMismatch(named, `the body names method ${method} but the Mcp-Method header names ${named}`);
}

function legacy(message: JsonObject): ClassifiedPost {
  return { kind: "legacy", messages: [message] };
}

function classifyRequest(message: JsonObject, headers: RequestHeaders): ClassifiedPost {
  const version = headerOf(headers, "mcp-protocol-version");
  const meta = metaOf(message);
  const claimed = meta?.[mcpMeta.protocolVersion];
  const issue = meta === undefined || claimed === undefined ? undefined : envelopeIssue(meta);
  const revision = typeof claimed === "string" ? claimed : undefined;
  // A modern request may name any method; `initialize` is the legacy greeting only without a valid modern claim.
  const isSoundClaim = issue === undefined && isModernRevision(revision);
  if (message["method"] === "initialize" && !isSoundClaim) {
    if (!isModernRevision(version)) return legacy(message);
    return refused(
      headerMismatch(
        version,
        "an initialize request (legacy handshake) was sent with a modern MCP-Protocol-Version header",
      ),
    );
  }
  if (issue !== undefined) return refused(badEnvelope(issue));
  if (revision === undefined)
    return isModernRevision(version) ? refused(withoutEnvelope(version, meta)) : legacy(message);
  if (version !== undefined && version !== revision)
    return refused(
      headerMismatch(
        version,
        `the body envelope names protocol version ${revision} but the MCP-Protocol-Version header names ${version}`,
      ),
    );
  const refusal =
    checkMethodHeader(message, headers) ??
    (modernRevisions.includes(revision) ? undefined : unsupported(revision)) ??
    checkStandardHeaders(message, revision, headers);
  return refusal === undefined ? { kind: "modern", message, isRequest: true } : refused(refusal);
}

function classifyNotification(message: JsonObject, headers: RequestHeaders): ClassifiedPost {
  const version = headerOf(headers, "mcp-protocol-version");
  const claimed = metaOf(message)?.[mcpMeta.protocolVersion];
  if (claimed === undefined && !isModernRevision(version)) return legacy(message);
  if (claimed !== undefined && typeof claimed !== "string")
    return refused(badEnvelope({ key: mcpMeta.protocolVersion, problem: "expected a string" }));
  const revision = claimed ?? version ?? MODERN_REVISION;
  if (version !== undefined && version !== revision)
    return refused(
      headerMismatch(
        version,
        `the notification envelope names protocol version ${revision} but the MCP-Protocol-Version header names ${version}`,
      ),
    );
  const refusal =
    checkMethodHeader(message, headers) ??
    (modernRevisions.includes(revision) ? undefined : unsupported(revision));
  return refusal === undefined ? { kind: "modern", message, isRequest: false } : refused(refusal);
}

function invalid(message: string): ClassifiedPost {
  return refused({ status: 400, code: INVALID_REQUEST, message });
}

/** Arrays of messages, as clients of 2025-03-26 may send them. */
function classifyBatch(batch: readonly unknown[]): ClassifiedPost {
  if (batch.length === 0) return invalid("Bad Request: empty JSON-RPC batch");
  if (batch.length > MAX_BATCH)
    return invalid(`Invalid Request: Batch must not exceed ${MAX_BATCH} messages`);
  for (const message of batch) {
    if (isJsonObject(message) && metaOf(message)?.[mcpMeta.protocolVersion] !== undefined)
      return invalid(
        `Bad Request: JSON-RPC batches may not contain requests for protocol revision ${MODERN_REVISION} or later`,
      );
    if (rpcShapeOf(message) === undefined)
      return invalid("Bad Request: JSON-RPC batch contains an invalid message");
  }
  const messages = batch as readonly JsonObject[];
  if (messages.length > 1 && messages.some(({ method }) => method === "initialize"))
    return invalid("Invalid Request: Only one initialization request is allowed");
  return { kind: "legacy", messages };
}

/** Which era a POST with this body belongs to, or why it is refused. */
export function classifyPost(body: unknown, headers: RequestHeaders): ClassifiedPost {
  if (Array.isArray(body)) return classifyBatch(body);
  const shape = rpcShapeOf(body);
  if (shape === undefined) return refused(httpRefusals.noMessage);
  const message = body as JsonObject;
  if (shape === "response") return legacy(message);
  return shape === "request" ? classifyRequest(message, headers) : classifyNotification(message, headers);
}

const requestKeys = new Set(["jsonrpc", "id", "method", "params"]);
const resultKeys = new Set(["jsonrpc", "id", "result"]);
const errorKeys = new Set(["jsonrpc", "id", "error"]);

function hasOnly(message: JsonObject, keys: ReadonlySet<string>): boolean {
  for (const key in message) if (!keys.has(key)) return false;
  return true;
}

function isRequestId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isInteger(id);
}

/** A progress token is a text or an integer; the SDKs refuse messages with any other. */
function hasSoundParams({ params }: JsonObject): boolean {
  if (params === undefined) return true;
  if (!isJsonObject(params)) return false;
  const { _meta: meta } = params;
  if (meta === undefined) return true;
  return isJsonObject(meta) && (meta["progressToken"] === undefined || isRequestId(meta["progressToken"]));
}

export type MessageShape = "request" | "notification" | "response";

/** The kind of JSON-RPC message, judged as strictly as by the SDKs' servers; undefined if it is not a message. */
export function rpcShapeOf(message: unknown): MessageShape | undefined {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return undefined;
  const { method, id } = message;
  if (typeof method === "string") {
    if (!hasOnly(message, requestKeys) || !hasSoundParams(message)) return undefined;
    if (id === undefined) return "notification";
    return isRequestId(id) ? "request" : undefined;
  }
  if (isJsonObject(message["result"]))
    return isRequestId(id) && hasOnly(message, resultKeys) ? "response" : undefined;
  const { error } = message;
  if (!isJsonObject(error) || !hasOnly(message, errorKeys)) return undefined;
  const isError = Number.isInteger(error["code"]) && typeof error["message"] === "string";
  return isError && (id === undefined || isRequestId(id)) ? "response" : undefined;
}

/** Errors are short; a longer answer is a result, whatever it contains. */
const MAX_ERROR_BYTES = 65_536;
const ERROR_KEY = Buffer.from('"error"');

/** The code of a response that is a JSON-RPC error; undefined for a result. */
export function errorCodeOf(bytes: Buffer): number | undefined {
  if (bytes.length > MAX_ERROR_BYTES || !bytes.includes(ERROR_KEY)) return undefined;
  const message = jsonIn(bytes.toString());
  const error = isJsonObject(message) ? message["error"] : undefined;
  const code = isJsonObject(error) ? error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

const statuses = new Map<number, number>([
  [PARSE_ERROR, 400],
  [INVALID_REQUEST, 400],
  [METHOD_NOT_FOUND, 404],
  [HEADER_MISMATCH, 400],
  [MISSING_CAPABILITY, 400],
  [UNSUPPORTED_VERSION, 400],
]);

/** The HTTP status of the modern era for an error; errors of tools and arguments have 200. */
export function statusOfError(code: number): number {
  return statuses.get(code) ?? 200;
}
