// What code below a running call can read without a parameter: the call's id, for envelopes that a handler
// builds, and the faults made during the call. On Node 20, following a scope through awaits makes every
// promise of the process slower, also the SDK's: it costs as much as a small call. So scopes are followed only
// once code of this process needs it, and from then on for every call: the price is paid.

import { setRequestIdSource } from "../../core/contract/request-id.ts";
import { type ToolFault, setFaultListener } from "../../core/contract/tool-fault.ts";
import { type AsyncScope, asyncScope } from "../runtime/async-scope.ts";
import type { CalledTool } from "./called-tool.ts";
import type { CallIdentity } from "./open-call.ts";

interface CallScope {
  readonly requestId: string;
  /** Faults made during the call; an SDK keeps only the message of the one that was thrown. */
  readonly faults: ToolFault[];
}

const MAX_FAULTS = 100;

/** The scope of the code that runs right now, until its first await. */
let running: CallScope | undefined;
/** The scopes that are followed through every await; undefined as long as no code needs it. */
let followed: AsyncScope<CallScope> | undefined;
let isListening = false;

/**
 * Runs a call in its scope. A remote tool does nothing in this process. A tool of an attached server needs a scope that
 * is followed, because of the faults made there. In the server's own tools only envelopes that a handler builds need
 * one, and they get their id when they are sent at the latest: so the first that is built is soon enough to begin.
 */
export function runInScope<Value>(
  {
    tool,
    identity,
  }: {
    readonly tool: Pick<CalledTool, "isRemote" | "listedSchema">;
    readonly identity: Pick<CallIdentity, "requestId">;
  },
  run: () => Value,
): Value {
  if (tool.isRemote === true) return run();
  const scope: CallScope = { requestId: identity.requestId, faults: [] };
  if (tool.listedSchema !== undefined) followed ??= asyncScope();
  const outer = running;
  running = scope;
  try {
    return followed === undefined ? run() : followed.run(scope, run);
  } finally {
    running = outer;
  }
}

/** After an await, a call that is not followed is unknown. Taking the only running call for it would be a guess. */
function scopeNow(): CallScope | undefined {
  return running ?? followed?.getStore();
}

/** From the first contract on, builders use the running call's id, and faults are remembered. */
export function listenToScope(): void {
  if (isListening) return;
  isListening = true;
  setRequestIdSource(() => {
    followed ??= asyncScope();
    return scopeNow()?.requestId;
  });
  setFaultListener((fault) => {
    const faults = scopeNow()?.faults;
    if (faults !== undefined && faults.length < MAX_FAULTS) faults.push(fault);
  });
}

/** The faults made so far in the running call; the list grows while it runs. */
export function scopedFaults(): readonly ToolFault[] {
  return scopeNow()?.faults ?? [];
}
