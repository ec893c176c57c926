const text = { type: "string" } as const;

/**
 * The arguments of `waybill_retrieve` in `tools/list`. Every client pays for them in every conversation, so only those
 * whose names do not say it have a form beside them; a cut proposes a whole call, and argument-forms.ts has the rest,
 * for the answer to a wrong call.
 */
export const retrieveInputSchema = {
  type: "object",
  properties: {
    archive: text,
    ids: { type: "array", items: text },
    pointer: { ...text, description: "/rows/3..9" },
    match: { type: "object" },
    query: text,
    select: { ...text, description: "JMESPath" },
    lines: { ...text, description: "100-180" },
    tail: { type: "integer" },
    around: { type: "object", description: "{line,n}" },
    grep: { type: "object", description: "{pattern,context}" },
    cursor: text,
    limit: { type: "integer" },
  },
} as const;

export const retrieveDescription = "Fetches or searches what a result left out.";
