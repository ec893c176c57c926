import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import { Readable } from "node:stream";
import spawn from "cross-spawn";
import type { Link, LinkListener } from "./link.ts";
import { StreamLink } from "./stream-link.ts";
import { lacksFolder, startProblem } from "./command-problem.ts";
import { roomForFiles } from "./open-files.ts";
import { relayLines } from "./relay-lines.ts";

export interface ChildOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** All variables of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly maxMessageBytes?: number | undefined;
  /** Gets each line that the process writes to stderr. */
  readonly stderr: (line: string) => void;
  /** Colours in these lines stay, for the terminal of the one who wrote the server. Default: false. */
  readonly keepsColors?: boolean | undefined;
  /** Gets each line of stdout, if the process does not speak MCP there. It then has no input either. */
  readonly stdout?: ((line: string) => void) | undefined;
  /** Gets the reason why no process could be started, for the operator of the gateway. */
  readonly failed?: ((why: string) => void) | undefined;
  /** Default: "the server stopped (exit code 1)". */
  readonly describeExit?: typeof describeExit | undefined;
}

/** A server's process as a link. */
export interface ChildLink extends Link {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Asks the process to end and later forces it. What it sends until then is still delivered, then `closed`. */
  stop(): void;
}

/** How long a process may take to end after its input is closed, and again after it was asked to end. */
const GRACE_MS = 2_000;
/** How long a process that was stopped may take to answer its open requests. */
const STOP_MS = 5_000;
/** How long to wait for the last output after the process ended: one of its child processes may still hold the pipe. */
const DRAIN_MS = 2_000;

const running = new Set<ChildProcess>();
let isWatchingExit = false;

/** Ends the server whenever this process ends. */
function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once("exit", () => {
    for (const each of running) each.kill(each.killed ? "SIGKILL" : "SIGTERM");
  });
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `the server stopped (exit code ${code})` : `the server was ended by ${signal}`;
}

/** The system's codes for too many open files or processes. */
const noRoom: readonly (string | undefined)[] = ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"];

/** The reason without the path of the command or its folder, which could tell a client too much. */
function describeFailure(options: ChildOptions, error: NodeJS.ErrnoException): string {
  if (lacksFolder(options)) return "the server could not be started: its folder does not exist";
  if (error.code === "ENOENT") return "the server could not be started: its command was not found";
  if (noRoom.includes(error.code))
    return "the server could not be started: there is no room for its process now";
  return `the server could not be started (${error.code ?? "unknown reason"})`;
}

class Child implements ChildLink {
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #link: StreamLink;
  #exit: string | undefined;
  #isEnding = false;

  constructor(options: ChildOptions, child: ChildProcessWithoutNullStreams) {
    this.#process = child;
    const { stdout, describeExit: describe = describeExit } = options;
    this.#link = new StreamLink({
      input: stdout === undefined ? child.stdout : Readable.from([]),
      output: child.stdin,
      maxMessageBytes: options.maxMessageBytes,
      isEndedByOwner: true,
      onClose: () => this.#end(),
    });
    relayLines(child.stderr, options.stderr, options.keepsColors);
    if (stdout !== undefined) {
      relayLines(child.stdout, stdout, options.keepsColors);
      child.stdin.end();
    } else {
      // No further message can come, although the process may still run.
      child.stdout.once("close", () => this.#tellSoon("the server closed its output"));
    }
    this.ended = new Promise((resolve) => {
      child.once("error", (error: NodeJS.ErrnoException) => {
        // A running process can have errors too, for example if it cannot be ended.
        if (child.pid !== undefined) return;
        options.failed?.(startProblem(options, error));
        this.#link.end(describeFailure(options, error));
        resolve();
      });
      child.once("exit", (code, signal) => {
        this.#exit = describe(code, signal);
        this.#tellSoon(this.#exit);
        resolve();
      });
    });
    // By then its last lines on stderr have been relayed.
    child.once("close", () => {
      if (this.#exit !== undefined) this.#tell(this.#exit);
    });
    endWithUs(child);
  }

  send(message: Uint8Array | string): void {
    this.#link.send(message);
  }

  listen(listener: LinkListener): void {
    this.#link.listen(listener);
  }

  close(): void {
    this.#link.close();
  }

  get waitingBytes(): number {
    return this.#link.waitingBytes;
  }

  hold(isHeld: boolean): void {
    this.#link.hold(isHeld);
  }

  stop(): void {
    if (this.#isEnding || this.#exit !== undefined || this.#process.pid === undefined) return;
    this.#isEnding = true;
    this.#process.kill("SIGTERM");
    this.#killAfter(STOP_MS, "SIGKILL");
  }

  #tellSoon(why: string): void {
    setTimeout(() => this.#tell(this.#exit ?? why), DRAIN_MS).unref();
  }

  #tell(why: string): void {
    const half = this.#link.unfinishedBytes;
    this.#link.end(half === 0 ? why : `${why} after half a message of ${half} bytes`);
  }

  /** Closes the input, then asks, then forces: the order in which the SDKs' own clients end a server. */
  #end(): void {
    if (this.#isEnding || this.#exit !== undefined) return;
    this.#isEnding = true;
    const child = this.#process;
    child.stdin?.end();
    this.#killAfter(GRACE_MS, "SIGTERM");
    this.#killAfter(2 * GRACE_MS, "SIGKILL");
    // The output is read to the end: otherwise a process that still writes would never finish.
    child.stdout?.resume();
  }

  #killAfter(ms: number, signal: NodeJS.Signals): void {
    const timer = setTimeout(() => this.#process.kill(signal), ms);
    this.#process.once("exit", () => clearTimeout(timer));
  }
}

/** Used if no process could be started, for example with too many open files. */
function unstarted(options: ChildOptions, error: NodeJS.ErrnoException): ChildLink {
  options.failed?.(startProblem(options, error));
  return {
    isRefused: noRoom.includes(error.code),
    ended: Promise.resolve(),
    send: () => undefined,
    listen: ({ closed }) => void setImmediate(() => closed(describeFailure(options, error))),
    close: () => undefined,
    stop: () => undefined,
  };
}

function tooManyFiles(): NodeJS.ErrnoException {
  return Object.assign(new Error("too many files are open"), { code: "EMFILE" });
}

/** False if this process has too many open files: Node then fails before it creates the streams. */
function hasStreams(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return Boolean(child.stdin && child.stdout && child.stderr);
}

/** Starts a server and connects to its stdin and stdout. Never throws: a command that fails closes the link. */
export function startChild(options: ChildOptions): ChildLink {
  const { command, args = [], cwd, environment } = options;
  if (roomForFiles() !== "enough") return unstarted(options, tooManyFiles());
  try {
    const child = spawn(command, [...args], {
      cwd,
      env: { ...environment },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    // An unhandled error event would end this process, and with it all sessions.
    child.on("error", () => undefined);
    if (hasStreams(child)) return new Child(options, child);
    return unstarted(options, tooManyFiles());
  } catch (error) {
    return unstarted(options, error as NodeJS.ErrnoException);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that a program needs to start and to find its files; none of them is a secret. */
const safeNames: readonly string[] =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
      ]
    : [
        "HOME",
        "LANG",
        "LC_ALL",
        "LOGNAME",
        "PATH",
        "SHELL",
        "TERM",
        "TMPDIR",
        "TZ",
        "USER",
        "XDG_RUNTIME_DIR",
      ];

/**
 * Waybill's own variables: the key that signs cursors, and any that may contain a password, such as a store's
 * address.
 */
const ownSecret =
  /^WAYBILL_(?!BUDGET_TOKENS$)(?:SECRET|STORE|UPSTREAM_HEADERS|.*(?:TOKEN|KEY|PASSWORD|REDIS).*)$/i;

interface ChildEnvironmentOptions {
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Passes on all variables except Waybill's own secrets. Default: a short list of safe variables. */
  readonly inheritEnv?: boolean | undefined;
}

/**
 * The variables of a server's process. Variables that the configuration sets by name come last, so they
 * always apply.
 */
export function childEnvironment(
  { env = {}, inheritEnv = false }: ChildEnvironmentOptions,
  from: Environment = process.env,
): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    const isPassedOn = inheritEnv ? !ownSecret.test(name) : safeNames.includes(name.toUpperCase());
    // Shells export functions in a form that a program may run.
    if (isPassedOn && (inheritEnv || !value.startsWith("()"))) made[name] = value;
  }
  return { ...made, ...env };
}
