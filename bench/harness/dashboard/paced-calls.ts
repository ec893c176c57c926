import { createInterface } from "node:readline";
import { Client } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport } from "mcp-sdk-1-32/client/streamableHttp.js";
import type { OpenGateway } from "./open-gateway.ts";

/** What became of the calls of one turn. */
interface Counted {
  readonly sent: number;
  readonly answered: number;
  readonly failed: number;
}

/** Makes calls at a rate for some time, and waits for their answers. */
export interface Caller {
  run(callsPerSecond: number, seconds: number): Promise<Counted>;
  close(): Promise<void>;
}

const TICK_MS = 10;
const LATE_MS = 20_000;

/** Calls `send` as often as the rate wants it: what a late timer owes is made up for. */
async function pace(callsPerSecond: number, seconds: number, send: (at: number) => void): Promise<number> {
  const started = performance.now();
  const total = Math.round(callsPerSecond * seconds);
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) * callsPerSecond) / 1_000));
    while (sent < due) send(sent++);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  return sent;
}

async function until(holds: () => boolean): Promise<void> {
  const started = performance.now();
  while (!holds() && performance.now() - started < LATE_MS)
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
}

/** A client without an SDK: lines that are written, and ids that come back. */
export async function rawCaller(gateway: OpenGateway): Promise<Caller> {
  const { stdin, stdout } = gateway.child;
  if (stdin === null || stdout === null) throw new Error("The gateway has no stdio.");
  const waiting = new Set<number>();
  let answered = 0;
  let failed = 0;
  let lastId = 0;
  createInterface({ input: stdout }).on("line", (line) => {
    const id = Number(/"id":(\d+)/.exec(line)?.[1]);
    if (!waiting.delete(id)) return;
    answered += 1;
    if (line.includes('"isError":true')) failed += 1;
  });
  const ask = (method: string, params: object): void => {
    waiting.add((lastId += 1));
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
  };
  const clientInfo = { name: "generator", version: "1.0.0" };
  ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await until(() => waiting.size === 0);
  stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  ask("tools/list", {});
  await until(() => waiting.size === 0);
  return {
    run: async (callsPerSecond, seconds) => {
      answered = 0;
      failed = 0;
      const sent = await pace(callsPerSecond, seconds, (at) =>
        ask("tools/call", { name: "read", arguments: { at } }),
      );
      await until(() => waiting.size === 0);
      waiting.clear();
      return { sent, answered, failed };
    },
    close: () => gateway.close(),
  };
}

/** SDK clients over HTTP, each with a session of its own. */
export async function sdkCaller(gateway: OpenGateway, clients: number): Promise<Caller> {
  const opened = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client({ name: "bench", version: "1.0.0" });
      await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url ?? "")));
      await client.listTools();
      return client;
    }),
  );
  return {
    run: async (callsPerSecond, seconds) => {
      let open = 0;
      let answered = 0;
      let failed = 0;
      const call = async (at: number): Promise<void> => {
        open += 1;
        try {
          const result = await opened[at % clients]?.callTool({ name: "read", arguments: { at } });
          answered += 1;
          if (result?.isError === true) failed += 1;
        } catch {
          // It has no answer, and the figures say so.
        } finally {
          open -= 1;
        }
      };
      const sent = await pace(callsPerSecond, seconds, (at) => void call(at));
      await until(() => open === 0);
      return { sent, answered, failed };
    },
    close: async () => {
      await Promise.all(opened.map((client) => client.close().catch(() => undefined)));
      await gateway.close();
    },
  };
}
