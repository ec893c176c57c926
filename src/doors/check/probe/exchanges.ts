// What is said besides lists and calls, to see how the server keeps to the protocol.

import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import type { ExchangePurpose, ServerRecord } from "../../../core/rules/server-record.ts";
import type { Caller } from "./call-tool.ts";
import { type Answer, toReply } from "./connection.ts";
import type { LiveServer } from "./live-server.ts";

type Exchange = ServerRecord["exchanges"][number];

/** No JSON, but it begins like a message: servers that look only at the first characters meet it too. */
const BROKEN_LINE = '{"jsonrpc":"2.0","id":"waybill-check-broken","method":"tools/list","params":{';
const STRING_ID = "waybill-check-é-1";

function exchange(purpose: ExchangePurpose, request: JsonValue, { reply, response }: Answer): Exchange {
  return { purpose, request, reply, response };
}

async function asked(
  server: LiveServer,
  purpose: ExchangePurpose,
  method: string,
  params: JsonObject = {},
  id?: string,
): Promise<Exchange> {
  return exchange(
    purpose,
    { method, params, ...(id === undefined ? {} : { id }) },
    await server.ask(method, params, id),
  );
}

/** A notification that nobody knows, then a request: whatever answers the notification comes before the request's answer. */
async function unknownNotification(server: LiveServer): Promise<Exchange> {
  const message = { jsonrpc: "2.0", method: "notifications/waybill-check-unknown" };
  const { heard } = await server.sendLine(JSON.stringify(message));
  return exchange("unknown-notification", message, answerOf(heard));
}

function answerOf(heard: JsonObject | undefined): Answer {
  const reply = heard === undefined ? ({ kind: "timeout", afterMs: 0 } as const) : toReply(heard);
  return { reply, response: heard, durationMs: 0 };
}

/** All exchanges, the one that may do harm last. What the end of the check cut off is left out. */
export async function exchangeAll(
  { server, isOver }: Caller,
  { transport }: { readonly transport: "stdio" | "http" },
): Promise<readonly Exchange[]> {
  const steps: (() => Promise<readonly Exchange[]>)[] = [
    async () => (server.era === "legacy" ? [await asked(server, "ping", "ping")] : []),
    async () => [await asked(server, "string-id", "tools/list", {}, STRING_ID)],
    async () => [await asked(server, "unknown-method", "waybill-check/no-such-method")],
    async () => [await asked(server, "bad-cursor", "tools/list", { cursor: "waybill-check-no-such-cursor" })],
  ];
  // Over HTTP each message is a request of its own: nothing could come back for these in another's stead.
  if (transport === "stdio")
    steps.push(
      async () => [await unknownNotification(server)],
      () => brokenLine(server),
    );
  const done: Exchange[] = [];
  for (const step of steps) {
    if (isOver()) break;
    const exchanges = await step();
    if (!isOver()) done.push(...exchanges);
  }
  return done;
}

async function brokenLine(server: LiveServer): Promise<readonly Exchange[]> {
  const { heard, next } = await server.sendLine(BROKEN_LINE);
  return [
    exchange("broken-json", BROKEN_LINE, answerOf(heard)),
    exchange("after-broken-json", { method: "tools/list" }, next),
  ];
}
