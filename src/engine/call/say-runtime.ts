// Says once, when the first contract is made, what this runtime has not. On a server there is nothing to say.

import type { Log } from "../observe/log-event.ts";
import { builtIn } from "../runtime/built-in.ts";
import { edgeRuntime } from "../runtime/edge-runtime.ts";
import { environment } from "../runtime/environment.ts";
import type { ContractOptions } from "../settings/contract-options.ts";

interface RuntimeFacts {
  /** Whether Node's async scopes are lent. */
  readonly hasScopes: boolean;
  /** Whether instances agree about the keys of cursors. */
  readonly hasKeys: boolean;
}

/** What is missing there, each with what happens instead. */
export function missingParts(
  { store, fit }: ContractOptions,
  { hasScopes, hasKeys }: RuntimeFacts,
): string[] {
  const isCounted = typeof fit?.counter === "object" || typeof fit?.counter === "function";
  return [
    "files and Redis: configuration files are not read, fileStore and redisStore are refused",
    "worker threads: questions (select) are not answered",
    ...(store === undefined || (typeof store === "object" && store.kind === "memory")
      ? ["a store that lasts: what is cut is kept in the memory of one instance, until that ends"]
      : []),
    ...(isCounted
      ? []
      : [
          "the vocabulary of the token counter: budgets count a byte as a token, unless fit.counter is given",
        ]),
    ...(hasKeys
      ? []
      : [
          "a key that instances share: cursors hold in one of them, unless cursorKeys or WAYBILL_SECRET is set",
        ]),
    ...(hasScopes
      ? []
      : ["async scopes: responses that a tool builds itself behind a wait get request ids of their own"]),
  ];
}

let hasSaid = false;

export function sayRuntime(options: ContractOptions, log: Log): void {
  const runtime = edgeRuntime();
  if (runtime === undefined || hasSaid) return;
  hasSaid = true;
  const missing = missingParts(options, {
    hasScopes: builtIn("node:async_hooks") !== undefined,
    hasKeys: options.cursorKeys !== undefined || (environment()["WAYBILL_SECRET"] ?? "") !== "",
  });
  log.warn("runtime-limited", { runtime, missing, hint: "docs/edge.md says what to do about each." });
}
