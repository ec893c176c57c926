import { type JsonObject, isJsonObject, type JsonValue } from "../../../core/json/json-value.ts";
import type {
  ArchiveRead,
  CallRecord,
  RecordedReply,
  ToolRecord,
} from "../../../core/rules/server-record.ts";
import type { McpAnswer } from "../../../engine/transport/mcp-client.ts";
import type { LiveServer } from "./live-server.ts";
import type { Recorder } from "./recorder.ts";
import {
  RETRIEVE_TOOL,
  archiveUri,
  isRetrievalTool,
  parseArchiveReference,
} from "../../../core/contract/wire-names.ts";
import { parseJson } from "../../../core/json/parse-json.ts";
import { nextPageArguments, readPage } from "../../../core/rules/call/paging-rules.ts";

export type CallSpec = Pick<CallRecord, "tool" | "purpose" | "arguments" | "wrong" | "follows">;

/** Counting stops here; no client reads that much. */
const MAX_TOKENS = 1_000_000;

export interface Caller {
  readonly server: LiveServer;
  readonly recorder: Recorder;
  readonly countTokens: (text: string, limit?: number) => number;
  /** Whether the time of the whole check is over, or the check was aborted. */
  readonly isOver: () => boolean;
  /** Archives that were read as resources; the probe adds to it. */
  readonly reads: ArchiveRead[];
}

function bytesOf(reply: RecordedReply): number {
  if (reply.kind === "oversized") return reply.bytes;
  if (reply.kind === "result") return Buffer.byteLength(JSON.stringify(reply.result));
  return reply.kind === "error" ? Buffer.byteLength(JSON.stringify(reply.error)) : 0;
}

function textIn({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content : [];
  const texts = blocks.flatMap((block) => (isJsonObject(block) ? [block["text"]] : []));
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** The tokens a model may read of an answer, by channel. */
function tokensOf(reply: RecordedReply, count: Caller["countTokens"]): CallRecord["tokens"] {
  if (reply.kind !== "result") return { text: 0, structured: 0 };
  const { structuredContent } = reply.result;
  return {
    text: count(textIn(reply.result), MAX_TOKENS),
    structured: structuredContent === undefined ? 0 : count(JSON.stringify(structuredContent), MAX_TOKENS),
  };
}

/** A call as it is recorded. */
export function toRecord(
  spec: CallSpec,
  { reply, durationMs }: McpAnswer,
  countTokens: Caller["countTokens"],
): Omit<CallRecord, "index"> {
  return { ...spec, reply, durationMs, bytes: bytesOf(reply), tokens: tokensOf(reply, countTokens) };
}

const MAX_ROUNDS = 3;

/** What a call is repeated with at once; undefined if it is not to be repeated, or needs input that the check has not. */
function stateToReturn(reply: RecordedReply): string | undefined {
  if (reply.kind !== "result" || reply.result["resultType"] !== "input_required") return undefined;
  const { inputRequests, requestState } = reply.result;
  return inputRequests === undefined && typeof requestState === "string" ? requestState : undefined;
}

/** The answer to a call that is not recorded; undefined if the check ended before the answer arrived. */
export async function tryCall(
  caller: Caller,
  { tool, arguments: args }: CallSpec,
): Promise<McpAnswer | undefined> {
  if (caller.isOver()) return undefined;
  const params = { name: tool, arguments: args };
  let answer = await caller.server.ask("tools/call", params);
  // A server that wants no input, only the same call again, gets it as a client would send it.
  for (let round = 0; round < MAX_ROUNDS && !caller.isOver(); round += 1) {
    const requestState = stateToReturn(answer.reply);
    if (requestState === undefined) break;
    answer = await caller.server.ask("tools/call", { ...params, requestState });
  }
  // The check ran out of time, not the server.
  return answer.reply.kind !== "result" && caller.isOver() ? undefined : answer;
}

/** Calls a tool and records the call; undefined if the check ended before the answer arrived. */
export async function callTool(caller: Caller, spec: CallSpec): Promise<CallRecord | undefined> {
  const answer = await tryCall(caller, spec);
  return answer && caller.recorder.call(toRecord(spec, answer, caller.countTokens));
}

// The calls that follow from an answer: the same call again, its next pages, and the content it says it left out.

const MAX_PAGES = 5;
const MAX_ARCHIVES = 2;
const MAX_ARCHIVE_PAGES = 20;
/** How deep an envelope is searched for archives. */
const MAX_DEPTH = 4;
/** The shortest wait for the answer to a cancelled call. */
const CANCEL_WAIT_MS = 50;

/** A result that reports success; one that asks for input does not yet. */
export function isGood({ reply }: CallRecord): boolean {
  if (reply.kind !== "result") return false;
  const { isError, resultType } = reply.result;
  return isError !== true && resultType !== "input_required";
}

export async function repeat(caller: Caller, { tool, arguments: args, index }: CallRecord): Promise<void> {
  await callTool(caller, { tool, purpose: "repeat", arguments: args, follows: index });
}

/** Fetches the pages that an answer announces; a repeated cursor ends the walk. Returns whether there was one. */
export async function turnPages(caller: Caller, first: CallRecord, tool: ToolRecord): Promise<boolean> {
  const seen = new Set<string>();
  let last = first;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const cursor = last.reply.kind === "result" ? readPage(last.reply.result)?.cursor : undefined;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
    const args = nextPageArguments(tool.definition, last.arguments, cursor);
    if (args === undefined) break;
    const spec = { tool: tool.name, purpose: "page", arguments: args, follows: last.index } as const;
    const next = await callTool(caller, spec);
    if (next === undefined) break;
    last = next;
  }
  return last !== first;
}

function archivesUnder(value: JsonValue | undefined, depth: number): readonly string[] {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return [];
  const { content_archive_hashes: listed } = value;
  const own = isJsonObject(listed) ? Object.values(listed).filter((hash) => typeof hash === "string") : [];
  return [...own, ...Object.values(value).flatMap((inner) => archivesUnder(inner, depth + 1))];
}

/** The archives that an answer names, in any channel. */
export function archivesOf({ reply }: CallRecord): readonly string[] {
  if (reply.kind !== "result") return [];
  const { structuredContent, content } = reply.result;
  const texts = (Array.isArray(content) ? content : []).flatMap((block) => {
    const text = isJsonObject(block) ? block["text"] : undefined;
    if (typeof text !== "string" || !text.includes("content_archive_hashes")) return [];
    const parsed = parseJson(text);
    return parsed.ok ? [parsed.value] : [];
  });
  const hashes = [structuredContent, ...texts].flatMap((value) => archivesUnder(value, 0));
  return [...new Set(hashes)].slice(0, MAX_ARCHIVES);
}

/** True for the tool with which a Waybill server returns what it cut. */
export function isRetrieval({ name, definition }: ToolRecord): boolean {
  return name === RETRIEVE_TOOL || isRetrievalTool(definition);
}

/** Reads the archives that an answer names as resources: each whole, or its beginning if the whole is refused. */
async function readArchives({ server, reads, isOver }: Caller, call: CallRecord): Promise<void> {
  for (const archive of archivesOf(call)) {
    const hash = parseArchiveReference(archive);
    if (hash === undefined) continue;
    const read = async (uri: string, isWhole: boolean): Promise<boolean> => {
      if (isOver()) return true;
      const { reply } = await server.ask("resources/read", { uri });
      if (isOver()) return true;
      reads.push({ follows: call.index, uri, hash, reply, isWhole });
      return reply.kind === "result";
    };
    // A whole may be too large for one answer; then its beginning shows that it is there.
    if (!(await read(archiveUri(hash), true))) await read(archiveUri(hash, FIRST_BYTES), false);
  }
}

const FIRST_BYTES = { start: 0, end: 1_024 } as const;

/** Requests the content that an answer says it left out, page by page. */
export async function retrieveOmitted(
  caller: Caller,
  call: CallRecord,
  tools: readonly ToolRecord[],
): Promise<void> {
  if (caller.server.hasResources) await readArchives(caller, call);
  const tool = tools.find(isRetrieval);
  if (tool === undefined) return;
  for (const archive of archivesOf(call)) {
    // The whole value, not the items of its main list: only the whole matches the hash.
    const whole = { archive, pointer: "" };
    let args: JsonObject | undefined = whole;
    for (let page = 0; page < MAX_ARCHIVE_PAGES && args !== undefined; page += 1) {
      const spec = { tool: tool.name, purpose: "retrieve", arguments: args, follows: call.index } as const;
      const got: CallRecord | undefined = await callTool(caller, spec);
      const cursor = got?.reply.kind === "result" ? readPage(got.reply.result)?.cursor : undefined;
      args = cursor === undefined ? undefined : nextPageArguments(tool.definition, whole, cursor);
    }
  }
}

/**
 * Calls a tool, cancels the call at once, and sends another request. An answer before the cancellation proves nothing.
 */
export async function cancel(
  caller: Caller,
  { tool, arguments: args, durationMs }: CallRecord,
  maxMs: number,
): Promise<void> {
  if (caller.isOver()) return;
  // Somewhat longer than the call takes without cancellation: if an answer arrives, the server never stopped working on
  // it.
  const waitMs = Math.min(maxMs, CANCEL_WAIT_MS + 1.5 * durationMs);
  const { server, recorder, countTokens } = caller;
  const params = { name: tool, arguments: args };
  const { answer, afterMs } = await server.askAndCancel("tools/call", params, waitMs);
  const next = await server.ask("tools/list");
  if (caller.isOver()) return;
  const isSilent = answer.reply.kind === "timeout";
  const answeredAfterMs = isSilent ? undefined : Math.max(0, answer.durationMs - afterMs);
  const record = toRecord({ tool, purpose: "cancelled", arguments: args }, answer, countTokens);
  recorder.call({ ...record, cancel: { afterMs, answeredAfterMs, next: next.reply } });
}
