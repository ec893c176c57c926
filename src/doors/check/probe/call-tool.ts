import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { CallRecord, Reply } from "../../../core/rules/server-record.ts";
import type { Answer } from "../../../engine/transport/mcp-client.ts";
import type { LiveServer } from "./live-server.ts";
import type { Recorder } from "./recorder.ts";

export type CallSpec = Pick<CallRecord, "tool" | "purpose" | "arguments" | "wrong" | "follows">;

/** Counting stops here; no client reads that much. */
const MAX_TOKENS = 1_000_000;

export interface Caller {
  readonly server: LiveServer;
  readonly recorder: Recorder;
  readonly countTokens: (text: string, limit?: number) => number;
  /** Whether the time of the whole check is over, or the check was aborted. */
  readonly isOver: () => boolean;
}

function bytesOf(reply: Reply): number {
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
function tokensOf(reply: Reply, count: Caller["countTokens"]): CallRecord["tokens"] {
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
  { reply, durationMs }: Answer,
  countTokens: Caller["countTokens"],
): Omit<CallRecord, "index"> {
  return { ...spec, reply, durationMs, bytes: bytesOf(reply), tokens: tokensOf(reply, countTokens) };
}

/** The answer to a call that is not recorded; undefined if the check ended before the answer arrived. */
export async function tryCall(
  caller: Caller,
  { tool, arguments: args }: CallSpec,
): Promise<Answer | undefined> {
  if (caller.isOver()) return undefined;
  const answer = await caller.server.ask("tools/call", { name: tool, arguments: args });
  // The check ran out of time, not the server.
  return answer.reply.kind !== "result" && caller.isOver() ? undefined : answer;
}

/** Calls a tool and records the call; undefined if the check ended before the answer arrived. */
export async function callTool(caller: Caller, spec: CallSpec): Promise<CallRecord | undefined> {
  const answer = await tryCall(caller, spec);
  return answer && caller.recorder.call(toRecord(spec, answer, caller.countTokens));
}
