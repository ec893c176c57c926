// Runs one client against the shapes, and counts what its model was given. A client gets a home that is thrown away, a
// clean environment, and no way out of this machine.

import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandClient, LabClient, LibraryClient, ServerCommand, Via } from "./client.ts";
import { doorOf, folderOf } from "./install.ts";
import type { Failure, LibraryJob } from "./library-child.ts";
import { type Outcome, countOutcome } from "./outcome.ts";
import { type Shape, shapes } from "./shapes.ts";
import { type StubModel, startStubModel } from "./stub-model.ts";

export interface ClientRun {
  readonly outcomes: readonly Outcome[];
  /** Hosts that the client tried to reach, and was refused. */
  readonly refused: readonly string[];
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const guard = new URL("loopback-only.mjs", import.meta.url).href;
const tsx = import.meta.resolve("tsx");
export const builtGateway = here("../../dist/cli/main.js");
/** Of the gateway as it is in src: it starts slower, and needs no build. */
const sourceGateway = ["--import", tsx, here("../../src/cli/main.ts")];
const LIBRARY_LIMIT_MS = 180_000;
const COMMAND_LIMIT_MS = 60_000;
const DAEMON_LIMIT_MS = 10_000;
/** Commands wait more than they work. */
const AT_A_TIME = 2;

/** How a run is done. */
interface RunPlan {
  readonly via: Via;
  readonly shapes: readonly Shape[];
  readonly usesSource: boolean;
  readonly visit?: VisitHome | undefined;
}

function serverCommand(
  { reader }: LabClient,
  { via, usesSource }: RunPlan,
  names: readonly string[],
): ServerCommand {
  const server = ["--import", tsx, here("shape-server.ts"), ...names];
  if (via === "direct") return { command: process.execPath, args: server };
  const program = usesSource ? sourceGateway : [builtGateway];
  const set = reader === undefined ? [] : ["--reader", reader];
  const words = [...program, "gateway", "--store", "memory", ...set, "--", process.execPath, ...server];
  return { command: process.execPath, args: words };
}

function environment(home: string): Record<string, string> {
  const closed = "http://127.0.0.1:9";
  return {
    PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    HOME: home,
    TMPDIR: home,
    CI: "1",
    NO_COLOR: "1",
    NODE_OPTIONS: `--import ${guard}`,
    LAB_REFUSED: join(home, "refused.txt"),
    // For programs that are not Node's: whatever leaves this machine goes to a closed port of it.
    HTTP_PROXY: closed,
    HTTPS_PROXY: closed,
    NO_PROXY: "127.0.0.1,localhost",
    DO_NOT_TRACK: "1",
    MCP_USE_ANONYMIZED_TELEMETRY: "false",
  };
}

interface Ended {
  readonly stdout: string;
  /** The last lines of what it wrote, if it did not end well. */
  readonly failure?: string;
}

/** What ends a client that is running, and removes its home: an interrupted run leaves nothing behind. */
const endings = new Set<() => void>();

export function endAll(): void {
  // What was begun last ends first: to end its daemon a client needs its home.
  for (const end of [...endings].toReversed()) end();
}

async function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  limitMs: number,
): Promise<Ended> {
  // A group of its own, so that servers which a client leaves behind end with it.
  const child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of it has ended.
    }
  };
  endings.add(endGroup);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, limitMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("exit", resolve);
  });
  clearTimeout(timer);
  endGroup();
  endings.delete(endGroup);
  if (isLate) return { stdout, failure: `no end within ${limitMs / 1000} s` };
  if (code === 0) return { stdout };
  const last = `${stdout}\n${stderr}`.trim().split("\n").slice(-3).join(" ");
  return { stdout, failure: `exit ${code}: ${last.slice(0, 300)}` };
}

type Failures = Map<string, string>;

/** Looks at what a client left in its home, before the home is removed. */
type VisitHome = (home: string) => void | Promise<void>;

async function runLibrary(
  client: LibraryClient,
  plan: RunPlan,
  model: StubModel,
  home: string,
): Promise<Failures> {
  const chosen = plan.shapes;
  const job: LibraryJob = {
    door: doorOf(client),
    server: serverCommand(client, plan, []),
    models: Object.fromEntries(chosen.map(({ name }) => [name, model.addressOf(client.name, name)])),
  };
  const words = ["--import", tsx, here("library-child.ts"), client.name, JSON.stringify(job)];
  const options = { cwd: home, env: environment(home) };
  const { stdout, failure } = await run(process.execPath, words, options, LIBRARY_LIMIT_MS);
  const failures: Failures = new Map(failure === undefined ? [] : chosen.map(({ name }) => [name, failure]));
  for (const line of stdout.split("\n").filter((each) => each.startsWith("LAB "))) {
    const { shape, error } = JSON.parse(line.slice(4)) as Failure;
    failures.set(shape, error);
  }
  return failures;
}

async function runCommand(
  client: CommandClient,
  plan: RunPlan,
  shape: Shape,
  model: StubModel,
  home: string,
): Promise<string | undefined> {
  const server = serverCommand(client, plan, [shape.name]);
  const { args, env, files = {} } = client.prepare(server, model.addressOf(client.name, shape.name), home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const bin = join(folderOf(client), "node_modules/.bin", client.bin);
  const options = { cwd: home, env: { ...environment(home), ...env } };
  const { afterwards } = client;
  // Signals wait for nothing, so what the client leaves running is then ended without waiting for its own clock.
  const endDaemon = (): void => {
    if (afterwards) spawnSync(bin, afterwards, { ...options, timeout: DAEMON_LIMIT_MS });
  };
  endings.add(endDaemon);
  const { failure } = await run(bin, args, options, COMMAND_LIMIT_MS);
  endings.delete(endDaemon);
  if (afterwards) await run(bin, afterwards, options, COMMAND_LIMIT_MS);
  return failure;
}

/** Gives work a home, which is removed behind it; hosts that were refused there go into the set. */
async function inHome<Result>(
  client: LabClient,
  refused: Set<string>,
  use: (home: string) => Promise<Result>,
  visit?: VisitHome,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), `lab-${client.name}-`));
  const note = join(home, "refused.txt");
  writeFileSync(note, "");
  const remove = (): void => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  endings.add(remove);
  try {
    const result = await use(home);
    await visit?.(home);
    return result;
  } finally {
    for (const host of readFileSync(note, "utf8").split("\n").filter(Boolean)) refused.add(host);
    remove();
    endings.delete(remove);
  }
}

interface RunOptions {
  /** Default: all. */
  readonly shapes?: readonly string[];
  readonly visit?: VisitHome;
  /** Behind the gateway: the program in src, not the built one. */
  readonly usesSource?: boolean;
}

/** Runs an installed client. */
export async function runClient(client: LabClient, via: Via, options: RunOptions = {}): Promise<ClientRun> {
  const chosen = shapes.filter(({ name }) => options.shapes?.includes(name) ?? true);
  const plan: RunPlan = {
    via,
    shapes: chosen,
    usesSource: options.usesSource === true,
    visit: options.visit,
  };
  const model = await startStubModel();
  const refused = new Set<string>();
  try {
    const failures = await (client.kind === "library"
      ? inHome(client, refused, (home) => runLibrary(client, plan, model, home), plan.visit)
      : runCommands(client, plan, model, refused));
    const outcomes = chosen.map((shape) =>
      countOutcome(client, shape, model.givenTo(client.name, shape.name), failures.get(shape.name)),
    );
    return { outcomes, refused: [...refused].sort() };
  } finally {
    await model.close();
  }
}

async function runCommands(
  client: CommandClient,
  plan: RunPlan,
  model: StubModel,
  refused: Set<string>,
): Promise<Failures> {
  const failures: Failures = new Map();
  const waiting = [...plan.shapes];
  const work = async (): Promise<void> => {
    for (let shape = waiting.shift(); shape; shape = waiting.shift()) {
      const current = shape;
      const once = async (): Promise<string | undefined> =>
        inHome(client, refused, (home) => runCommand(client, plan, current, model, home), plan.visit);
      let failure = await once();
      // On a busy machine some do not wait for their server, and offer their model none of its tools.
      if (model.givenTo(client.name, current.name).length === 0) failure = await once();
      if (failure !== undefined) failures.set(current.name, failure);
    }
  };
  await Promise.all(Array.from({ length: client.isAlone === true ? 1 : AT_A_TIME }, work));
  return failures;
}
