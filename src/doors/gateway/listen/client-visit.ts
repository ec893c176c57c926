import type { ServerResponse } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { Link } from "../../../engine/transport/link.ts";
import type { CommandProcesses } from "./command-processes.ts";
import type { RequestFacts } from "./http-parts.ts";
import type { OpenReplies } from "./open-replies.ts";

/** One HTTP request, with what is known of it. */
export interface Visit {
  readonly response: ServerResponse;
  readonly facts: RequestFacts;
}

/** What both eras of a command's requests are served with. */
export interface ServingParts {
  readonly processes: CommandProcesses;
  readonly replies: OpenReplies;
  /** Requests without an answer: of one legacy session, or the modern ones of one caller. */
  readonly maxOpenRequests: number;
  /** Puts a client and a server together, under the contract of their upstream. */
  readonly open: (client: Link, upstream: Link, handover: () => Handover) => void;
}

/** What the engine hears of a request, in the form in which the SDKs hand it over. */
export function handoverOf(
  { headers, authInfo, peer }: RequestFacts,
  sessionId: string | undefined,
): Handover {
  return { extra: { requestInfo: { headers }, authInfo, peer }, sessionId };
}
