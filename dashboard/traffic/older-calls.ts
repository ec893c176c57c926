// Calls from before the page was opened, and those that came too fast: asked for a thousand at a time.

import { batch, signal } from "@preact/signals";
import type { CallPage } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { ApiError, get } from "../live/api.ts";
import { calls, callsChanged, skippedCalls } from "../live/page-state.ts";

const PAGE = 1_000;

/** How many calls the gateway keeps; undefined before it was asked. */
const keptCalls = signal<{ readonly oldestSeq: number; readonly newestSeq: number } | undefined>(undefined);
export const isLoadingOlder = signal(false);
export const olderProblem = signal<ApiError | undefined>(undefined);

async function loadBefore(before: number): Promise<CallPage> {
  const page = await get<CallPage>(`/api/calls?before=${before}&limit=${PAGE}`);
  batch(() => {
    calls.add(page.rows);
    callsChanged.value += 1;
    keptCalls.value = { oldestSeq: page.oldestSeq, newestSeq: page.newestSeq };
  });
  return page;
}

async function guarded(work: () => Promise<void>): Promise<void> {
  if (isLoadingOlder.value) return;
  isLoadingOlder.value = true;
  olderProblem.value = undefined;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    olderProblem.value = error;
  } finally {
    isLoadingOlder.value = false;
  }
}

/** Whether the gateway may keep calls that are older than those listed. */
export function hasOlder(): boolean {
  const kept = keptCalls.value;
  return calls.oldestSeq > 1 && (kept === undefined || kept.oldestSeq < calls.oldestSeq);
}

export function loadOlder(): Promise<void> {
  return guarded(async () => {
    if (hasOlder()) await loadBefore(calls.oldestSeq);
  });
}

/** Every call that is kept, from the newest to the oldest; fills the holes of calls that came too fast. */
export function loadAll(): Promise<void> {
  return guarded(async () => {
    const skipped = skippedCalls.value;
    let before = skipped > 0 ? calls.newestSeq + 1 : calls.oldestSeq;
    while (before > 1) {
      const { rows } = await loadBefore(before);
      const oldest = rows.at(-1)?.seq;
      if (oldest === undefined || oldest >= before) break;
      before = oldest;
    }
    skippedCalls.value -= skipped;
  });
}
