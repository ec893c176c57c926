import { MAX_IDS, MAX_TEXT_LENGTH } from "./retrieve-request.ts";

const text = { type: "string", maxLength: MAX_TEXT_LENGTH } as const;

/** What `tools/list` says `waybill_retrieve` takes; written for a model, so each line is short and has an example. */
export const retrieveInputSchema = {
  type: "object",
  properties: {
    archive: {
      ...text,
      description:
        "Which archive: handle or hash from content_archive_hashes, e.g. 3f2a9c01b7de. Without sign-in over HTTP: the full hash. May be left out when ids of items are given, except without sign-in.",
    },
    ids: {
      type: "array",
      items: text,
      minItems: 1,
      maxItems: MAX_IDS,
      description:
        'Items by id, or entries of dropped_content_ids as they are, e.g. ["f-17", "/findings/3..9"]; those of content blocks with the archive of the block.',
    },
    pointer: {
      ...text,
      description:
        "JSON Pointer to a value or list, e.g. /findings/17; ranges /findings/3..20, /findings/*, /body#char=0-2000; of a text, a locator: char:0-500.",
    },
    match: {
      type: "object",
      description: 'Only items where each path equals its value exactly, e.g. {"user.login": "ada"}.',
    },
    query: {
      ...text,
      description:
        'Words to look for, best item first, e.g. timeout "connection reset". Quotes need the exact phrase.',
    },
    cursor: { ...text, description: "pagination.cursor of the last answer; repeat the other arguments." },
    limit: {
      type: "integer",
      minimum: 0,
      description: "Most items in one answer, e.g. 5. 0 tells only what the archive holds and until when.",
    },
  },
} as const;

const item = {
  type: "object",
  properties: {
    pointer: { type: "string", description: "Where it stands in the archive." },
    value: { description: "The item, whole." },
    text: { type: "string", description: "Of an item too large for one answer: a piece of its JSON text." },
    from: { type: "integer", description: "Where the piece begins in the item, in code points." },
    to: { type: "integer", description: "Where the piece ends, itself not included." },
    of: { type: "integer", description: "How long all of it is." },
    is_slice: { type: "boolean" },
    is_text: { type: "boolean", description: "The item is a text, and the piece one of the text itself." },
  },
  required: ["pointer"],
} as const;

/** What `waybill_retrieve` answers with: items, or an archive's description, or bytes. */
export const retrieveOutputSchema = {
  type: "object",
  properties: {
    archive: { type: "string", description: "sha256: and 64 hex digits." },
    verified: { type: "boolean", description: "Whether the whole entry was checked against its hash." },
    items: {
      anyOf: [{ type: "array", items: item }, { type: "integer" }],
      description: "What was found; with limit 0, how many items the main list has.",
    },
    matched: { type: "integer", description: "How many items the request found." },
    returned: { type: "integer", description: "How many of them are in this answer." },
    missing: { type: "array", items: { type: "string" }, description: "Ids nothing was found for." },
    available: { type: "boolean" },
    hash: { type: "string" },
    bytes: { type: "integer" },
    content_type: { type: "string" },
    collections: {
      type: "array",
      items: { type: "object", properties: { pointer: { type: "string" }, count: { type: "integer" } } },
    },
    expires_at: { type: "string" },
    base64: { type: "string", description: "An entry that is not text." },
    read_resource: { type: "string", description: "The resource to read instead." },
  },
} as const;

export const retrieveDescription =
  "Fetches what was left out of an earlier result. Name the archive from content_archive_hashes, with its full hash " +
  "(sha256 and 64 hex digits) if you call over HTTP without sign-in; ask by ids, pointer, exact match or words. Read-only.";
