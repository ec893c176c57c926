// The OAuth scopes that a tool needs of its caller. Who signed in, and with which scopes, is known over HTTP; on stdio the
// user of the machine calls, and no scope is asked for.

import { faults } from "../../core/contract/faults.ts";
import { sayName } from "../../core/text/say-name.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { CallAuth } from "../request/call-request.ts";

/** "the scope a", "the scopes a and b". */
function sayScopes(scopes: readonly string[]): string {
  const [last, others] = [scopes.at(-1) ?? "", scopes.slice(0, -1)];
  return others.length === 0 ? `the scope ${last}` : `the scopes ${others.join(", ")} and ${last}`;
}

/** Why a caller over HTTP may not call a tool that needs these scopes; undefined if the caller has them all. */
export function missingScopes(
  tool: string,
  needed: readonly string[],
  auth: CallAuth | undefined,
): ToolFault | undefined {
  const granted = new Set(auth?.scopes);
  const missing = needed.filter((scope) => !granted.has(scope));
  if (missing.length === 0) return undefined;
  const details = { required_scopes: needed, missing_scopes: missing };
  const needs = `${sayName(tool)} needs ${sayScopes(needed)}`;
  if (auth === undefined)
    return faults.unauthorized(`${needs}, and no caller has signed in`, {
      remediation: `Sign in with ${sayScopes(needed)}, then call again.`,
      details,
    });
  const isNone = missing.length === needed.length;
  const lacks = isNone ? ", which this sign-in does not have" : `; this sign-in lacks ${missing.join(", ")}`;
  return faults.forbidden(`${needs}${lacks}`, {
    permission: needed.join(" "),
    remediation: `Ask the user to sign in again and to grant ${sayScopes(missing)}, or go on without ${sayName(tool)}.`,
    details,
  });
}
