// Requests of the legacy era in front of a command: `initialize` opens a session with a process of its own, POST speaks in
// it, GET listens to it, DELETE ends it.

import type { JsonObject } from "../../../core/json/json-value.ts";
import { type MaybePromise, chain } from "../../../core/pipeline/maybe-promise.ts";
import { type ServingParts, type Visit, handoverOf } from "./client-visit.ts";
import type { RequestFacts } from "./http-parts.ts";
import type { HttpReply } from "./http-reply.ts";
import type { LegacySession } from "./legacy-session.ts";
import { type Refusal, idToRepeat, refuse } from "../../../engine/transport/http/refusal.ts";
import { refusals, refuseFailed } from "./refuse-request.ts";

const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

function checkRevision(version: string | undefined): Refusal | undefined {
  if (version === undefined || revisions.includes(version)) return undefined;
  return {
    status: 400,
    code: -32000,
    message: `Bad Request: Unsupported protocol version: ${version} (supported versions: ${revisions.join(", ")})`,
  };
}

export function acceptsBoth(accept: string | undefined): boolean {
  return accept?.includes("application/json") === true && accept.includes("text/event-stream");
}

function isRequest({ method, id }: JsonObject): boolean {
  return method !== undefined && id !== undefined;
}

/** Whether the same request may be served later; its answer then names it. */
function isRetried({ status }: Refusal): boolean {
  return status === 503;
}

export class LegacyRequests {
  readonly #parts: ServingParts;

  constructor(parts: ServingParts) {
    this.#parts = parts;
  }

  /** Takes the messages of one POST, and the same messages as bytes. */
  post(messages: readonly JsonObject[], bytes: readonly Buffer[], { response, facts }: Visit): void {
    if (!acceptsBoth(facts.headers["accept"])) return refuse(response, refusals.acceptBoth);
    const id = idToRepeat(messages.length === 1 ? messages[0] : undefined);
    const serving = chain(this.#sessionFor(messages, facts), (session): void => {
      if (!("principal" in session)) return refuse(response, session, isRetried(session) ? id : null);
      // The client may have left while a process had to end first.
      if (response.destroyed) return session.leftUnanswered();
      return this.#speak(session, messages, bytes, { response, facts });
    });
    refuseFailed(serving, response);
  }

  #speak(
    session: LegacySession,
    messages: readonly JsonObject[],
    bytes: readonly Buffer[],
    { response, facts }: Visit,
  ): void {
    const id = idToRepeat(messages.length === 1 ? messages[0] : undefined);
    if (session.uses(messages)) return refuse(response, refusals.usedId, id);
    const handover = handoverOf(facts, session.id);
    const requests = messages.filter(isRequest).length;
    if (requests === 0) {
      session.post({ messages, bytes, reply: undefined, handover });
      response.writeHead(202).end();
      return undefined;
    }
    if (session.openRequests + requests > this.#parts.maxOpenRequests)
      return refuse(response, refusals.tooManyOpen, id);
    const reply = this.#reply(session, { response, facts }, true);
    return session.post({ messages, bytes, reply, handover });
  }

  get(visit: Visit): void {
    const { response, facts } = visit;
    if (facts.headers["accept"]?.includes("text/event-stream") !== true)
      return refuse(response, refusals.acceptStream);
    const session = this.#existing(facts);
    if (!("principal" in session)) return refuse(response, session);
    const lastEventId = facts.headers["last-event-id"];
    const problem = session.canStream(lastEventId);
    if (problem !== undefined) return refuse(response, problem);
    return session.stream(this.#reply(session, visit, false), lastEventId);
  }

  delete({ response, facts }: Visit): void {
    const session = this.#existing(facts);
    if (!("principal" in session)) return refuse(response, session);
    session.end("the client ended the session");
    response.writeHead(200).end();
    return undefined;
  }

  /** The open session of this caller that a request names. */
  find({ headers, principal }: RequestFacts): LegacySession | undefined {
    const id = headers["mcp-session-id"];
    return id === undefined ? undefined : this.#parts.processes.session(id, principal);
  }

  #reply(session: LegacySession, { response, facts }: Visit, isAnswer: boolean): HttpReply {
    const headers = { "mcp-session-id": session.id };
    const options = { accept: facts.headers["accept"], headers, isAnswer };
    const reply: HttpReply = this.#parts.replies.open(response, options, () => session.left(reply));
    return reply;
  }

  /** The session that a POST belongs to; `initialize` opens one. */
  #sessionFor(messages: readonly JsonObject[], facts: RequestFacts): MaybePromise<LegacySession | Refusal> {
    // Without an id it is no greeting: nobody would hear the name of the session.
    const isGreeting = messages.some((message) => message["method"] === "initialize" && isRequest(message));
    if (!isGreeting) return this.#existing(facts);
    if (facts.headers["mcp-session-id"] !== undefined)
      return this.find(facts) === undefined ? refusals.unknownSession : refusals.secondGreeting;
    return chain(this.#parts.processes.openSession(facts), (opened) => {
      if (typeof opened === "string") return refusals[opened];
      const { session, link } = opened;
      this.#parts.open(session, link, () => session.handover);
      return session;
    });
  }

  /** The session that a request names, or why it is not served. */
  #existing(facts: RequestFacts): LegacySession | Refusal {
    if (facts.headers["mcp-session-id"] === undefined) return refusals.noSession;
    const session = this.find(facts);
    if (session === undefined) return refusals.unknownSession;
    return checkRevision(facts.headers["mcp-protocol-version"]) ?? session;
  }
}
