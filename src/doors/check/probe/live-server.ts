// The server under check, for the duration of the check: connected, greeted, and restarted if it ends or hangs.

import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { Era, RecordedReply, ServerProblem } from "../../../core/rules/server-record.ts";
import type { CheckOptions, CheckTarget, CommandTarget, UrlTarget } from "../check-options.ts";
import type { Limits } from "../check-settings.ts";
import { type McpAnswer, type Greeting, McpClient } from "../../../engine/transport/mcp-client.ts";
import { type Recorder, readReply } from "./recorder.ts";
import { METHOD_NOT_FOUND, MODERN_REVISION } from "../../../core/protocol/names.ts";
import { childEnvironment, startChild } from "../../../engine/transport/child-process.ts";
import { HttpLink } from "../../../engine/transport/http/http-link.ts";
import { type HttpTarget, openTarget } from "../../../engine/transport/http/http-target.ts";
import { openMcpTarget } from "../../../engine/transport/http/old-transport/old-transport.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { createLineRedactor, type Redactor } from "../../../core/text/redact/redact-secrets.ts";
import { shownWords } from "../target-secrets.ts";

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
  #client: McpClient | undefined;
  /** The first response since the last line that belongs to no request, such as an error without an id. */
  #heard: JsonObject | undefined;
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

  get greeting(): RecordedReply {
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
    const isLegacy = era === "modern" && reply.kind === "error" && reply.error["code"] === METHOD_NOT_FOUND;
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

  /** How long the next answer may take. */
  get timeoutMs(): number {
    return Math.max(1, Math.min(this.#options.limits.callMs, this.#options.leftMs()));
  }

  /** Whether the server offers resources. */
  get hasResources(): boolean {
    const { greeting } = this;
    const capabilities = greeting.kind === "result" ? greeting.result["capabilities"] : undefined;
    return isJsonObject(capabilities) && isJsonObject(capabilities["resources"]);
  }

  /** Sends a request. A server that has ended is restarted first, as often as the limits allow. */
  async ask(method: string, params: JsonObject = {}, id?: string): Promise<McpAnswer> {
    const client = await this.#usable();
    if (client === undefined) return unanswered(this.#gone ?? "the server is gone");
    const limits = { timeoutMs: this.timeoutMs, meta: this.#metaOf(method), id };
    const answer = await client.ask(method, params, limits);
    this.#note(method, answer.reply);
    return answer;
  }

  /** Sends a notification. */
  async tell(method: string, params: JsonObject = {}): Promise<void> {
    const client = await this.#usable();
    client?.notify(method, client.dressed(params));
  }

  /** Sends a request and cancels it at once. Returns the answer if one still arrives within `waitMs`. */
  async askAndCancel(
    method: string,
    params: JsonObject,
    waitMs: number,
  ): Promise<{ readonly answer: McpAnswer; readonly afterMs: number }> {
    const client = await this.#usable();
    if (client === undefined) return { answer: unanswered(this.#gone ?? "gone"), afterMs: 0 };
    const id = client.nextId();
    const startedAt = performance.now();
    const timeoutMs = Math.min(waitMs, this.timeoutMs);
    const asked = client.ask(method, params, { timeoutMs, meta: this.#metaOf(method), id });
    client.notify("notifications/cancelled", { requestId: id, reason: "The check calls it off" });
    const afterMs = performance.now() - startedAt;
    const answer = await asked;
    // Silence is correct here; over HTTP only that one answer ends, and the connection stays open.
    if (answer.reply.kind !== "closed") return { answer, afterMs };
    if (client.closedBy === undefined) {
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
  async sendLine(
    line: string,
  ): Promise<{ readonly heard: JsonObject | undefined; readonly next: McpAnswer }> {
    const client = await this.#usable();
    if (client === undefined) return { heard: undefined, next: unanswered(this.#gone ?? "gone") };
    this.#heard = undefined;
    client.sendLine(line);
    const next = await this.ask("tools/list");
    return { heard: this.#heard, next };
  }

  async close(): Promise<void> {
    this.#client?.close("the check closed the connection");
    await this.#open?.close();
    this.#client = undefined;
  }

  /** Whether the server still answers: a slow call must not be blamed on the next one. */
  async #isAlive(client: McpClient | undefined): Promise<boolean> {
    if (!this.#mayBeStuck || client === undefined) return client !== undefined;
    const method = this.era === "modern" ? "server/discover" : "ping";
    const timeoutMs = Math.min(SIGN_OF_LIFE_MS, this.timeoutMs);
    const { reply } = await client.ask(method, {}, { timeoutMs });
    this.#mayBeStuck = false;
    return reply.kind === "result" || reply.kind === "error";
  }

  /** Calls ask for progress, as most clients do. */
  #metaOf(method: string): JsonObject | undefined {
    if (method !== "tools/call") return undefined;
    this.#calls += 1;
    return { progressToken: `waybill-check-${this.#calls}` };
  }

  async #connect(era: NonNullable<CheckOptions["era"]>): Promise<Greeting> {
    const { way, limits, clientVersion, recorder, leftMs } = this.#options;
    await this.close();
    this.#open = way.open();
    this.#client = new McpClient({
      link: this.#open.link,
      clientInfo: { name: "waybill-check", version: clientVersion },
      listener: { ...recorder.listener, unmatched: (response) => (this.#heard ??= response) },
      readReply,
    });
    this.#mayBeStuck = false;
    const timeoutMs = Math.max(1, Math.min(limits.startMs, leftMs()));
    return this.#client.greet(era === "auto" ? "modern-first" : era, timeoutMs);
  }

  #note(method: string, reply: RecordedReply): void {
    this.#mayBeStuck = reply.kind === "timeout";
    if (reply.kind !== "closed") return;
    const { recorder } = this.#options;
    // The index of the call that is recorded next.
    const call = method === "tools/call" ? recorder.calls.length : undefined;
    recorder.problem({ ...problemOf(reply.reason, false), call });
  }

  async #usable(): Promise<McpClient | undefined> {
    if (this.#gone !== undefined || this.#options.leftMs() === 0) return undefined;
    const client = this.#client;
    if (client?.closedBy === undefined && (await this.#isAlive(client))) return client;
    // The time of the check ran out, not the server's.
    if (this.#options.leftMs() === 0) return undefined;
    if (this.#restarts >= this.#options.limits.restarts) {
      this.#gone = `the server had to be started again more than ${this.#options.limits.restarts} times`;
      return undefined;
    }
    this.#restarts += 1;
    const { reply } = await this.#connect(this.era);
    if (reply.kind === "result") return this.#client;
    this.#gone = "the server could not be started again";
    return undefined;
  }
}

function unanswered(reason: string): McpAnswer {
  return { reply: { kind: "closed", reason }, response: undefined, text: undefined, durationMs: 0 };
}

/** The revision agreed on in the greeting. */
function versionOf({ era, reply }: Greeting): string | undefined {
  if (reply.kind !== "result") return undefined;
  const version = era === "modern" ? MODERN_REVISION : reply.result["protocolVersion"];
  return typeof version === "string" ? version : undefined;
}

/** An open connection, and how to end it: when `close` resolves, no process and no socket is left. */
interface OpenLink {
  readonly link: Link;
  /** Why no process could be started; known once the link has closed. */
  readonly startProblem: () => string | undefined;
  close(): Promise<void>;
}

export interface Way {
  readonly transport: "stdio" | "http";
  /** For reports: without passwords or keys. */
  readonly name: string;
  open(): OpenLink;
  /** The server's address by itself, below the messages; the caller closes it. Undefined without a URL. */
  readonly openHttp?: (() => HttpTarget) | undefined;
}

/** A process is asked to end twice, two seconds apart, then killed; ending a session may take two seconds. */
const CLOSE_MS = 8_000;

/** Resolves with the promise, or after the given time. */
function atMost(promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function commandWay(
  target: CommandTarget,
  { onStderr }: CheckOptions,
  { maxMessageBytes }: Limits,
  redactor: Redactor,
): Way {
  const { command, args = [], env, inheritEnv = true, cwd } = target;
  return {
    transport: "stdio",
    name: redactor.text(shownWords([command, ...args]).join(" ")).text,
    open: () => {
      let problem: string | undefined;
      const masked = createLineRedactor(redactor);
      const link = startChild({
        command,
        args,
        cwd,
        environment: childEnvironment({ env, inheritEnv }),
        maxMessageBytes,
        stderr: (line) => onStderr?.(masked(line)),
        failed: (why) => (problem = why),
      });
      const close = (): Promise<void> => {
        link.close();
        return atMost(link.ended, CLOSE_MS);
      };
      return { link, startProblem: () => problem, close };
    },
  };
}

/** The address without a password; the part after the question mark may be a key. */
function shownUrl(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}

function urlWay({ url, headers, transport }: UrlTarget, limits: Limits): Way {
  return {
    transport: "http",
    name: shownUrl(url),
    // The transport of 2024 has other statuses.
    openHttp: transport === "sse" ? undefined : () => openTarget(url, headers),
    open: () => {
      const target = openMcpTarget(url, headers, { transport, maxMessageBytes: limits.maxMessageBytes });
      let closed: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (closed = resolve));
      const link = new HttpLink({
        target,
        maxMessageBytes: limits.maxMessageBytes,
        startTimeoutMs: limits.startMs,
        onClose: () => closed(),
      });
      const close = async (): Promise<void> => {
        link.close();
        await atMost(ended, CLOSE_MS);
        target.close();
      };
      return { link, startProblem: () => undefined, close };
    },
  };
}

/** How a server is reached. */
export function wayTo(target: CheckTarget, options: CheckOptions, limits: Limits, redactor: Redactor): Way {
  if ("url" in target) return urlWay(target, limits);
  if ("command" in target) return commandWay(target, options, limits, redactor);
  const { link: connect, name = "in memory" } = target;
  return {
    transport: "stdio",
    name,
    open: () => {
      const link = connect();
      return { link, startProblem: () => undefined, close: async () => link.close() };
    },
  };
}
