// What code below a running call can read without a parameter: the call's id, for envelopes that a handler
// builds, and the faults made during the call. On Node 20, following a scope through awaits makes every
// promise of the process slower, also the SDK's: it costs as much as a small call. So a scope is followed
// only for code that needs it.

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

/** The scope of the code that runs right now, until its first await. */
let running: CallScope | undefined;
let isAsked = false;
let isListening = false;

/** After an await, a call that is not followed is unknown. Taking the only running call for it would be a guess. */
function scopeNow(): CallScope | undefined {
  return running ?? followed.getStore();
}

/** From the first contract on, builders use the running call's id, and faults are remembered. */
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

/** Runs a call whose scope is followed through every await. */
export function runInTrackedScope<Value>(requestId: string, run: () => Value): Value {
  const scope: CallScope = { requestId, faults: [] };
  return runNow(scope, () => followed.run(scope, run));
}

/**
 * Runs a call of the server's own tool. Only envelopes that its handler builds need the scope, and they get
 * their id when they are sent at the latest. So the scope is followed only for calls that start after a first
 * such envelope was built.
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
