import { afterEach, expect } from "vitest";
import type { UrlUpstream } from "../gateway-options.ts";
import { openHttpUpstream } from "./http-upstream.ts";
import {
  type Handle,
  type RawServer,
  serveRaw,
  quick,
} from "../../../engine/transport/http/raw-http-server.fixture.ts";

/** Closed after every test. */
export const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

export type Message = Record<string, unknown> & {
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/** A link to a server that is one function, and what came over it. */
export async function connect(handle: Handle, options: Partial<UrlUpstream> = {}) {
  const server: RawServer = await serveRaw(handle);
  const upstream = openHttpUpstream("raw", { url: server.url, ...options });
  open.push(upstream, server);
  const heard: Message[] = [];
  const raw: string[] = [];
  const oversized: unknown[] = [];
  const closed: string[] = [];
  const restored: true[] = [];
  const repeated: string[] = [];
  const link = upstream.connect({ principal: "local" });
  link.listen({
    message: (bytes) => {
      raw.push(bytes.toString());
      heard.push(JSON.parse(bytes.toString()) as Message);
    },
    oversized: (message) => oversized.push(message),
    closed: (why) => closed.push(why),
    restored: () => restored.push(true),
    repeated: (rawId) => repeated.push(rawId),
  });
  const send = (message: object): void => link.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const first = async (): Promise<Message> => {
    await expect.poll(() => heard.length, quick).toBeGreaterThan(0);
    return heard[0] as Message;
  };
  return { server, upstream, link, send, first, heard, raw, oversized, closed, restored, repeated };
}

export const call = { id: 1, method: "tools/call", params: { name: "add", arguments: {} } };
export const good = { jsonrpc: "2.0", id: 1, result: { content: [] } };
export const json = { "content-type": "application/json" };
export const stream = { "content-type": "text/event-stream" };
