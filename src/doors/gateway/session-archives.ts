// What was cut for a legacy session without a token is removed when the session ends, while no call waits. A gateway that
// closes ends its sessions itself, so it waits for these removals before it closes the store.

import type { ContractState } from "../../engine/call/contract-state.ts";
import { sessionTenant } from "../../engine/call/open-call.ts";
import { withinDeadline } from "../../engine/runtime/deadline.ts";

/** The most entries of one session that are removed; the rest expires by itself. */
const MAX_ENTRIES = 10_000;

/** How long closing waits: what a store that is slow or away has not removed by then expires by itself. */
export const REMOVAL_WAIT_MS = 5_000;

/** The removals of one contract's sessions that are on their way. */
interface Removals {
  readonly running: Set<Promise<void>>;
  /** Closing waited long enough: the store may be closed now, and it was said what stays. */
  isGivenUp: boolean;
}

const removalsByContract = new WeakMap<ContractState, Removals>();

function removalsOf(state: ContractState): Removals {
  const removals = removalsByContract.get(state) ?? { running: new Set(), isGivenUp: false };
  removalsByContract.set(state, removals);
  return removals;
}

/**
 * Removes what was archived for one session only: after its end no caller can ask for it. Callers with a token or a
 * verified name have their own archives, which outlive their sessions.
 */
export function forgetSession(state: ContractState, sessionId: string): void {
  const { archive } = state;
  if (!archive.isOn || !archive.isOpen) return;
  const removals = removalsOf(state);
  const running = remove(state, sessionTenant(sessionId), removals).finally(() =>
    removals.running.delete(running),
  );
  removals.running.add(running);
}

async function remove({ archive, log }: ContractState, tenant: string, removals: Removals): Promise<void> {
  try {
    const store = await archive.store();
    const hashes: string[] = [];
    for await (const { hash } of store.list(tenant)) if (hashes.push(hash) >= MAX_ENTRIES) break;
    for (const hash of hashes) {
      if (removals.isGivenUp) return;
      await store.delete(tenant, hash);
    }
  } catch (error) {
    if (!removals.isGivenUp) log.warn("session-archive-kept", { err: error });
  }
}

/** Waits until the archives of all ended sessions of a contract are removed, for 5 s at most. Then its store may be closed. */
export async function sessionsForgotten(state: ContractState): Promise<void> {
  const removals = removalsOf(state);
  const { running } = removals;
  const allOver = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  const onTimeout = (): Error => new Error(`Not removed within ${REMOVAL_WAIT_MS} ms.`);
  try {
    await withinDeadline(allOver, { timeoutMs: REMOVAL_WAIT_MS, onTimeout });
  } catch {
    removals.isGivenUp = true;
    state.log.warn("session-archive-kept", {
      sessions: running.size,
      hint: `The store did not remove them within ${REMOVAL_WAIT_MS} ms of closing. They expire by themselves.`,
    });
  }
}
