// The body of a POST from the page, checked like options in code, and the kinds of values that several requests share.

import type * as z from "zod/mini";
import { ContractError } from "../../../core/contract/contract-error.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { checkOptions } from "../../../core/options/check-options.ts";
import { readable } from "../../../core/options/option-kinds.ts";
import { isHash } from "../../../engine/archive/store-rules.ts";
import { ApiProblem } from "./dashboard-parts.ts";

const KEY = /^[0-9a-f]{32}$/;

/** The sha256 of an archived entry. */
export const hashField = readable(
  (given) => (isHash(given) ? given : undefined),
  "Write the 64 hex digits of a hash.",
);

/** The key by which stores know a tenant. */
export const tenantKeyField = readable(
  (given) => (KEY.test(given) ? given : undefined),
  "Write the 32 hex digits of a tenant's key.",
);

/** A text that is not empty, up to this many characters. */
export function textUpTo(maxChars: number) {
  return readable(
    (given) => (given.trim() !== "" && given.length <= maxChars ? given : undefined),
    `Write a text of 1 to ${maxChars} characters.`,
  );
}

/** The body of a request; throws an `ApiProblem` that says what is wrong with it. */
export function readPost<Posted>(schema: z.ZodMiniType<Posted>, body: JsonValue | undefined): Posted {
  try {
    checkOptions("The request", schema, body ?? {}, "What was sent");
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    throw new ApiProblem("invalid", error.message, "Send what docs/dashboard.md names for this address.");
  }
  return body as Posted;
}
