// Starts a command once, greets it like a client, and ends it: whether it can be started is otherwise known only when the
// first client has waited for it.

import { McpClient } from "../../../engine/transport/mcp-client.ts";
import { START_TIMEOUT_MS } from "../upstream/http-upstream.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** Why a command cannot be called; undefined if it answers, whatever it answers. The process is gone when this resolves. */
export async function probeCommand(
  upstream: Upstream,
  timeoutMs: number = START_TIMEOUT_MS,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return undefined;
  let tellGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (tellGone = resolve));
  const link = upstream.connect({ principal: "probe" }, () => tellGone());
  if (link.isRefused === true) {
    // This machine has no room for another process, which says nothing about the server.
    link.close();
    return undefined;
  }
  const client = new McpClient({ link, clientInfo: { name: "waybill-probe", version: "1" } });
  const stop = (): void => client.close("the gateway stopped");
  signal?.addEventListener("abort", stop, { once: true });
  const { reply } = await client.greet("legacy-first", timeoutMs);
  signal?.removeEventListener("abort", stop);
  client.close("nothing more is asked");
  await gone;
  if (reply.kind === "timeout") return `the server did not answer within ${timeoutMs} ms`;
  return reply.kind === "closed" && !isStopped() ? reply.reason : undefined;
}
