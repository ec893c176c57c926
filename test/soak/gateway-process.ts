import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export interface GatewayProcess {
  readonly url: string;
  readonly pid: number;
  /** Undefined while it runs. */
  readonly ended: () => string | undefined;
  readonly stop: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function untilSaid(child: ChildProcess, port: number): Promise<string> {
  let said = "";
  const hear = (bytes: Buffer): void => {
    if (said.length < 100_000) said += bytes.toString();
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  for (let attempt = 0; attempt < 400; attempt++) {
    const [url] = new RegExp(`http://127\\.0\\.0\\.1:${port}/\\S*mcp`).exec(said) ?? [];
    if (url !== undefined) return url;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The gateway did not start: ${said}`);
}

/** The built gateway over HTTP in front of the soak's server. */
export async function startGateway(args: readonly string[], stateFolder: string): Promise<GatewayProcess> {
  const port = await freePort();
  const config = join(stateFolder, `soak-${port}.json`);
  // Sixteen sessions with a process each, and one that all modern clients share.
  const soak = { command: process.execPath, args: [here("./tools-server.mjs")], max_processes: 24 };
  writeFileSync(config, JSON.stringify({ upstreams: { soak } }));
  const command = [here("../../dist/cli/main.js"), "gateway", "--http", String(port), "--config", config];
  const child = spawn(process.execPath, [...command, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, XDG_STATE_HOME: stateFolder },
  });
  let ended: string | undefined;
  child.on("exit", (code, signal) => void (ended = `code ${code}, signal ${signal}`));
  const url = await untilSaid(child, port);
  return {
    url,
    pid: child.pid ?? 0,
    ended: () => ended,
    stop: async () => {
      if (ended !== undefined) return;
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}
