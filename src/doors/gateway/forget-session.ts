import type { ContractState } from "../../engine/call/contract-state.ts";
import { sessionTenant } from "../../engine/call/open-call.ts";

/** What one session can have kept; the rest expires by itself. */
const MAX_ENTRIES = 10_000;

/**
 * A session is over: what was kept for it alone can be asked for by nobody any more. Callers with a token or a verified
 * name have archives of their own, which outlive their sessions.
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
