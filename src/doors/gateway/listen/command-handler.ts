// Serves a command over HTTP: POST, GET and DELETE of the legacy era with a process for each session, and the POSTs of
// the modern era, which share a process for each caller. Every wrong request gets the status that the SDK's server gives.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { forgetSession } from "../forget-session.ts";
import { openBridge } from "../bridge.ts";
import { clientFault, notUtf8 } from "../read-client-message.ts";
import { valueOf } from "../../../engine/transport/message-kind.ts";
import { withoutMark } from "../../../engine/transport/server-answers.ts";
import { elementsOf } from "../../../engine/transport/raw-message.ts";
import type { Upstream, UpstreamHealth } from "../upstream/upstream.ts";
import { classifyPost } from "./classify-post.ts";
import type { ServingParts, Visit } from "./client-visit.ts";
import { CommandProcesses } from "./command-processes.ts";
import type { HandleRequest, RequestFacts } from "./http-parts.ts";
import { LegacyRequests, acceptsBoth } from "./legacy-requests.ts";
import { ModernRequests } from "./modern-requests.ts";
import { OpenReplies } from "./open-replies.ts";
import type { WaitingMemory } from "../../../engine/transport/http/waiting-memory.ts";
import { MAX_BODY_BYTES, receiveBody } from "../../../engine/transport/http/receive-body.ts";
import { idToRepeat, refuse } from "../../../engine/transport/http/refusal.ts";
import { MAX_OPEN_REQUESTS, refusals } from "./refuse-request.ts";

export interface CommandHandlerOptions {
  readonly state: ContractState;
  readonly upstream: Upstream;
  /** Processes at once. Default: 16. */
  readonly maxProcesses?: number | undefined;
  /** Of them, how many one caller may have. Default: all. */
  readonly maxProcessesPerCaller?: number | undefined;
  /** Requests without an answer, of one session or of one caller's modern ones. Default: 1,000. */
  readonly maxOpenRequests?: number | undefined;
  /** How long a process without requests is kept. Default: 300,000. */
  readonly idleMs?: number | undefined;
  readonly callTimeoutMs?: number | undefined;
  readonly requestTimeoutMs?: number | undefined;
  /** Tools that are neither listed nor callable. */
  readonly hide?: readonly string[] | undefined;
  /** The longest request body. Default: 4,194,304 (4 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /** How often a waiting response shows a sign of life. Default: 15,000. */
  readonly keepAliveMs?: number | undefined;
  /** Where what waits for clients that do not read is counted. Default: that of the process. */
  readonly memory?: WaitingMemory | undefined;
  /** Hears of what was dropped. */
  readonly note?: ((text: string) => void) | undefined;
}

export interface CommandHandler {
  readonly handle: HandleRequest;
  readonly health: () => UpstreamHealth;
  /** Whether a request names a session of its caller that is open here. */
  readonly knows: (facts: RequestFacts) => boolean;
  /** How many sessions are open. */
  readonly sessions: () => number;
  /** Lets running requests finish, at most 5 s, then ends every session and process. */
  readonly close: () => Promise<void>;
}

export const MAX_PROCESSES = 16;
const IDLE_MS = 300_000;
const CLOSE_WAIT_MS = 5_000;
/** A server that is down and that nobody uses may have been repaired; only a request can show it. */
const FORGIVE_MS = 30_000;

function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return /^\s*application\/json\s*(?:;|$)/i.test(contentType ?? "");
}

class CommandService implements CommandHandler {
  readonly #upstream: Upstream;
  readonly #maxBodyBytes: number;
  readonly #parts: ServingParts;
  readonly #modern: ModernRequests;
  readonly #legacy: LegacyRequests;
  #downSince: number | undefined;
  #isClosing = false;

  constructor(options: CommandHandlerOptions) {
    const { state, upstream, callTimeoutMs, requestTimeoutMs, hide, keepAliveMs, note } = options;
    const { maxProcesses = MAX_PROCESSES, idleMs = IDLE_MS } = options;
    const limits = { callTimeoutMs, requestTimeoutMs };
    this.#upstream = upstream;
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
    this.#parts = {
      processes: new CommandProcesses(upstream, {
        maxProcesses,
        maxPerCaller: options.maxProcessesPerCaller ?? maxProcesses,
        idleMs,
        sessionEnded: (id) => void forgetSession(state, id),
        note,
      }),
      replies: new OpenReplies(keepAliveMs, options.memory),
      maxOpenRequests: options.maxOpenRequests ?? MAX_OPEN_REQUESTS,
      open: (client, server, handover) =>
        void openBridge({ state, client, upstream: server, handover, ...limits, hide, note, isJudged: true }),
    };
    this.#modern = new ModernRequests(this.#parts, hide);
    this.#legacy = new LegacyRequests(this.#parts);
  }

  readonly handle: HandleRequest = (request, response, facts) => {
    const visit: Visit = { response, facts };
    if (this.#isClosing) return refuse(response, refusals.closing);
    if (request.method === "POST") return this.#post(request, visit);
    if (request.method === "GET") return this.#legacy.get(visit);
    if (request.method === "DELETE") return this.#legacy.delete(visit);
    return refuse(response, refusals.methodNotAllowed);
  };

  /** While it is down without a process, nobody would ever find out that it could be started again. */
  readonly health = (): UpstreamHealth => {
    const health = this.#upstream.health();
    const isDown = health.state === "down" && health.retryInMs === undefined;
    this.#downSince =
      isDown && this.#parts.processes.size === 0 ? (this.#downSince ?? Date.now()) : undefined;
    const isForgiven = this.#downSince !== undefined && Date.now() - this.#downSince >= FORGIVE_MS;
    return isForgiven ? { state: "starting", restarts: health.restarts } : health;
  };

  readonly knows = (facts: RequestFacts): boolean => this.#legacy.find(facts) !== undefined;

  readonly sessions = (): number => this.#parts.processes.sessions;

  readonly close = async (): Promise<void> => {
    this.#isClosing = true;
    await this.#parts.replies.whenAnswered(CLOSE_WAIT_MS);
    this.#parts.processes.close();
    this.#parts.replies.stop();
  };

  #post(request: IncomingMessage, visit: Visit): void {
    const { response, facts } = visit;
    if (!isJson(facts.headers["content-type"])) return refuse(response, refusals.mediaType);
    const take = (sent: Buffer): void => {
      const body = withoutMark(sent);
      if (!isUtf8(body)) return refuse(response, { status: 400, ...notUtf8 });
      const json = valueOf(body.toString("utf8"));
      if (json !== undefined) return this.#classified(json, body, visit);
      return refuse(response, acceptsBoth(facts.headers["accept"]) ? refusals.notJson : refusals.acceptBoth);
    };
    return receiveBody(request, response, this.#maxBodyBytes, take, { failed: facts.failed });
  }

  #classified(json: unknown, body: Buffer, visit: Visit): void {
    // Each message of a batch leaves as its own bytes, and is judged by them, as it is outside of one.
    const messages: readonly unknown[] = Array.isArray(json) ? json : [json];
    const bytes = Array.isArray(json) ? elementsOf(body) : [body];
    for (const [at, one] of messages.entries()) {
      const fault = clientFault(bytes[at]?.toString("utf8") ?? "", one);
      if (fault !== undefined) return refuse(visit.response, { status: 400, ...fault }, fault.id);
    }
    const post = classifyPost(json, visit.facts.headers);
    if (post.kind === "refused") return refuse(visit.response, post.refusal, idToRepeat(json));
    if (post.kind === "modern") return this.#modern.take(post.message, post.isRequest, body, visit);
    return this.#legacy.post(post.messages, bytes, visit);
  }
}

/** Serves one command over HTTP. */
export function commandHandler(options: CommandHandlerOptions): CommandHandler {
  return new CommandService(options);
}
