// A real redis-server of one's own: a child process on a free loopback port, in a folder that goes with it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface RedisServerOptions {
  /** Writes every command to a file, so that what was acknowledged survives `kill` and `restart`. */
  readonly appendOnly?: boolean;
  readonly arguments?: readonly string[];
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** SIGKILL: no goodbye to clients, nothing flushed. */
  kill(): Promise<void>;
  /** Starts it on the same port, with what its folder holds. */
  restart(): Promise<void>;
  /** Keeps its connections and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

const START_LIMIT_MS = 120_000;

/** Whether tests that need Redis can run. */
export function hasRedis(): boolean {
  return spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;
}

/** Whether certificates can be made for a Redis that speaks TLS. */
export function hasOpenssl(): boolean {
  return spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.setTimeout(5_000, () => socket.destroy());
    // While it loads its file it answers -LOADING.
    socket.on("data", (data) => {
      resolve(!data.toString().startsWith("-LOADING"));
      socket.destroy();
    });
    socket.on("error", () => resolve(false));
    socket.on("close", () => resolve(false));
  });
}

/** A test run that is killed runs no handler of its own: a shell waits for its end, and ends the server then. */
function endWith(parent: number, child: ChildProcess): void {
  if (child.pid === undefined) return;
  const script = `while kill -0 ${parent}; do kill -0 ${child.pid} || exit; sleep 2; done; kill -9 ${child.pid}`;
  spawn("sh", ["-c", script], { stdio: "ignore", detached: true }).unref();
}

async function launch(port: number, folder: string, options: RedisServerOptions): Promise<ChildProcess> {
  // Always, since every second means that what was answered last may be lost with the process.
  const log = options.appendOnly === true ? ["yes", "--appendfsync", "always"] : ["no"];
  const persistence = ["--save", "", "--appendonly", ...log];
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--daemonize", "no"];
  const child = spawn("redis-server", [...place, ...persistence, ...(options.arguments ?? [])], {
    stdio: "ignore",
  });
  endWith(process.pid, child);
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null)
      throw new Error(`redis-server ended with ${child.exitCode} on port ${port}.`);
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`redis-server did not answer on port ${port}.`);
    }
    await sleep(20);
  }
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "waybill-redis-"));
  let child = await launch(port, folder, options);
  // A test run that is cut short must not leave a server behind.
  const last = (): void => void child.kill("SIGKILL");
  process.once("exit", last);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: () => end(child),
    async restart() {
      await end(child);
      child = await launch(port, folder, options);
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      await end(child);
      process.off("exit", last);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
