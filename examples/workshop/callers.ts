import { readFileSync } from "node:fs";
import { type Tiers, defineTiers } from "waybill";
import type { CallRequest } from "waybill/server";

/** Who a bearer token belongs to. These tokens are for the example: a real server verifies its own. */
export interface Member {
  readonly subject: string;
  readonly tier: string;
}

const members = JSON.parse(readFileSync(new URL("./data/members.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Member>
>;

const tierOfSubject = new Map(Object.values(members).map(({ subject, tier }) => [subject, tier]));

export function memberOf(token: string): Member | undefined {
  return Object.hasOwn(members, token) ? members[token] : undefined;
}

/** A member has the tier of their token; anyone else, such as a client on stdio, that of `WORKSHOP_TIER`. */
export function workshopTiers(environment: NodeJS.ProcessEnv): Tiers<CallRequest> {
  const { WORKSHOP_TIER: fallback } = environment;
  return defineTiers<CallRequest>({
    ...(fallback === undefined ? {} : { default: fallback }),
    of: ({ auth }) => (auth?.subject === undefined ? undefined : tierOfSubject.get(auth.subject)),
  });
}
