import type { ArchiveErrorCode } from "./archive-error.ts";

/** What a guarded store tells whoever runs it. */
export type GuardedEvent =
  | {
      readonly type: "store-failed";
      readonly store: string;
      readonly call: string;
      readonly code: ArchiveErrorCode | "UNKNOWN";
    }
  | { readonly type: "breaker-opened" | "breaker-closed"; readonly store: string }
  | { readonly type: "fallback-used"; readonly store: string; readonly fallback: string };
