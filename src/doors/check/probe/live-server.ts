// The server under check, for the duration of the check: connected, greeted, and restarted if it ends or hangs.

import type { JsonObject } from "../../../core/json/json-value.ts";
import type { Era, Reply, ServerProblem } from "../../../core/rules/server-record.ts";
import type { CheckOptions, EraChoice } from "../check-options.ts";
import type { Limits } from "../check-settings.ts";
import { type Answer, Connection } from "./connection.ts";
import type { OpenLink, Way } from "./open-link.ts";
import type { Recorder } from "./recorder.ts";
import {
  LEGACY_REVISION,
  MODERN_REVISION,
  UNSUPPORTED_VERSION,
  mcpMeta,
} from "../../../core/protocol/names.ts";

/** After an unanswered request the server has this long to answer another one; otherwise it is stuck, and restarted. */
const SIGN_OF_LIFE_MS = 2_000;

export interface LiveServerOptions {
  readonly way: Way;
  readonly limits: Limits;
  readonly era: CheckOptions["era"];
  readonly clientVersion: string;
  readonly recorder: Recorder;
  /** How much time the check has left; 0 when it is over. */
  readonly leftMs: () => number;
}

/** A failure of the connection, as a problem in the record. */
function problemOf(reason: string, isStarting: boolean): Pick<ServerProblem, "kind" | "message"> {
  const status = Number(/HTTP (\d{3})/.exec(reason)?.[1] ?? 0);
  if (status >= 300 && status < 400)
    return { kind: "redirected", message: `It answered HTTP ${status}; redirects are not followed` };
  if (status === 401)
    return { kind: "refused", message: "It answered HTTP 401: it wants credentials. Give it headers" };
  if (status !== 0) return { kind: "refused", message: reason };
  return { kind: isStarting ? "start-failed" : "died", message: reason };
}

export class LiveServer {
  readonly #options: LiveServerOptions;
  #open: OpenLink | undefined;
  #connection: Connection | undefined;
  #greeting: Greeting | undefined;
  #restarts = 0;
  #mayBeStuck = false;
  #calls = 0;
  /** Why the server is no longer available. */
  #gone: string | undefined;

  constructor(options: LiveServerOptions) {
    this.#options = options;
  }

  get era(): Era {
    return this.#greeting?.era ?? (this.#options.era === "modern" ? "modern" : "legacy");
  }

  get greeting(): Reply {
    return this.#greeting?.reply ?? { kind: "closed", reason: "the server was not reached" };
  }

  get protocolVersion(): string | undefined {
    return this.#greeting && versionOf(this.#greeting);
  }

  /** Why nothing can be requested any more; undefined if requests are possible. */
  get gone(): string | undefined {
    return this.#gone;
  }

  /** Connects and greets. True if the server answered with a valid greeting. */
  async start(): Promise<boolean> {
    const { era = "auto", recorder } = this.#options;
    let greeting = await this.#connect(era);
    // A server may end on a method that it does not know: then it belongs to the legacy era.
    if (era === "auto" && greeting.era === "modern" && greeting.reply.kind === "closed")
      greeting = await this.#connect("legacy");
    this.#greeting = greeting;
    const { reply } = greeting;
    if (reply.kind === "result") return true;
    const words = reply.kind === "error" ? reply.error["message"] : undefined;
    const isLegacy = era === "modern" && reply.kind === "error" && reply.error["code"] === -32_601;
    this.#gone = isLegacy
      ? "the server knows no server/discover: it is of the legacy era; check it with the era legacy or auto"
      : typeof words === "string"
        ? `the server refused the greeting: ${words}`
        : "the server did not answer the greeting";
    if (reply.kind === "timeout")
      recorder.problem({
        kind: "start-timeout",
        message: `No answer to the greeting in ${reply.afterMs} ms`,
      });
    if (reply.kind === "closed")
      recorder.problem(problemOf(this.#open?.startProblem() ?? reply.reason, true));
    return false;
  }

  /** Sends a request. A server that has ended is restarted first, as often as the limits allow. */
  async ask(method: string, params: JsonObject = {}, id?: string): Promise<Answer> {
    const connection = await this.#usable();
    if (connection === undefined) return unanswered(this.#gone ?? "the server is gone");
    const answer = await connection.request(method, this.#dressed(method, params), this.#timeoutMs(), id);
    this.#note(method, answer.reply);
    return answer;
  }

  /** Sends a notification. */
  async tell(method: string, params: JsonObject = {}): Promise<void> {
    (await this.#usable())?.notify(method, this.#dressed(method, params));
  }

  /** Sends a request and cancels it at once. Returns the answer if one still arrives within `waitMs`. */
  async askAndCancel(
    method: string,
    params: JsonObject,
    waitMs: number,
  ): Promise<{ readonly answer: Answer; readonly afterMs: number }> {
    const connection = await this.#usable();
    if (connection === undefined) return { answer: unanswered(this.#gone ?? "gone"), afterMs: 0 };
    const requestId = connection.nextId();
    const startedAt = performance.now();
    const asked = connection.request(
      method,
      this.#dressed(method, params),
      Math.min(waitMs, this.#timeoutMs()),
      requestId,
    );
    connection.notify("notifications/cancelled", { requestId, reason: "The check calls it off" });
    const afterMs = performance.now() - startedAt;
    const answer = await asked;
    // Silence is correct here; over HTTP only that one answer ends, and the connection stays open.
    if (answer.reply.kind !== "closed") return { answer, afterMs };
    if (connection.closedBy === undefined) {
      this.#mayBeStuck = true;
      return {
        answer: { ...answer, reply: { kind: "timeout", afterMs: Math.round(answer.durationMs) } },
        afterMs,
      };
    }
    this.#note(method, answer.reply);
    return { answer, afterMs };
  }

  /** Sends a line unchanged. Returns the response to it, and the answer to the request that followed. */
  async sendLine(line: string): Promise<{ readonly heard: JsonObject | undefined; readonly next: Answer }> {
    let next: Answer = unanswered(this.#gone ?? "gone");
    const connection = await this.#usable();
    const heard = await connection?.sendRaw(line, async () => {
      next = await this.ask("tools/list");
    });
    return { heard, next };
  }

  async close(): Promise<void> {
    this.#connection?.close();
    await this.#open?.close();
    this.#connection = undefined;
  }

  /** Whether the server still answers: a slow call must not be blamed on the next one. */
  async #isAlive(connection: Connection | undefined): Promise<boolean> {
    if (!this.#mayBeStuck || connection === undefined) return connection !== undefined;
    const method = this.era === "modern" ? "server/discover" : "ping";
    const timeoutMs = Math.min(SIGN_OF_LIFE_MS, this.#timeoutMs());
    const { reply } = await connection.request(method, this.#dressed(method, {}), timeoutMs);
    this.#mayBeStuck = false;
    return reply.kind === "result" || reply.kind === "error";
  }

  #timeoutMs(): number {
    return Math.max(1, Math.min(this.#options.limits.callMs, this.#options.leftMs()));
  }

  /** The parameters with what every request of the era carries. Calls ask for progress, as most clients do. */
  #dressed(method: string, params: JsonObject): JsonObject {
    const isCall = method === "tools/call";
    if (isCall) this.#calls += 1;
    const meta = {
      ...(this.era === "modern" ? modernMeta(this.#options.clientVersion) : {}),
      ...(isCall ? { progressToken: `waybill-check-${this.#calls}` } : {}),
    };
    return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  }

  async #connect(era: NonNullable<CheckOptions["era"]>): Promise<Greeting> {
    const { way, limits, clientVersion, recorder, leftMs } = this.#options;
    await this.close();
    this.#open = way.open();
    this.#connection = new Connection(this.#open.link, recorder);
    this.#mayBeStuck = false;
    const timeoutMs = Math.max(1, Math.min(limits.startMs, leftMs()));
    return greet(this.#connection, era, { clientVersion, timeoutMs });
  }

  #note(method: string, reply: Reply): void {
    this.#mayBeStuck = reply.kind === "timeout";
    if (reply.kind !== "closed") return;
    const { recorder } = this.#options;
    // The index of the call that is recorded next.
    const call = method === "tools/call" ? recorder.calls.length : undefined;
    recorder.problem({ ...problemOf(reply.reason, false), call });
  }

  async #usable(): Promise<Connection | undefined> {
    if (this.#gone !== undefined || this.#options.leftMs() === 0) return undefined;
    const connection = this.#connection;
    if (connection?.closedBy === undefined && (await this.#isAlive(connection))) return connection;
    // The time of the check ran out, not the server's.
    if (this.#options.leftMs() === 0) return undefined;
    if (this.#restarts >= this.#options.limits.restarts) {
      this.#gone = `the server had to be started again more than ${this.#options.limits.restarts} times`;
      return undefined;
    }
    this.#restarts += 1;
    const { reply } = await this.#connect(this.era);
    if (reply.kind === "result") return this.#connection;
    this.#gone = "the server could not be started again";
    return undefined;
  }
}

function unanswered(reason: string): Answer {
  return { reply: { kind: "closed", reason }, response: undefined, durationMs: 0 };
}

// How a connection begins. The era of a server can only be found by trying: a modern server answers `server/discover`,
// a legacy server `initialize`.

/** How long only the modern greeting waits. Servers that take no notice of methods they do not know answer the other. */
const MODERN_FIRST_MS = 3_000;

interface Greeting {
  readonly era: Era;
  readonly reply: Reply;
}

/** What every request of the modern era carries. */
function modernMeta(clientVersion: string): JsonObject {
  return {
    [mcpMeta.protocolVersion]: MODERN_REVISION,
    [mcpMeta.clientCapabilities]: {},
    [mcpMeta.clientInfo]: { name: "waybill-check", version: clientVersion },
  };
}

/** The revision agreed on in the greeting. */
function versionOf({ era, reply }: Greeting): string | undefined {
  if (reply.kind !== "result") return undefined;
  const version = era === "modern" ? MODERN_REVISION : reply.result["protocolVersion"];
  return typeof version === "string" ? version : undefined;
}

function isModernAnswer({ kind, ...rest }: Reply): boolean {
  if (kind === "result") return true;
  return "error" in rest && rest.error["code"] === UNSUPPORTED_VERSION;
}

class Greeter {
  readonly #connection: Connection;
  readonly #version: string;
  readonly #timeoutMs: number;

  constructor(connection: Connection, clientVersion: string, timeoutMs: number) {
    this.#connection = connection;
    this.#version = clientVersion;
    this.#timeoutMs = timeoutMs;
  }

  discover(): Promise<Answer> {
    const params = { _meta: modernMeta(this.#version) };
    return this.#connection.request("server/discover", params, this.#timeoutMs);
  }

  async initialize(): Promise<Greeting> {
    const clientInfo = { name: "waybill-check", version: this.#version };
    const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo };
    const { reply } = await this.#connection.request("initialize", params, this.#timeoutMs);
    if (reply.kind === "result") this.#connection.notify("notifications/initialized");
    return { era: "legacy", reply };
  }

  /** The modern greeting first. If it is refused, or unanswered for a while, the legacy greeting. */
  async either(): Promise<Greeting> {
    const modern = this.discover().then(({ reply }): Greeting => ({ era: "modern", reply }));
    const early = await Promise.race([modern, late(Math.min(MODERN_FIRST_MS, this.#timeoutMs / 2))]);
    if (early !== undefined) {
      const isOver = isModernAnswer(early.reply) || early.reply.kind === "closed";
      return isOver ? early : this.initialize();
    }
    const legacy = this.initialize();
    const first = await Promise.race([modern, legacy]);
    const isUsed = first.era === "modern" ? isModernAnswer(first.reply) : first.reply.kind === "result";
    return isUsed ? first : settle(await modern, await legacy);
  }
}

/** Chooses when both greetings were answered and the first answer was unusable. */
function settle(modern: Greeting, legacy: Greeting): Greeting {
  return isModernAnswer(modern.reply) ? modern : legacy;
}

function late(ms: number): Promise<undefined> {
  // The timer must not keep the process alive once the answer is there.
  return new Promise((resolve) => void setTimeout(resolve, ms, undefined).unref());
}

/**
 * Greets a server. If the modern greeting breaks the connection, the caller tries the legacy one on a new connection.
 */
async function greet(
  connection: Connection,
  era: EraChoice,
  use: { readonly clientVersion: string; readonly timeoutMs: number },
): Promise<Greeting> {
  const greeter = new Greeter(connection, use.clientVersion, use.timeoutMs);
  if (era === "legacy") return greeter.initialize();
  if (era === "modern") return { era, reply: (await greeter.discover()).reply };
  return greeter.either();
}
