// What code below a running call can ask for without its being passed along: the call's id, for envelopes that a handler
// builds, and the faults that were made in it. On Node 20 a scope that is followed through waits makes every promise of the
// process dearer, the SDK's own too: it costs as much as a small call. So it is followed only for those who need it.

import { setRequestIdSource } from "../../core/contract/request-id.ts";
import { type ToolFault, setFaultListener } from "../../core/contract/tool-fault.ts";
import { type MaybePromise, attempt } from "../../core/pipeline/maybe-promise.ts";
import { asyncScope } from "../runtime/async-scope.ts";

interface CallScope {
  readonly requestId: string;
  /** Faults made during the call; an SDK keeps only the message of the one that was thrown. */
  readonly faults: ToolFault[];
}

const followed = asyncScope<CallScope>();
const MAX_FAULTS = 100;

/** The scope of the code that runs right now, as long as it waits for nothing. */
let running: CallScope | undefined;
let isAsked = false;
let isListening = false;

/** Behind a wait a call that is not followed is not known: to take the only one that runs for it would be a guess. */
function scopeNow(): CallScope | undefined {
  return running ?? followed.getStore();
}

/** Builders take the running call's id, and faults are remembered, from the first contract on. */
export function listenToScope(): void {
  if (isListening) return;
  isListening = true;
  setRequestIdSource(() => {
    isAsked = true;
    return scopeNow()?.requestId;
  });
  setFaultListener((fault) => {
    const faults = scopeNow()?.faults;
    if (faults !== undefined && faults.length < MAX_FAULTS) faults.push(fault);
  });
}

function runNow<Value>(scope: CallScope, run: () => Value): Value {
  const outer = running;
  running = scope;
  try {
    return run();
  } finally {
    running = outer;
  }
}

/** Runs a call whose scope holds behind every wait. */
export function runInTrackedScope<Value>(requestId: string, run: () => Value): Value {
  const scope: CallScope = { requestId, faults: [] };
  return runNow(scope, () => followed.run(scope, run));
}

/**
 * Runs a call of a tool of one's own. Only envelopes that its handler builds ask for its scope, and they get their id when
 * they are sent, if not before: so calls are followed from the first on that starts after such an envelope was built.
 */
export function runInCallScope<Value, Next>(
  requestId: string,
  run: () => MaybePromise<Value>,
  next: (value: Value) => Next,
): MaybePromise<Next> {
  const scope: CallScope = { requestId, faults: [] };
  const start = isAsked ? () => followed.run(scope, run) : run;
  return attempt(() => runNow(scope, start), next, rethrow);
}

function rethrow(error: unknown): never {
  throw error;
}

/** The faults made so far in the running call; the list grows while it runs. */
export function scopedFaults(): readonly ToolFault[] {
  return scopeNow()?.faults ?? [];
}
