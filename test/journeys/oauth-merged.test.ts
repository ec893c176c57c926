import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { Era } from "./attach-clients.fixture.ts";
import { browse } from "./authorization-server.fixture.ts";
import { Connected, type World, openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 90_000;
/** The gateway looks for logins of other processes once in a second. */
const WAIT = { timeout: 20_000, interval: 250 };
const TOOLS = ["read", "write", "large"];

/** The command and arguments that `wrap --merge` writes for these servers. */
async function mergedEntry(world: World, servers: Readonly<Record<string, World>>): Promise<string[]> {
  const file = join(world.home, "mcp.json");
  const entries = Object.entries(servers).map(([name, { server }]) => [name, { url: server.url }] as const);
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  const { code, stdout } = await world.run(["wrap", file, "--merge", "--yes"]);
  expect(code).toBe(0);
  for (const { server } of Object.values(servers)) expect(stdout).toContain(`waybill login ${server.url}`);
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  expect(Object.keys(mcpServers)).toEqual(["waybill"]);
  const { command = "", args = [] } = mcpServers["waybill"] ?? {};
  // The source takes the place of the built command line.
  return [command, "--import", "tsx", resolve("src/cli/main.ts"), ...args.slice(1)];
}

async function connect(world: World, era: Era, [command = "", ...args]: string[]): Promise<Connected> {
  const transport = new StdioClientTransport({ command, args, env: world.env, stderr: "pipe" });
  let said = "";
  transport.stderr?.on("data", (data: Buffer) => (said += data.toString()));
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(
    { name: "journey", version: "1" },
    { versionNegotiation: { mode } as never, capabilities: {} },
  );
  const connected = new Connected(world, client, () => said);
  onTestFinished(() => connected.close());
  await client.connect(transport);
  return connected;
}

/** A call is refused with an address that leads to the authorization server of this world, and to no other. */
async function asksToSignInTo(world: World, gateway: Connected, tool: string): Promise<void> {
  const { json, address = "" } = await gateway.call(tool);
  expect(json).toContain("UNAUTHORIZED");
  expect(json).toContain(`waybill login ${world.server.url}`);
  const { addresses } = await browse(address, (next) => !next.startsWith(new URL(address).origin));
  expect(new URL(addresses.at(-1) ?? "").origin).toBe(world.authorization.origin);
}

describe.runIf(isFullRun)("servers that sign in, behind the one entry of wrap --merge", () => {
  it.each(["legacy", "modern"] as const)(
    "ask each for its own sign-in, and work each from its own sign-in on (%s)",
    async (era) => {
      const notes = await openWorld(era, { here: ["login"] });
      const issues = await openWorld(era, { here: ["login"], beside: notes });
      const gateway = await connect(notes, era, await mergedEntry(notes, { notes, issues }));
      expect(await gateway.tools()).toEqual(["notes_sign_in", "issues_sign_in"]);
      await asksToSignInTo(notes, gateway, "notes_sign_in");
      await asksToSignInTo(issues, gateway, "issues_sign_in");

      expect((await notes.login()).code).toBe(0);
      await vi.waitFor(async () => expect(await gateway.tools()).toEqual([...TOOLS, "issues_sign_in"]), WAIT);
      expect((await gateway.call("read")).text).toBe("read by ada");
      expect(notes.server.shown).toHaveLength(1);
      await asksToSignInTo(issues, gateway, "issues_sign_in");

      expect((await issues.login()).code).toBe(0);
      const all = ["notes", "issues"].flatMap((name) => TOOLS.map((tool) => `${name}_${tool}`));
      await vi.waitFor(async () => expect(await gateway.tools()).toEqual(all), WAIT);
      expect((await gateway.call("notes_read")).text).toBe("read by ada");
      expect((await gateway.call("issues_read")).text).toBe("read by ada");
      expect([notes.server.shown.length, issues.server.shown.length]).toEqual([2, 1]);
      expect(notes.server.shown).not.toContain(issues.server.shown[0]);
      await gateway.close();
      expect([...notes.leaks(), ...issues.leaks()]).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
