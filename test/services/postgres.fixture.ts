// A PostgreSQL of one's own: a cluster made by `initdb` in a folder that goes with it, on a free loopback port. Where the
// tests run as root it runs as the user `postgres`, because PostgreSQL refuses root.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./redis.fixture.ts";

export interface PostgresServerOptions {
  /** What a machine that loses its power would need too; slower. */
  readonly fsync?: boolean;
  /** Files for the server, such as a certificate, get its user as owner. */
  readonly files?: readonly string[];
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface PostgresServer {
  /** With a name and a password, which PostgreSQL asks for on its port. */
  readonly url: string;
  readonly port: number;
  /** The folder of its Unix socket, where it asks for no password. */
  readonly folder: string;
  /** Statements for what a store does not do. */
  run(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** SIGKILL, to it and the processes of its connections: nothing is flushed, and no client is told. */
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
const PASSWORD = "right-word";

/** Debian keeps the programs of each version in a folder of its own, outside the path. */
function programOf(name: string): string | undefined {
  const places = "/usr/lib/postgresql";
  const versions = existsSync(places) ? readdirSync(places).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(places, version, "bin", name))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  return spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0 ? name : undefined;
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** Whom PostgreSQL runs as; undefined where that is root, and there is no user `postgres`. */
function accountOf(): Account | undefined {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(String(spawnSync("id", [flag, "postgres"]).stdout).trim() || 0),
  );
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { uid, gid };
}

/** Whether tests that need PostgreSQL can run. */
export function hasPostgres(): boolean {
  return (
    programOf("initdb") !== undefined && programOf("postgres") !== undefined && accountOf() !== undefined
  );
}

function own(path: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function makeCluster(folder: string, account: Account): void {
  // On its socket anybody of this machine is trusted; on its port it asks for the password.
  const secret = join(folder, "password");
  writeFileSync(secret, `${PASSWORD}\n`, { mode: 0o600 });
  own(secret, account);
  const users = [
    "--username",
    "waybill",
    "--auth-local",
    "trust",
    "--auth-host",
    "scram-sha-256",
    "--pwfile",
    secret,
  ];
  const small = ["--no-sync", "--no-instructions", "--locale", "C", "--encoding", "UTF8"];
  const { status, stderr } = spawnSync(
    programOf("initdb") ?? "initdb",
    [...users, ...small, join(folder, "data")],
    {
      ...account,
      cwd: folder,
    },
  );
  if (status !== 0) throw new Error(`initdb failed: ${String(stderr)}`);
}

/** A test run that is killed runs no handler of its own: a shell waits for its end, and ends the server then. */
function endWith(parent: number, child: ChildProcess, folder: string): void {
  if (child.pid === undefined) return;
  const script = `while kill -0 ${parent}; do kill -0 ${child.pid} || exit; sleep 2; done; kill -9 ${child.pid}; rm -rf "$0"`;
  spawn("sh", ["-c", script, folder], { stdio: "ignore", detached: true }).unref();
}

async function launch(
  folder: string,
  port: number,
  options: PostgresServerOptions,
  account: Account,
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    fsync: options.fsync === true ? "on" : "off",
    shared_buffers: "64MB",
    ...options.settings,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const child = spawn(programOf("postgres") ?? "postgres", ["-D", join(folder, "data"), ...words], {
      ...account,
      stdio: "ignore",
      cwd: folder,
    });
    endWith(process.pid, child, folder);
    while (child.exitCode === null) {
      if (await answers(folder, port)) return child;
      if (Date.now() > deadline) {
        child.kill("SIGKILL");
        throw new Error(`PostgreSQL did not answer on port ${port}.`);
      }
      await sleep(20);
    }
    // After a kill, processes of old connections may hold its memory for a moment: it then refuses to start.
    if (Date.now() > deadline) throw new Error(`PostgreSQL ended with ${child.exitCode} on port ${port}.`);
    await sleep(50);
  }
}

async function ask(folder: string, port: number, text: string) {
  const client = new Client({ host: folder, port, user: "waybill", database: "postgres" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows as readonly Readonly<Record<string, unknown>>[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function answers(folder: string, port: number): Promise<boolean> {
  return ask(folder, port, "SELECT 1").then(
    () => true,
    () => false,
  );
}

/** The processes of its connections and of its upkeep. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .map(Number)
      .filter((each) => each > 0);
  } catch {
    return [];
  }
}

function signalAll(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  for (const pid of [child.pid, ...childrenOf(child.pid)]) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  signalAll(child, "SIGKILL");
  await ended;
}

export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const account = accountOf() ?? {};
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "waybill-postgres-"));
  own(folder, account);
  for (const file of options.files ?? []) own(file, account);
  makeCluster(folder, account);
  let child = await launch(folder, port, options, account);
  // A test run that is cut short must not leave a server behind.
  const last = (): void => {
    signalAll(child, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", last);
  return {
    url: `postgres://waybill:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    folder,
    run: (text) => ask(folder, port, text),
    kill: () => end(child),
    async restart() {
      await end(child);
      child = await launch(folder, port, options, account);
    },
    pause: () => signalAll(child, "SIGSTOP"),
    resume: () => signalAll(child, "SIGCONT"),
    async stop() {
      await end(child);
      process.off("exit", last);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<PostgresServer> | undefined;

/** One for all tests of this process that neither stop nor change it: each takes a schema of its own. It ends with the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}
