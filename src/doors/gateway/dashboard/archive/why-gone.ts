// Why something that was kept is not there any more. The store cannot say it, so all that can be true is named.

import { ApiProblem } from "../dashboard-parts.ts";

/** A client without sign-in: what is kept for it is removed when its session ends. */
export function isOfSession(tenant: string): boolean {
  return tenant.startsWith("session:");
}

/** What ends an entry, beside its own time and the need for room. */
export interface Endings {
  /** Whether it was kept for a session; undefined where it is not known whose it was. */
  readonly isOfSession: boolean | undefined;
  /** Whether it was kept in the memory of a gateway that has ended; false where that cannot be. */
  readonly mayEndWithGateway: boolean;
}

function reasonsOf({ isOfSession: isSession, mayEndWithGateway }: Endings): string {
  const reasons = ["it has expired", "was removed to make room"];
  if (isSession === true) reasons.unshift("its client's session has ended");
  if (isSession === undefined) reasons.push("ended with its client's session");
  if (mayEndWithGateway) reasons.push("ended with the gateway that had it in memory");
  return `${reasons.slice(0, -1).join(", ")}, or ${reasons.at(-1) ?? ""}`;
}

/** The sentence that a person reads. */
export function whyGone(endings: Endings): string {
  return `This is not in the archive any more: ${reasonsOf(endings)}.`;
}

export function notKept(endings: Endings): ApiProblem {
  const again = "Call the tool that made the result again.";
  const advice = `${again} What is kept for a client that signs in outlives its sessions.`;
  return new ApiProblem("not-kept", whyGone(endings), endings.isOfSession === false ? again : advice);
}
