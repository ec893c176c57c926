import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const server = fileURLToPath(new URL("../../bench/harness/large/large-upstream.mjs", import.meta.url));
const flag = ["--permission", "--experimental-permission"].find((name) =>
  process.allowedNodeEnvironmentFlags.has(name),
);

/** The gateway under a permission model that allows everything but threads. */
function start() {
  const state = mkdtempSync(join(tmpdir(), "waybill-"));
  const allowed = [flag ?? "", "--allow-fs-read=*", "--allow-fs-write=*", "--allow-child-process"];
  const gateway = spawn(process.execPath, [...allowed, cli, "gateway", "--", process.execPath, server], {
    env: { ...process.env, XDG_STATE_HOME: state },
  });
  onTestFinished(async () => {
    gateway.kill();
    if (gateway.exitCode === null) await once(gateway, "exit");
    rmSync(state, { recursive: true, force: true });
  });
  let logged = "";
  gateway.stderr.on("data", (bytes: Buffer) => (logged += bytes.toString()));
  const lines = createInterface({ input: gateway.stdout });
  const ask = async (message: object): Promise<string> => {
    gateway.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const [line] = (await once(lines, "line")) as [string];
    return line;
  };
  return { ask, logged: () => logged };
}

it.runIf(flag !== undefined)(
  "a gateway that may start no thread delivers large results all the same, and says once what that means",
  async () => {
    const { ask, logged } = start();
    const clientInfo = { name: "journey", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    await ask({ id: 1, method: "initialize", params });
    const call = { name: "send", arguments: { shape: "rows", size: 2_000_000 } };
    for (const id of [2, 3]) {
      const answer = await ask({ id, method: "tools/call", params: call });
      expect(answer).toContain("items omitted");
      expect(answer.length).toBeLessThan(100_000);
    }
    expect(logged().match(/large-results-here/g)).toHaveLength(1);
  },
);
