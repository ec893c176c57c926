import { AsyncLocalStorage } from "node:async_hooks";
import { type ToolFault, setFaultListener } from "../contract/tool-fault.ts";
import { setRequestIdSource } from "../contract/request-id.ts";

/** What code below a running call can be asked for, without passing it along. */
export interface RequestScope {
  readonly requestId: string;
  /** Faults made during the call; an SDK keeps only the message of the one that was thrown. */
  readonly faults: ToolFault[];
}

const storage = new AsyncLocalStorage<RequestScope>();
const MAX_FAULTS = 100;

let isListening = false;

/** Builders take the running call's id, and faults are remembered, from the first contract on. */
export function listenToScope(): void {
  if (isListening) return;
  isListening = true;
  setRequestIdSource(() => storage.getStore()?.requestId);
  setFaultListener((fault) => {
    const faults = storage.getStore()?.faults;
    if (faults !== undefined && faults.length < MAX_FAULTS) faults.push(fault);
  });
}

export function runInScope<Value>(scope: RequestScope, run: () => Value): Value {
  return storage.run(scope, run);
}

/** The faults made so far in the running call; the list grows while it runs. */
export function scopedFaults(): readonly ToolFault[] {
  return storage.getStore()?.faults ?? [];
}
