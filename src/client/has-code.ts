import type { ReadErrorCode } from "./error-codes.ts";
import { ResponseError } from "./response-error.ts";

/** An error whose code is known, as the server wrote it or as the registry calls it. */
export type ErrorWithCode<Code extends ReadErrorCode> = ResponseError &
  ({ readonly code: Code } | { readonly canonicalCode: Code });

/**
 * True for a ResponseError with one of these codes; a registry's code stands for its aliases too.
 *
 * @example
 * if (hasCode(error, "NOT_FOUND", "SPEC_NOT_FOUND")) return undefined;
 */
export function hasCode<const Code extends ReadErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ErrorWithCode<Code> {
  if (!ResponseError.isInstance(error)) return false;
  const names: readonly string[] = codes;
  return names.includes(error.code) || names.includes(error.canonicalCode);
}
