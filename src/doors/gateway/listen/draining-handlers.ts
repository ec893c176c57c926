import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "../../../engine/transport/http/refusal.ts";
import { type Drainable, DrainingSet, type DrainingOptions, type Lease } from "../config/draining-set.ts";
import type { HandleRequest, RequestFacts } from "./http-listener.ts";
import { httpRefusals } from "./refuse-request.ts";

/** What answers the requests to one address. */
export interface DrainingHandler extends Drainable {
  readonly handle: HandleRequest;
  /** Whether a legacy session belongs to it: its requests still reach it while it leaves. */
  readonly knows?: ((facts: RequestFacts) => boolean) | undefined;
}

/** A stream that a client keeps open to listen is not a call, and would keep a handler open forever. */
function isCall({ method }: IncomingMessage): boolean {
  return method !== "GET";
}

/** Handlers by name that come and go while requests use them. */
export class DrainingHandlers<Member extends DrainingHandler> {
  readonly members: DrainingSet<Member>;

  constructor(options: DrainingOptions) {
    this.members = new DrainingSet(options);
  }

  handle(name: string, request: IncomingMessage, response: ServerResponse, facts: RequestFacts): void {
    const lease = this.#leaseFor(name, facts);
    if (lease === undefined) return refuse(response, httpRefusals.unknownSession);
    if (isCall(request)) response.once("close", () => lease.release());
    lease.member.handle(request, response, facts);
    if (!isCall(request)) lease.release();
  }

  #leaseFor(name: string, facts: RequestFacts): Lease<Member> | undefined {
    const followed =
      facts.headers["mcp-session-id"] === undefined
        ? undefined
        : this.members.useLeaving(name, ({ knows }) => knows?.(facts) === true);
    return followed ?? this.members.use(name);
  }
}
