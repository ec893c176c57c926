const text = (description: string) => ({ type: "string", description }) as const;

/**
 * The arguments of `waybill_retrieve` in `tools/list`. Every client pays for them in every conversation, so
 * each argument has only a few words; retrieve-request.ts has the rest, for the answer to a wrong call.
 */
export const retrieveInputSchema = {
  type: "object",
  properties: {
    archive: text("Hash or handle in content_archive_hashes"),
    ids: { type: "array", items: { type: "string" }, description: "Item ids, dropped_content_ids" },
    pointer: text("JSON Pointer or /rows/3..20"),
    match: { type: "object", description: 'Exact: {"user.login":"ada"}' },
    query: text("Words to find"),
    select: text("JMESPath, e.g. count_by(rows,&status)"),
    lines: text("Of a text: 100-180"),
    grep: { type: "object", description: "Of a text: {pattern,context}" },
    cursor: text("Next page; repeat the rest"),
    limit: { type: "integer", description: "0 describes the archive" },
  },
} as const;

export const retrieveDescription =
  "Fetches, searches or computes over what was left out of a result. Without sign-in over HTTP: full hash.";
