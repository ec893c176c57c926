import { createHash } from "node:crypto";
import type { JsonValue } from "../../json/json-value.ts";
import { stableStringify } from "../../json/canonical-json.ts";

export interface CallParts {
  readonly tool: string;
  readonly args?: JsonValue | undefined;
  readonly tenant?: string | undefined;
}

/** One text for equal calls of one tenant, whatever the order of their keys; also a call's fingerprint. */
export function cacheKey({ tool, args = {}, tenant }: CallParts): string {
  const text = stableStringify([tool, args, tenant ?? null]);
  return createHash("sha256").update(text).digest("hex");
}
