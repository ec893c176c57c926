import type { DialectId } from "../contract/dialect-id.ts";

// The draft calls itself response-v2 on the wire; the other dialects have no version but their name.
const wireVersions: Partial<Record<DialectId, string>> = { "response-v2-draft": "response-v2" };

/** What a dialect calls its version. */
export function responseVersionOf(dialect: DialectId): string {
  return wireVersions[dialect] ?? dialect;
}
