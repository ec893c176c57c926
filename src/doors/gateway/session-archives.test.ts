import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { hasPostgres, sharedPostgres } from "../../../test/services/postgres.fixture.ts";
import { createState } from "../../engine/call/contract-state.ts";
import { sessionTenant } from "../../engine/call/open-call.ts";
import type { ArchiveStore } from "../../engine/archive/archive-store.ts";
import { memoryStore } from "../../engine/archive/memory-store.ts";
import { postgresStore } from "../../engine/archive/postgres/postgres-store.ts";
import { createGateway } from "./create-gateway.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { REMOVAL_WAIT_MS, forgetSession, sessionsForgotten } from "./session-archives.ts";

/** A server of one tool, whose result is too long and differs from process to process. */
const longServer = `
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "long", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "read", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: (process.pid + " pages of a long book. ").repeat(2_000) }] }),
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} }));
  });
`;

const SESSIONS = 4;

async function entriesIn(store: ArchiveStore): Promise<number> {
  let count = 0;
  for await (const _entry of store.list()) count++;
  return count;
}

/** A gateway with open legacy sessions without a token, each of which has left something in the store. */
async function openSessions(store: GatewayOptions["store"]) {
  const warned: unknown[] = [];
  const quiet = (): void => undefined;
  const warn = (fields: object, event?: string): void => void warned.push({ event, ...fields });
  const gateway = createGateway({
    upstreams: { long: { command: process.execPath, args: ["-e", longServer], budget: { tokens: 500 } } },
    http: { port: 0 },
    logger: { info: quiet, warn, error: warn },
    ...(store === undefined ? {} : { store }),
  });
  onTestFinished(() => gateway.close());
  const { urls } = await gateway.listen();
  for (let at = 0; at < SESSIONS; at++) {
    const mode = { versionNegotiation: { mode: "legacy" } } as const;
    const client = new Client({ name: "reader", version: "1" }, mode);
    await client.connect(new StreamableHTTPClientTransport(new URL(urls["long"] ?? "")));
    onTestFinished(() => client.close());
    await client.callTool({ name: "read", arguments: {} });
  }
  return { gateway, warned };
}

afterEach(() => void vi.useRealTimers());

describe("a gateway that is closed", () => {
  it("has removed the archives of its sessions, however slow the store is", async () => {
    const kept = memoryStore();
    const remove = kept.delete.bind(kept);
    const slow = Object.assign(kept, {
      async delete(tenant: string, hash: string) {
        await sleep(50);
        return remove(tenant, hash);
      },
    });
    const { gateway, warned } = await openSessions(slow);
    expect(await entriesIn(kept)).toBe(SESSIONS);
    await gateway.close();
    expect(await entriesIn(kept)).toBe(0);
    expect(warned).toEqual([]);
  });

  it.runIf(hasPostgres() && isFullRun)(
    "has removed them from PostgreSQL before it closes the store",
    async () => {
      const server = await sharedPostgres();
      const schema = "session_archives";
      onTestFinished(async () => void (await server.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)));
      const watched = postgresStore(server.url, { schema });
      onTestFinished(() => watched.close());
      const { gateway, warned } = await openSessions(`${server.url}?schema=${schema}`);
      expect(await entriesIn(watched)).toBe(SESSIONS);
      await gateway.close();
      expect(await entriesIn(watched)).toBe(0);
      expect(warned).toEqual([]);
    },
  );
});

describe("the archives of ended sessions", () => {
  it("are waited for 5 s at most, and it is said how many stay", async () => {
    const warned: unknown[] = [];
    const quiet = (): void => undefined;
    const warn = (fields: object, event?: string): void => void warned.push({ event, ...fields });
    const kept = memoryStore();
    let answer: (() => void) | undefined;
    const stuck = Object.assign(kept, {
      delete: () =>
        new Promise<boolean>(
          (_resolve, reject) => (answer = () => reject(new Error("The store is closed."))),
        ),
    });
    const state = createState({ store: stuck, logger: { info: quiet, warn, error: warn } });
    await kept.put(sessionTenant("s1"), ["[1]"]);
    await state.archive.store();
    vi.useFakeTimers();
    forgetSession(state, "s1");
    const over = sessionsForgotten(state);
    await vi.advanceTimersByTimeAsync(REMOVAL_WAIT_MS);
    await over;
    const said = {
      event: "session-archive-kept",
      sessions: 1,
      hint: "The store did not remove them within 5000 ms of closing. They expire by themselves.",
    };
    expect(warned).toEqual([said]);
    // What the store says later is not said again.
    answer?.();
    await vi.advanceTimersByTimeAsync(1);
    expect(warned.filter((each) => JSON.stringify(each).includes("session-archive-kept"))).toEqual([said]);
  });
});
