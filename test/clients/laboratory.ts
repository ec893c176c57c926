// Runs one client against the shapes, and counts what its model was given. A client gets a home that is thrown away, a
// clean environment, and no way out of this machine.

import { type SpawnOptions, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandClient, LabClient, LibraryClient, ServerCommand } from "./client.ts";
import { doorOf, folderOf } from "./install.ts";
import type { Failure, LibraryJob } from "./library-child.ts";
import { type Place, type Shape, shapes } from "./shapes.ts";
import { type StubModel, startStubModel } from "./stub-model.ts";

export type Via = "direct" | "gateway";

export interface Outcome {
  readonly shape: string;
  /** What the model was given after its call, as the client sent it. */
  readonly given: readonly unknown[] | undefined;
  /** Facts for the model that it was not given. */
  readonly lost: number;
  readonly seenTwice: number;
  /** The client says that it cut the result. */
  readonly isCut: boolean;
  /** The gateway says how to get what is missing. */
  readonly isRestNamed: boolean;
  /** Places that are not meant for the model, of which it was given a fact. */
  readonly leaked: readonly Place[];
  /** Why the model was given nothing. */
  readonly failure?: string;
}

export interface ClientRun {
  readonly outcomes: readonly Outcome[];
  /** Hosts that the client tried to reach, and was refused. */
  readonly refused: readonly string[];
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const guard = new URL("loopback-only.mjs", import.meta.url).href;
const tsx = import.meta.resolve("tsx");
export const gatewayProgram = here("../../dist/cli/main.js");
const LIBRARY_LIMIT_MS = 180_000;
const COMMAND_LIMIT_MS = 60_000;
/** Commands wait more than they work. */
const AT_A_TIME = 2;

function serverCommand(via: Via, names: readonly string[]): ServerCommand {
  const server = ["--import", tsx, here("shape-server.ts"), ...names];
  const words = [gatewayProgram, "gateway", "--store", "memory", "--", process.execPath, ...server];
  return { command: process.execPath, args: via === "direct" ? server : words };
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
  if (isLate) return { stdout, failure: `no end within ${limitMs / 1000} s` };
  if (code === 0) return { stdout };
  const last = `${stdout}\n${stderr}`.trim().split("\n").slice(-3).join(" ");
  return { stdout, failure: `exit ${code}: ${last.slice(0, 300)}` };
}

type Failures = Map<string, string>;

async function runLibrary(
  client: LibraryClient,
  via: Via,
  chosen: readonly Shape[],
  model: StubModel,
  home: string,
): Promise<Failures> {
  const job: LibraryJob = {
    door: doorOf(client),
    server: serverCommand(via, []),
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
  via: Via,
  shape: Shape,
  model: StubModel,
  home: string,
): Promise<string | undefined> {
  const {
    args,
    env,
    files = {},
  } = client.prepare(serverCommand(via, [shape.name]), model.addressOf(client.name, shape.name), home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const bin = join(folderOf(client), "node_modules/.bin", client.bin);
  const options = { cwd: home, env: { ...environment(home), ...env } };
  const { failure } = await run(bin, args, options, COMMAND_LIMIT_MS);
  if (client.afterwards) await run(bin, client.afterwards, options, COMMAND_LIMIT_MS);
  return failure;
}

const occurrences = (text: string, word: string): number => text.split(word).length - 1;

/** Facts in these places are for others than the model. */
const notForTheModel: readonly Place[] = ["meta", "user"];

function count(
  client: LabClient,
  shape: Shape,
  given: Outcome["given"],
  failure: string | undefined,
): Outcome {
  const text = JSON.stringify(given ?? []);
  const seen = shape.facts.map(({ word, place }) => ({ place, times: occurrences(text, word) }));
  const meant = seen.filter(({ place }) => !notForTheModel.includes(place));
  const leaked = seen.filter(({ place, times }) => notForTheModel.includes(place) && times > 0);
  return {
    shape: shape.name,
    given,
    lost: meant.filter(({ times }) => times === 0).length,
    seenTwice: meant.filter(({ times }) => times > 1).length,
    isCut: client.cutMark?.test(text) ?? false,
    isRestNamed: /_retrieve.{1,60}archive/s.test(text),
    leaked: leaked.map(({ place }) => place),
    ...(given === undefined && { failure: failure ?? "the model was not asked again" }),
  };
}

/** Runs an installed client with the shapes of these names, or all. */
export async function runClient(client: LabClient, via: Via, names?: readonly string[]): Promise<ClientRun> {
  const chosen = shapes.filter(({ name }) => names?.includes(name) ?? true);
  const model = await startStubModel();
  const refused = new Set<string>();
  const inHome = async <Result>(use: (home: string) => Promise<Result>): Promise<Result> => {
    const home = mkdtempSync(join(tmpdir(), `lab-${client.name}-`));
    const note = join(home, "refused.txt");
    writeFileSync(note, "");
    try {
      return await use(home);
    } finally {
      for (const host of readFileSync(note, "utf8").split("\n").filter(Boolean)) refused.add(host);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  const failures: Failures = new Map();
  try {
    if (client.kind === "library") {
      const found = await inHome((home) => runLibrary(client, via, chosen, model, home));
      for (const [shape, failure] of found) failures.set(shape, failure);
    } else {
      const waiting = [...chosen];
      const work = async (): Promise<void> => {
        for (let shape = waiting.shift(); shape; shape = waiting.shift()) {
          const current = shape;
          const failure = await inHome((home) => runCommand(client, via, current, model, home));
          if (failure !== undefined) failures.set(current.name, failure);
        }
      };
      await Promise.all(Array.from({ length: client.isAlone === true ? 1 : AT_A_TIME }, work));
    }
    const outcomes = chosen.map((shape) =>
      count(client, shape, model.givenTo(client.name, shape.name), failures.get(shape.name)),
    );
    return { outcomes, refused: [...refused].sort() };
  } finally {
    await model.close();
  }
}
