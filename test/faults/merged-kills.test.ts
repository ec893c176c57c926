import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startMerged } from "../journeys/merged-servers.fixture.ts";

const fixture = fileURLToPath(new URL("../journeys/pid-server.fixture.ts", import.meta.url));
const server = { command: process.execPath, args: ["--import", "tsx", fixture] };
const names = ["one", "two", "three", "four", "five", "six"];
/** The claim is made of twelve kills, five seconds apart: MERGED_KILLS=12 MERGED_PAUSE_MS=5000. */
const kills = Number(process.env["MERGED_KILLS"] ?? 3);
const pauseMs = Number(process.env["MERGED_PAUSE_MS"] ?? 1_500);

async function textOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as readonly { readonly text?: string }[];
  if (isError === true) throw new Error(first?.text ?? "");
  return first?.text ?? "";
}

describe.each(["legacy", "modern"] as const)(
  "six servers at one address, one of which is killed again and again (%s)",
  (era) => {
    it(
      "answer every call to the other five, and the sixth comes back",
      async () => {
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
          { timeout: 30_000 },
        );
        const failed: string[] = [];
        let calls = 0;
        const over = new AbortController();
        const others = names.slice(1).map(async (name) => {
          for (let at = 0; !over.signal.aborted; at += 1) {
            calls += 1;
            const said = await textOf(client, `${name}_echo`, { text: `${name} ${at}`, ms: 20 }).catch(
              String,
            );
            if (said !== `${name} ${at}`) failed.push(said);
          }
        });
        let killed = 0;
        while (killed < kills) {
          const pid = Number(await textOf(client, "one_pid", {}).catch(() => 0));
          if (pid > 0) {
            process.kill(pid, "SIGKILL");
            killed += 1;
          }
          await sleep(pauseMs);
        }
        over.abort();
        await Promise.all(others);
        expect(failed).toEqual([]);
        expect(calls).toBeGreaterThan(0);
        if (process.env["MERGED_KILLS"] !== undefined)
          process.stdout.write(
            `${era}: ${killed} kills, ${calls} calls to the others, ${failed.length} failed, ${news} news`,
          );
        await vi.waitFor(
          async () => expect(await textOf(client, "one_echo", { text: "back", ms: 0 })).toBe("back"),
          {
            timeout: 30_000,
            interval: 500,
          },
        );
        expect(news).toBeGreaterThan(0);
      },
      60_000 + kills * pauseMs * 2,
    );
  },
);
