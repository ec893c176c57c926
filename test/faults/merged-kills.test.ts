import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { startMerged } from "../journeys/merged-servers.fixture.ts";

const fixture = fileURLToPath(new URL("../journeys/pid-server.fixture.ts", import.meta.url));
const server = { command: process.execPath, args: ["--import", "tsx", fixture] };
const names = ["one", "two", "three", "four", "five", "six"];
/** A killed server is started after a pause that grows, so a turn may find nothing to kill. */
const turns = isFullRun ? 12 : 3;
const turnMs = isFullRun ? 5_000 : 1_500;
const MIN_KILLS = 3;
/** Twelve servers start at once; a killed one may wait for half a minute. */
const WAIT = { timeout: 120_000, interval: 500 };

async function textOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as readonly { readonly text?: string }[];
  if (isError === true) throw new Error(first?.text ?? "");
  return first?.text ?? "";
}

describe("six servers at one address, one of which is killed again and again", () => {
  it.concurrent.for(["legacy", "modern"] as const)(
    "answer every call to the other five, and the sixth comes back (%s)",
    async (era, { annotate, onTestFinished }) => {
      const merge = await startMerged(Object.fromEntries(names.map((name) => [name, server])));
      onTestFinished(() => merge.close());
      const client = new Client(
        { name: "kills", version: "1.0.0" },
        { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
      );
      await client.connect(new StreamableHTTPClientTransport(merge.url));
      onTestFinished(() => client.close());
      let news = 0;
      client.setNotificationHandler("notifications/tools/list_changed", () => void (news += 1));
      if (era === "modern") await client.listen({ toolsListChanged: true });
      await vi.waitFor(
        async () => expect((await client.listTools()).tools).toHaveLength(2 * names.length + 1),
        WAIT,
      );
      const failed: string[] = [];
      let calls = 0;
      const over = new AbortController();
      const others = names.slice(1).map(async (name) => {
        for (let at = 0; !over.signal.aborted; at += 1) {
          calls += 1;
          const said = await textOf(client, `${name}_echo`, { text: `${name} ${at}`, ms: 20 }).catch(String);
          if (said !== `${name} ${at}`) failed.push(said);
        }
      });
      let killed = 0;
      for (let turn = 0; turn < turns || killed < MIN_KILLS; turn += 1) {
        const pid = Number(await textOf(client, "one_pid", {}).catch(() => 0));
        if (pid > 0) {
          process.kill(pid, "SIGKILL");
          killed += 1;
        }
        await sleep(turnMs);
      }
      over.abort();
      await Promise.all(others);
      await annotate(`${killed} kills, ${calls} calls to the others, ${failed.length} failed, ${news} news`);
      expect(failed).toEqual([]);
      expect(calls).toBeGreaterThan(0);
      await vi.waitFor(
        async () => expect(await textOf(client, "one_echo", { text: "back", ms: 0 })).toBe("back"),
        WAIT,
      );
      expect(news).toBeGreaterThan(0);
    },
  );
});
