// What a journey of a sign-in needs: an authorization server, an MCP server that wants its tokens, a user's home, and
// gateways and commands. In the full run these are processes of their own. All that they write is kept, to be searched
// for secrets.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished, vi } from "vitest";
import { runCli } from "../../src/cli/run.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { AccessLine } from "../../src/doors/gateway/access-log/access-line.ts";
import { openAccessLog } from "../../src/doors/gateway/access-log/access-log.ts";
import { openBridge } from "../../src/doors/gateway/bridge/bridge.ts";
import { CallerSignIn } from "../../src/doors/gateway/login/upstream-sign-in.ts";
import type { Machine } from "../../src/doors/gateway/state-folder.ts";
import { openHttpUpstream } from "../../src/doors/gateway/upstream/http-upstream.ts";
import { createState } from "../../src/engine/call/contract-state.ts";
import { linkPair } from "../../src/engine/transport/link-pair.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { Era } from "./attach-clients.fixture.ts";
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  browse,
  startAuthorizationServer,
} from "./authorization-server.fixture.ts";
import { LinkTransport } from "./gateway-http-upstream.fixture.ts";
import {
  type GuardedServer,
  type GuardedServerOptions,
  startGuardedServer,
} from "./guarded-mcp-server.fixture.ts";

const cli = ["--import", "tsx", resolve("src/cli/main.ts")];

const WAIT = { timeout: 30_000, interval: 20 };

type Part = "login" | "gateway";

export interface WorldOptions extends Partial<
  Pick<AuthorizationServerOptions, "accessSeconds" | "refreshSeconds" | "clients" | "hasPages">
> {
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What is no process of its own in the full run either: the journey is not about it, or fakes its clock. */
  readonly here?: readonly Part[] | undefined;
  /** Another server of the same user: home and outputs are those of that world. */
  readonly beside?: World | undefined;
  readonly beforeServer?: GuardedServerOptions["before"];
  readonly isOldServer?: GuardedServerOptions["isOld"];
  readonly beforeAuthorization?: AuthorizationServerOptions["before"];
  readonly authorizationServers?: (() => readonly string[]) | undefined;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class World {
  readonly era: Era;
  readonly home: string;
  readonly authorization: AuthorizationServer;
  readonly server: GuardedServer;
  /** The environment of every process. */
  readonly env: Record<string, string>;
  /** All that any process of ours wrote, and all that a client got. */
  readonly written: string[];

  readonly #here: readonly Part[];

  constructor(
    era: Era,
    authorization: AuthorizationServer,
    server: GuardedServer,
    { env, here = [], beside }: Pick<WorldOptions, "env" | "here" | "beside">,
  ) {
    this.home = beside?.home ?? mkdtempSync(join(tmpdir(), "waybill-login-"));
    this.written = beside?.written ?? [];
    this.era = era;
    this.#here = here;
    this.authorization = authorization;
    this.server = server;
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.home,
      XDG_STATE_HOME: this.home,
      WAYBILL_KEYRING: "off",
      ...env,
    };
  }

  /** Runs `waybill` with these words; `told` hears all that it has said so far on stderr, whenever it says something. */
  async run(
    words: readonly string[],
    told: (said: string) => void = () => undefined,
    typed: Promise<string> = new Promise(() => undefined),
  ): Promise<Ran> {
    const runIt = this.#isApart("login") ? runApart : runHere;
    const ran = await runIt(words, this.env, told, typed);
    this.written.push(ran.stdout, ran.stderr);
    return ran;
  }

  /** Signs in by `waybill login`, as a person whose browser is elsewhere and who opens what is printed. */
  async login(words: readonly string[] = []): Promise<Ran> {
    let opened: Promise<unknown> | undefined;
    const ran = await this.run(["login", this.server.url, "--no-browser", ...words], (said) => {
      const [, address] = /^ {2}(http\S+)$/m.exec(said) ?? [];
      if (address !== undefined) opened ??= browse(address);
    });
    await opened;
    return ran;
  }

  /** A client behind a gateway on stdio. */
  async connect(capabilities: object = {}, era: Era = this.era): Promise<Connected> {
    const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
    const client = new Client(
      { name: "journey", version: "1" },
      { versionNegotiation: { mode } as never, capabilities },
    );
    const [transport, said] = this.#isApart("gateway") ? this.#apart() : await this.#inProcess();
    const connected = new Connected(this, client, said);
    onTestFinished(() => connected.close());
    await client.connect(transport);
    return connected;
  }

  #apart(): [Transport, () => string] {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        ...cli,
        "gateway",
        "--name",
        "guarded",
        "--upstream",
        this.server.url,
        "--access-log",
        this.#accessLog,
      ],
      env: this.env,
      stderr: "pipe",
    });
    let said = "";
    transport.stderr?.on("data", (data: Buffer) => (said += data.toString()));
    return [transport, () => said];
  }

  #isApart(part: Part): boolean {
    return isFullRun && !this.#here.includes(part);
  }

  async #inProcess(): Promise<[Transport, () => string]> {
    const { url } = this.server;
    let said = "";
    const note = (fields: object, event: string): void =>
      void (said += `${event} ${JSON.stringify(fields)}\n`);
    const state = createState({
      logger: { debug: note, info: note, warn: note, error: note },
      store: join(this.home, "archive"),
      dialect: "auto",
    });
    const machine: Machine = { platform: process.platform, env: this.env, home: this.home };
    const { log } = state;
    const accessLog = await openAccessLog({ target: this.#accessLog, stream: process.stderr, log });
    accessLog.follow("guarded", state);
    const user = { name: "guarded", url, headers: {}, caller: "", own: {}, log, isLocal: true, machine };
    const signIn = new CallerSignIn(user);
    const upstream = openHttpUpstream("guarded", { url }, { signInOf: () => signIn });
    const [near, far] = linkPair();
    const bridge = openBridge({ state, client: far, upstream: upstream.connect({ principal: "local" }) });
    onTestFinished(async () => {
      bridge.close();
      await upstream.close();
      signIn.close();
      await accessLog.close();
      await state.archive.close();
    });
    return [new LinkTransport(near), () => said];
  }

  /** The lines of the access log, of all gateways, once it has this many. */
  async accessLines(count: number): Promise<AccessLine[]> {
    return vi.waitFor(() => {
      const lines = readFileSync(this.#accessLog, "utf8").trimEnd().split("\n");
      if (lines.length < count) throw new Error(`${lines.length} lines of ${count}`);
      return lines.map((line) => JSON.parse(line) as AccessLine);
    }, WAIT);
  }

  get #accessLog(): string {
    return join(this.home, "access.log");
  }

  /** Every file below the home, but for the logins themselves. */
  keptFiles(): string[] {
    return filesIn(this.home)
      .filter((path) => !/[\\/]logins[\\/]/.test(path))
      .map((path) => readFileSync(path, "latin1"));
  }

  loginFiles(): { path: string; mode: number; text: string }[] {
    return filesIn(join(this.home, "waybill", "logins")).map((path) => ({
      path,
      mode: statSync(path).mode & 0o777,
      text: readFileSync(path, "utf8"),
    }));
  }

  /** The secrets that are in any output, log, page or file outside the logins. */
  leaks(): string[] {
    const everywhere = [...this.written, ...this.keptFiles()].join("\n");
    return [...this.authorization.secrets].filter((secret) => secret !== "" && everywhere.includes(secret));
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

type Env = Readonly<Record<string, string>>;

function runApart(
  words: readonly string[],
  env: Env,
  told: (said: string) => void,
  typed: Promise<string>,
): Promise<Ran> {
  const child = spawn(process.execPath, [...cli, ...words], { env, stdio: ["pipe", "pipe", "pipe"] });
  void typed.then((line) => child.stdin.write(line));
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
    told(stderr);
  });
  return new Promise((done) => child.once("close", (code) => done({ code, stdout, stderr })));
}

async function runHere(
  words: readonly string[],
  env: Env,
  told: (said: string) => void,
  typed: Promise<string>,
): Promise<Ran> {
  let [stdout, stderr] = ["", ""];
  const code = await runCli(["node", "waybill", ...words], {
    stdin: (async function* () {
      yield await typed;
      // A terminal stays open.
      await new Promise<never>(() => undefined);
    })(),
    stdout: { write: (text) => void (stdout += String(text)) },
    stderr: {
      write: (text) => {
        stderr += String(text);
        told(stderr);
      },
    },
    env,
    cwd: env["HOME"] ?? "",
    isTTY: { stdin: false, stdout: false, stderr: false },
  });
  return { code, stdout, stderr };
}

/** A client behind a gateway on stdio. */
export class Connected {
  readonly #world: World;
  readonly client: Client;
  readonly stderr: () => string;
  #isClosed = false;

  constructor(world: World, client: Client, stderr: () => string) {
    this.#world = world;
    this.client = client;
    this.stderr = stderr;
  }

  async tools(): Promise<string[]> {
    const { tools } = await this.client.listTools();
    this.#world.written.push(JSON.stringify(tools));
    return tools.map(({ name }) => name).filter((name) => !name.endsWith("_retrieve"));
  }

  async call(name: string): Promise<Outcome> {
    const result = (await this.client.callTool({ name, arguments: {} })) as unknown as JsonObject;
    const json = JSON.stringify(result);
    this.#world.written.push(json);
    return { isError: result["isError"] === true, json, text: textOf(result), address: addressIn(json) };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.client.close();
    this.#world.written.push(this.stderr());
  }
}

export interface Outcome {
  readonly isError: boolean;
  readonly json: string;
  readonly text: string;
  /** Where the user is asked to sign in. */
  readonly address: string | undefined;
}

function textOf({ content }: JsonObject): string {
  const [first] = content as { text?: string }[];
  return first?.text ?? "";
}

function addressIn(json: string): string | undefined {
  return /http:\/\/127\.0\.0\.1:\d+\/sign-in/.exec(json)?.[0];
}

export async function openWorld(era: Era, options: WorldOptions = {}): Promise<World> {
  const { accessSeconds = 3_600, refreshSeconds, clients, beforeServer, beforeAuthorization } = options;
  let server: GuardedServer | undefined;
  const authorization = await startAuthorizationServer({
    resource: () => server?.url ?? "",
    accessSeconds,
    refreshSeconds,
    clients,
    hasPages: options.hasPages,
    before: beforeAuthorization,
  });
  const { authorizationServers = () => [authorization.origin] } = options;
  server = await startGuardedServer({
    era,
    provider: () => authorization.provider,
    authorizationServers,
    before: beforeServer,
    isOld: options.isOldServer,
  });
  const guarded = server;
  const world = new World(era, authorization, guarded, options);
  onTestFinished(async () => {
    await guarded.close();
    await authorization.close();
    rmSync(world.home, { recursive: true, force: true });
  });
  return world;
}
