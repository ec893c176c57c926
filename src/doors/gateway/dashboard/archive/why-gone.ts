// Why an entry is no longer kept. The store cannot know, so all possible reasons are named.

import { ApiProblem } from "../dashboard-parts.ts";

/** A client without sign-in: its entries are removed when its session ends. */
export function isOfSession(tenant: string): boolean {
  return tenant.startsWith("session:");
}

/** What ends an entry, besides its expiry and the need for room. */
export interface Endings {
  /** Whether the entry was kept for a session; undefined if its owner is not known. */
  readonly isOfSession: boolean | undefined;
  /** Whether the entry may have been in the memory of a gateway that has ended. */
  readonly mayEndWithGateway: boolean;
}

function reasonsOf({ isOfSession: isSession, mayEndWithGateway }: Endings): string {
  const reasons = ["it has expired", "was removed to make room"];
  if (isSession === true) reasons.unshift("its client's session has ended");
  if (isSession === undefined) reasons.push("ended with its client's session");
  if (mayEndWithGateway) reasons.push("ended with the gateway that had it in memory");
  return `${reasons.slice(0, -1).join(", ")}, or ${reasons.at(-1) ?? ""}`;
}

/** The sentence for the person at the page. */
export function whyGone(endings: Endings): string {
  return `This is not in the archive any more: ${reasonsOf(endings)}.`;
}

export function notKept(endings: Endings): ApiProblem {
  const again = "Call the tool that made the result again.";
  const advice = `${again} What is kept for a client that signs in outlives its sessions.`;
  return new ApiProblem("not-kept", whyGone(endings), endings.isOfSession === false ? again : advice);
}
