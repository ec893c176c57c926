// Whether an answer shows a server that can be called. One rule for all answers: to the gateway's own question, and to
// what clients ask. The body is not read.

import { type HttpFailure, isWithheld, statusFailure, wrongType } from "./http-failure.ts";
import { mediaTypeOf } from "./http-body.ts";
import type { HttpAnswer } from "./http-target.ts";

/** Sent by a proxy that has no server behind it, or by a server that takes no requests. */
const goneStatuses: readonly number[] = [502, 503, 504];
/** The server wants to know who asks. */
const refusedStatuses: readonly number[] = [401, 403];
/** Any web server says this of an address that it does not know. */
const unknownStatuses: readonly number[] = [404, 405];
/** Answers without a body. */
const emptyStatuses: readonly number[] = [202, 204];

const messageTypes: readonly string[] = ["application/json", "text/event-stream"];

/** True if the answer refuses the credentials it was asked with: with others the server may well be called. */
export function isRefusal(status: number): boolean {
  return refusedStatuses.includes(status);
}

/** Why this answer is no sign of life; undefined if it is one. */
export function lackOfLife(answer: Pick<HttpAnswer, "statusCode" | "headers">): HttpFailure | undefined {
  const { statusCode = 0 } = answer;
  const isForeign = isWithheld(statusCode) || isRefusal(statusCode) || goneStatuses.includes(statusCode);
  if (isForeign) return statusFailure(answer);
  const type = mediaTypeOf(answer);
  // A refusal that is JSON comes from a server that speaks JSON-RPC, such as one that wants a session first.
  if (messageTypes.includes(type) || emptyStatuses.includes(statusCode)) return undefined;
  if (statusCode < 300) return wrongType(type);
  const isSaid = statusCode < 500 && !unknownStatuses.includes(statusCode);
  return isSaid ? undefined : statusFailure(answer);
}
