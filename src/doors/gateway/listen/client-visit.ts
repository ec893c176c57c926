import type { ServerResponse } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { Link } from "../../../engine/transport/link.ts";
import type { CommandProcesses } from "./command-processes.ts";
import type { RequestFacts } from "./http-parts.ts";
import type { OpenReplies } from "./open-replies.ts";

/** One HTTP request, with the facts known about it. */
export interface Visit {
  readonly response: ServerResponse;
  readonly facts: RequestFacts;
}

/** What both eras need to serve the requests of a command. */
export interface ServingParts {
  readonly processes: CommandProcesses;
  readonly replies: OpenReplies;
  /** Open requests: of one legacy session, or all modern requests of one caller. */
  readonly maxOpenRequests: number;
  /** Connects a client and a server, under the contract of their upstream. */
  readonly open: (client: Link, upstream: Link, handover: () => Handover) => void;
}

/** What the engine learns about a request, in the form in which the SDKs give it. */
export function handoverOf(
  { headers, authInfo, peer }: RequestFacts,
  sessionId: string | undefined,
): Handover {
  return { extra: { requestInfo: { headers }, authInfo, peer }, sessionId };
}
