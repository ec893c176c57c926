import type { IncomingMessage, ServerResponse } from "node:http";
import { authenticate } from "../auth/authenticate.ts";
import type { Admitted, RequestHeaders, Verdict } from "../auth/verdict.ts";
import { DrainingSet, type Lease } from "../config/draining-set.ts";
import { planReload } from "../config/reload-plan.ts";
import type { UpstreamOptions } from "../gateway-options.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import type { DescribeUpstream, HandleRequest, RequestFacts, ServedUpstream } from "./http-parts.ts";

/** One upstream with everything behind it: its contract, its handler, its processes. */
export interface OpenedUpstream {
  readonly handle: HandleRequest;
  readonly describe?: DescribeUpstream | undefined;
  readonly health: () => UpstreamHealth;
  /** Whether a legacy session is one of this upstream's: its requests follow it while it leaves. */
  readonly knows?: ((facts: RequestFacts) => boolean) | undefined;
  /** Open sessions of clients. */
  readonly sessions?: (() => number) | undefined;
  readonly close: () => Promise<void>;
}

export interface ReloadableOptions {
  /** Starts one upstream. Throws where its options are wrong; then nothing changes. */
  readonly open: (name: string, options: UpstreamOptions) => OpenedUpstream;
  readonly onFailure: (name: string, error: unknown) => void;
  /** Hears of each request that was refused for its credentials. */
  readonly onRefused?: ((name: string, reason: string) => void) | undefined;
  readonly maxDrainMs?: number | undefined;
}

type Upstreams = Readonly<Record<string, UpstreamOptions>>;

interface Member extends OpenedUpstream {
  readonly options: UpstreamOptions;
}

/** A stream that a client keeps open to listen is no call, and would keep an upstream for ever. */
function isCall({ method }: IncomingMessage): boolean {
  return method !== "GET";
}

/**
 * The caller under a name of this upstream: two of them may know different people by one name, and neither their archives
 * nor their limits are the same.
 */
function ofUpstream(name: string, admitted: Admitted): Admitted {
  const { authInfo } = admitted;
  if (authInfo === undefined) return admitted;
  return { ...admitted, authInfo: { ...authInfo, extra: { sub: `${name}/${authInfo.extra.sub}` } } };
}

/** The upstreams of a listener, which a changed file adds to, replaces and removes while calls run. */
export class ReloadableUpstreams {
  readonly #options: ReloadableOptions;
  readonly #members: DrainingSet<Member>;
  #served: ReadonlyMap<string, ServedUpstream> = new Map();
  #upstreams: Upstreams = {};

  constructor(options: ReloadableOptions) {
    this.#options = options;
    const { maxDrainMs, onFailure } = options;
    this.#members = new DrainingSet({ maxDrainMs, onFailure });
  }

  /** What the listener serves now. */
  served(): ReadonlyMap<string, ServedUpstream> {
    return this.#served;
  }

  *health(): Generator<readonly [string, UpstreamHealth]> {
    for (const [name, { health }] of this.#members.entries()) yield [name, health()];
  }

  *sessions(): Generator<readonly [string, number]> {
    for (const [name, { sessions }] of this.#members.entries())
      if (sessions !== undefined) yield [name, sessions()];
  }

  /** Goes over to these upstreams. All new ones are opened first, so that one that cannot be changes nothing. */
  apply(upstreams: Upstreams): void {
    const { added, changed, removed } = planReload(this.#upstreams, upstreams);
    const opened = new Map<string, Member>();
    try {
      for (const name of [...changed, ...added]) {
        const options = upstreams[name];
        if (options !== undefined) opened.set(name, { ...this.#options.open(name, options), options });
      }
    } catch (error) {
      for (const [name, member] of opened)
        void member.close().catch((failure: unknown) => this.#options.onFailure(name, failure));
      throw error;
    }
    for (const name of removed) this.#members.remove(name);
    for (const [name, member] of opened) this.#members.set(name, member);
    const before = this.#upstreams;
    this.#upstreams = upstreams;
    this.#served = this.#list(before);
  }

  async close(): Promise<void> {
    this.#served = new Map();
    await this.#members.close();
  }

  #list(before: Upstreams): ReadonlyMap<string, ServedUpstream> {
    const served = new Map<string, ServedUpstream>();
    for (const [name, { options, health, describe }] of this.#members.entries())
      served.set(name, { ...this.#serve(name, options, health), describe });
    for (const name of this.#members.leaving()) {
      const options = before[name];
      if (served.has(name) || options === undefined) continue;
      served.set(
        name,
        this.#serve(name, options, () => ({ state: "down", reason: "removed", restarts: 0 })),
      );
    }
    return served;
  }

  #serve(name: string, { auth }: UpstreamOptions, health: ServedUpstream["health"]): ServedUpstream {
    const tell = (verdict: Verdict): Verdict => {
      if (verdict.kind === "ok") return ofUpstream(name, verdict);
      this.#options.onRefused?.(name, verdict.reason);
      return verdict;
    };
    return {
      authenticate: (headers: RequestHeaders) => {
        const verdict = authenticate(headers, auth);
        return verdict instanceof Promise ? verdict.then(tell) : tell(verdict);
      },
      handle: (request, response, facts) => this.#handle(name, request, response, facts),
      health,
    };
  }

  #handle(name: string, request: IncomingMessage, response: ServerResponse, facts: RequestFacts): void {
    const lease = this.#leaseFor(name, facts);
    if (lease === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      const error = { code: -32001, message: "Session not found" };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
      return;
    }
    if (isCall(request)) response.once("close", () => lease.release());
    lease.member.handle(request, response, facts);
    if (!isCall(request)) lease.release();
  }

  #leaseFor(name: string, facts: RequestFacts): Lease<Member> | undefined {
    const followed =
      facts.headers["mcp-session-id"] === undefined
        ? undefined
        : this.#members.useLeaving(name, ({ knows }) => knows?.(facts) === true);
    return followed ?? this.#members.use(name);
  }
}
