import type { ContractState } from "../../engine/call/contract-state.ts";
import { sessionTenant } from "../../engine/call/open-call.ts";

/** The most entries of one session that are removed; the rest expires by itself. */
const MAX_ENTRIES = 10_000;

/**
 * Removes what was archived for one session only: after its end no caller can ask for it. Callers with a token or a
 * verified name have their own archives, which outlive their sessions.
 */
export async function forgetSession({ archive, log }: ContractState, sessionId: string): Promise<void> {
  if (!archive.isOn || !archive.isOpen) return;
  const tenant = sessionTenant(sessionId);
  try {
    const store = await archive.store();
    const hashes: string[] = [];
    for await (const { hash } of store.list(tenant)) if (hashes.push(hash) >= MAX_ENTRIES) break;
    for (const hash of hashes) await store.delete(tenant, hash);
  } catch (error) {
    log.warn("session-archive-kept", { err: error });
  }
}
