// Starts a command once, greets it like a client, and ends it: whether it can be started is otherwise known only when the
// first client has waited for it.

import { McpClient } from "../../../engine/transport/mcp-client.ts";
import type { RecordedReply } from "../../../core/rules/server-record.ts";
import { START_TIMEOUT_MS } from "../upstream/http-upstream.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** A server that takes no notice of `ping` may be asked, but its silence means nothing. */
const PING_MS = 3_000;

export interface CommandFinding {
  /** Why the command cannot be called; undefined if it answers, whatever it answers. */
  readonly failure?: string | undefined;
  /** It answers when it is asked for a sign of life. */
  readonly givesSigns?: boolean | undefined;
}

/** The process is gone when this resolves. */
export async function probeCommand(
  upstream: Upstream,
  timeoutMs: number = START_TIMEOUT_MS,
  signal?: AbortSignal,
): Promise<CommandFinding> {
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return {};
  let tellGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (tellGone = resolve));
  const link = upstream.connect({ principal: "probe" }, () => tellGone());
  if (link.isRefused === true) {
    // This machine has no room for another process, which says nothing about the server.
    link.close();
    return {};
  }
  const client = new McpClient({ link, clientInfo: { name: "waybill-probe", version: "1" } });
  const stop = (): void => client.close("the gateway stopped");
  signal?.addEventListener("abort", stop, { once: true });
  const { reply, era } = await client.greet("legacy-first", timeoutMs);
  const givesSigns = isAnswer(reply) && (era === "modern" || (await answersPing(client)));
  signal?.removeEventListener("abort", stop);
  client.close("nothing more is asked");
  await gone;
  if (reply.kind === "timeout") return { failure: `the server did not answer within ${timeoutMs} ms` };
  return reply.kind === "closed" && !isStopped() ? { failure: reply.reason } : { givesSigns };
}

function isAnswer({ kind }: RecordedReply): boolean {
  return kind === "result" || kind === "error";
}

async function answersPing(client: McpClient): Promise<boolean> {
  return isAnswer((await client.ask("ping", {}, { timeoutMs: PING_MS })).reply);
}
