// Several servers at one address over HTTP. The same service takes its requests as takes those of one command; only
// what is behind it is another.

import type { JsonObject } from "../../../core/json/json-value.ts";
import { kindOf } from "../../../engine/transport/raw-message.ts";
import { idToRepeat, refuse } from "../../../engine/transport/http/refusal.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { ToolNames, withToolName } from "../../../engine/session/tool-names.ts";
import { authenticate } from "../auth/authenticate.ts";
import type {
  Admitted,
  RequestHeaders,
  SignInVerdict,
  Refused,
} from "../../../engine/request/sign-in/verdict.ts";
import { openBridge } from "../bridge/bridge.ts";
import { termsOf } from "../bridge/bridge-options.ts";
import { errorCodeOf, statusOfError } from "../bridge/classify-post.ts";
import { type CommandHandler, type ServeModern, serviceHandler } from "../bridge/command-handler.ts";
import type { ServingParts, Visit } from "../bridge/command-processes.ts";
import { ModernRequests } from "../bridge/modern-requests.ts";
import { httpRefusals } from "../listen/refuse-request.ts";
import { forgetSession } from "../session-archives.ts";
import { type EndpointServer, type MergedEndpoint, factsFor } from "./merged-endpoint.ts";
import { ModernMerge, Waiting } from "./modern-merge.ts";
import { SessionServers } from "./session-servers.ts";

/** Serves an endpoint to clients of both eras. */
export function mergedHandler(endpoint: MergedEndpoint, name: string): CommandHandler {
  const { servers, note } = endpoint;
  return serviceHandler(
    {
      upstream: endpoint.asUpstream(name),
      maxProcesses: endpoint.maxSessions,
      idleMs: longestIdle(endpoint),
      maxOpenRequests: mostOpen(endpoint),
      note,
    },
    {
      open: (client: Link, link: Link, handover) => {
        if (link instanceof SessionServers) link.open({ client, handover });
      },
      modern: (parts) => new MergedRequests(endpoint, parts),
      sessionEnded: (id) => {
        for (const { state } of servers.all) forgetSession(state, id);
      },
    },
  );
}

/** A connection ends when the server that is kept longest would have ended. */
function longestIdle({ servers }: MergedEndpoint): number | undefined {
  const own = servers.all.flatMap(({ options: { idleMs } }) => (idleMs === undefined ? [] : [idleMs]));
  return own.length < servers.all.length ? undefined : Math.max(...own);
}

function mostOpen({ servers }: MergedEndpoint): number | undefined {
  const own = servers.all.flatMap(({ options: { maxOpenRequests: max } }) =>
    max === undefined ? [] : [max],
  );
  return own.length === 0 ? undefined : Math.min(...own);
}

/** Requests of the modern era to an endpoint. */
class MergedRequests implements ServeModern {
  readonly #endpoint: MergedEndpoint;
  readonly #parts: ServingParts;
  readonly #merge: ModernMerge;
  readonly #single = new Map<string, ModernRequests>();
  /** Requests that wait for several servers, by caller. */
  readonly #open = new Map<string, number>();

  constructor(endpoint: MergedEndpoint, parts: ServingParts) {
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#merge = new ModernMerge(endpoint.servers, endpoint.version);
  }

  async take(message: JsonObject, isRequest: boolean, body: Buffer, visit: Visit): Promise<void> {
    const { response, facts } = visit;
    if (!isRequest) {
      // In this era a client over HTTP cancels by closing the response; no notification concerns a server.
      response.writeHead(202).end();
      return undefined;
    }
    const { rawId } = kindOf(body);
    const { principal } = facts;
    const waiting = new Waiting();
    const open = this.#open.get(principal) ?? 0;
    if (open >= this.#parts.maxOpenRequests)
      return refuse(response, httpRefusals.tooManyOpen, idToRepeat(message));
    const caller = this.#endpoint.callerOf(facts);
    const reply = (): ReturnType<ServingParts["replies"]["open"]> => {
      made ??= this.#reply(visit, principal, message["method"] !== "subscriptions/listen", waiting);
      return made;
    };
    let made: ReturnType<ServingParts["replies"]["open"]> | undefined;
    const tell = (bytes: Buffer): void => reply().event(bytes);
    const request = { message, body, rawId, caller, waiting, tell };
    const plan = this.#merge.plan(request);
    if (plan.kind === "one") return this.#toOne(plan.server.name, message, plan.bytes, body, visit);
    if (plan.kind === "stream") return this.#merge.listen(request);
    const opened = reply();
    const answer = await plan.answer;
    const code = errorCodeOf(answer);
    return opened.answer(answer, code === undefined ? 200 : statusOfError(code));
  }

  #reply(
    { response, facts }: Visit,
    principal: string,
    isAnswer: boolean,
    waiting: Waiting,
  ): ReturnType<ServingParts["replies"]["open"]> {
    this.#open.set(principal, (this.#open.get(principal) ?? 0) + 1);
    response.once("close", () => {
      const left = (this.#open.get(principal) ?? 1) - 1;
      if (left > 0) this.#open.set(principal, left);
      else this.#open.delete(principal);
      waiting.cancel();
    });
    return this.#parts.replies.open(
      response,
      { accept: facts.headers["accept"], headers: {}, isAnswer },
      () => undefined,
    );
  }

  /** As at the server's own address. */
  #toOne(
    name: string,
    message: JsonObject,
    sent: Buffer,
    body: Buffer,
    { response, facts }: Visit,
  ): Promise<void> | undefined {
    const server = this.#endpoint.server(name);
    if (server === undefined) return undefined;
    const named = sent === body ? message : withToolName(message, nameIn(sent) ?? null);
    return this.#requestsOf(server).take(named, true, sent, { response, facts: factsFor(facts, name) });
  }

  #requestsOf(server: EndpointServer): ModernRequests {
    const known = this.#single.get(server.name);
    if (known !== undefined) return known;
    const { state, options, processes } = server;
    const note = (text: string): void =>
      state.log.warn("gateway-dropped", { upstream: server.name, what: text });
    const made = new ModernRequests(
      {
        ...this.#parts,
        processes,
        open: (client, upstream, handover) =>
          void openBridge({ state, client, upstream, handover, ...termsOf(options), note, isJudged: true }),
      },
      new ToolNames(options),
    );
    this.#single.set(server.name, made);
    return made;
  }
}

function nameIn(bytes: Buffer): string | undefined {
  const { params } = JSON.parse(bytes.toString()) as { readonly params?: { readonly name?: string } };
  return params?.name;
}

/** The caller as each server admits it, with a name that is unique to the server. */
export type OfServer = (name: string, admitted: Admitted) => Admitted;

/** Admits a caller to the servers that accept its credentials; refuses one that no server accepts. */
export async function authenticateEach(
  headers: RequestHeaders,
  { servers }: MergedEndpoint,
  ofServer: OfServer,
): Promise<SignInVerdict> {
  const each = new Map<string, Admitted>();
  let refused: Refused | undefined;
  for (const { name, options } of servers.all) {
    const verdict = await authenticate(headers, options.auth);
    if (verdict.kind === "ok") each.set(name, ofServer(name, verdict));
    else if (refused === undefined || verdict.status === 401) refused = verdict;
  }
  const all = [...each];
  const [first] = all;
  if (first === undefined) return refused ?? { kind: "ok", principal: "", authInfo: undefined, headers };
  const principals = new Set(all.map(([, { principal }]) => principal));
  const isSame = principals.size === 1 && each.size === servers.all.length;
  const principal = isSame
    ? first[1].principal
    : JSON.stringify(all.map(([name, one]) => [name, one.principal]));
  // Credentials that one of them has consumed are not shown to the others.
  const known = all.find(([, { authInfo }]) => authInfo !== undefined)?.[1] ?? first[1];
  return { ...known, principal, each };
}
