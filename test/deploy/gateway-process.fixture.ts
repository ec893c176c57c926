// The gateway as a container would run it, without the container: its own process, on loopback.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

export interface GatewayProcess {
  readonly pid: number;
  /** Where it listens, without a path. */
  readonly origin: string;
  readonly stderr: () => string;
  /** Asks it to stop and resolves with how it ended. */
  stop(): Promise<number | null>;
}

const cli = resolve("src/cli/main.ts");

async function untilListening(child: ChildProcess, said: () => string): Promise<string> {
  for (;;) {
    const [, origin] = /listens on (http:\/\/[^/\s]+)\//.exec(said()) ?? [];
    if (origin !== undefined) return origin;
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}: ${said()}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Runs `waybill` with these words; `config` is the file that the last of them names. */
export async function startGateway(
  words: readonly string[],
  config: object,
  environment: Readonly<Record<string, string>>,
): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-gateway-"));
  const file = join(folder, "gateway.json");
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(process.execPath, ["--import", "tsx", cli, ...words.slice(0, -1), file], {
    env: {
      PATH: [resolve("node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter),
      HOME: folder,
      XDG_STATE_HOME: folder,
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  const last = (): void => void child.kill("SIGKILL");
  process.once("exit", last);
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  const origin = await untilListening(child, () => said);
  return {
    pid: child.pid ?? 0,
    origin,
    stderr: () => said,
    stop: async () => {
      child.kill("SIGTERM");
      const code = await ended;
      process.off("exit", last);
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}
