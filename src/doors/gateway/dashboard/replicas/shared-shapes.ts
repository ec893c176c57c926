// What is read back from Redis: another version of Waybill may have written it, so its form is checked.

import * as z from "zod/mini";
import { fidelityLevels } from "../../../../core/contract/outcome.ts";
import { jsonIn } from "../../../../core/json/json-value.ts";
import type { SharedCall, SharedTotals } from "../traffic/traffic.ts";

const name = z.string().check(z.maxLength(512));
const amount = z.number();

const row = z.object({
  at: amount,
  upstream: name,
  tool: name,
  requestId: name,
  caller: z.optional(name),
  ending: z.enum(["ok", "failed", "abandoned"]),
  errorCode: z.optional(name),
  errorType: z.optional(name),
  fidelity: z.enum(fidelityLevels),
  isUntouched: z.boolean(),
  isRepaired: z.boolean(),
  isArchived: z.boolean(),
  warnings: amount,
  dialect: name,
  serverMs: amount,
  addedMs: amount,
  tokensIn: amount,
  tokensOut: amount,
  isCounted: z.boolean(),
  isOwn: z.boolean(),
});

const told = z.object({
  replica: name,
  call: z.object({ n: z.number().check(z.int(), z.positive()), tool: name, isRetrieval: z.boolean(), row }),
});

const histogram = z.object({ first: z.optional(z.array(amount)), counts: z.optional(z.array(amount)) });

const totals = z.object({
  upTo: z.number().check(z.int(), z.nonnegative()),
  sinceMs: amount,
  tools: z.array(
    z.object({
      upstream: name,
      tool: name,
      series: z.object({
        counts: z.array(amount),
        isEstimated: z.boolean(),
        byErrorType: z.record(z.string(), amount),
        added: histogram,
        server: histogram,
        sizesIn: histogram,
        sizesOut: histogram,
      }),
    }),
  ),
});

/** Undefined for anything that is not a call of a replica. */
export function readTold(text: string): { readonly replica: string; readonly call: SharedCall } | undefined {
  const { data } = z.safeParse(told, jsonIn(text));
  return data;
}

export function writeTold(replica: string, call: SharedCall): string {
  return JSON.stringify({ replica, call });
}

/** Undefined for anything that is not the totals of a replica. */
export function readTotals(text: string | undefined): SharedTotals | undefined {
  return text === undefined ? undefined : z.safeParse(totals, jsonIn(text)).data;
}
