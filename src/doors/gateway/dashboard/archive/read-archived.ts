// One entry as a whole, with its hash computed again, whatever the store has checked itself.

import type { JsonValue } from "../../../../core/json/json-value.ts";
import { askEntry } from "../../../../engine/retrieve/ask-archive.ts";
import { eachItem } from "../../../../engine/retrieve/item-list.ts";
import { isBlockType, isJsonType, isTextType, readEntry } from "../../../../engine/retrieve/read-entry.ts";
import { selectItems } from "../../../../engine/retrieve/select-items.ts";
import { sha256Hex } from "../../../../engine/runtime/sha256-hex.ts";
import { type ArchiveEntry, ArchiveError } from "../../../../engine/archive/archive-store.ts";
import { bodyOf, bodyOfBytes } from "../body.ts";
import { ApiProblem } from "../dashboard-parts.ts";
import type { Asked, Body, Retrieved } from "../protocol/result.ts";
import { type FoundEntry, notKept } from "./archives.ts";

/** A larger entry is not read into the gateway's memory only to be shown. */
const MAX_READ_BYTES = 256 * 1024 * 1024;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

type Read =
  | { readonly isVerified: true; readonly bytes: Uint8Array }
  | { readonly isVerified: false; readonly problem: string };

const damaged = "The stored copy is damaged: its bytes do not have the hash that it was stored under.";

/** The whole of an entry; a damaged entry is an answer, an unavailable store is an error. */
async function readVerified({ store, tenant }: FoundEntry, entry: ArchiveEntry): Promise<Read> {
  if (entry.bytes > MAX_READ_BYTES)
    throw new ApiProblem(
      "invalid",
      `It has ${entry.bytes} bytes; up to ${MAX_READ_BYTES} are read here.`,
      `Read and verify it with \`waybill archive get ${entry.hash.slice(0, 12)} --out FILE\`.`,
    );
  try {
    const read = await store.get(tenant, entry.hash);
    // The entry existed a moment ago.
    if (read === undefined) throw notKept({ isOfSession: undefined, mayEndWithGateway: false });
    if (sha256Hex(read.bytes) !== entry.hash) return { isVerified: false, problem: damaged };
    return { isVerified: true, bytes: read.bytes };
  } catch (error) {
    if (!ArchiveError.isInstance(error) || error.code !== "CORRUPT") throw error;
    return { isVerified: false, problem: damaged };
  }
}

export interface RetrieveOptions {
  /** Whether its content may be shown. */
  readonly hasBodies: boolean;
  /** Names of what a call left out: only these are shown. */
  readonly ids?: readonly string[] | undefined;
}

/** Reads an entry and verifies it; returns it, or the requested items. */
export async function retrieveEntry(found: FoundEntry, options: RetrieveOptions): Promise<Retrieved> {
  const { hash, entry, state } = found;
  if (entry === undefined)
    return { hash, bytes: 0, contentType: "unknown", isVerified: false, problem: damaged };
  const { contentType } = entry;
  const read = await readVerified(found, entry);
  const about = { hash, bytes: entry.bytes, contentType };
  if (!read.isVerified) return { ...about, isVerified: false, problem: read.problem };
  if (!options.hasBodies || !isTextType(contentType)) return { ...about, isVerified: true };
  if (options.ids === undefined)
    return { ...about, isVerified: true, body: await wholeBody(found, read.bytes) };
  const { text, missing } = await pickItems(found, entry, options.ids);
  return { ...about, isVerified: true, body: await bodyOf(state, text), missing };
}

/** A text that was kept as JSON is shown decoded, up to this many bytes. */
const MAX_DECODED_BYTES = 4 * 1024 * 1024;
const QUOTE = 0x22;

async function wholeBody({ state, entry }: FoundEntry, bytes: Uint8Array): Promise<Body> {
  const isText = bytes[0] === QUOTE && isJsonType(entry?.contentType ?? "");
  if (!isText || bytes.byteLength > MAX_DECODED_BYTES) return bodyOfBytes(state, bytes);
  try {
    return await bodyOf(state, String(JSON.parse(new TextDecoder().decode(bytes))));
  } catch {
    // The entry is declared as JSON and is not JSON.
    return bodyOfBytes(state, bytes);
  }
}

function written(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function pickItems(
  found: FoundEntry,
  entry: ArchiveEntry,
  ids: readonly string[],
): Promise<{ readonly text: string; readonly missing: readonly string[] }> {
  const { value } = await readEntry(found, entry);
  const { items, missing } = selectItems(value, { ids }, { isBlock: isBlockType(entry.contentType) });
  return { text: Array.from(eachItem(items), (item) => written(item.value)).join("\n"), missing };
}

/** Applies a question to the whole of an entry. */
export async function askFound(found: FoundEntry, select: string, signal: AbortSignal): Promise<Asked> {
  const { hash, entry, state } = found;
  if (entry === undefined)
    throw new ApiProblem("failed", damaged, "Call the tool that made the result again.");
  const questions = await state.questions.open();
  if (questions === undefined)
    throw new ApiProblem(
      "failed",
      "Questions cannot be answered here: no worker thread can be started.",
      "Look at the whole instead.",
    );
  await questions.check(select);
  const { value, records, note } = await askEntry(found, entry, select, {
    questions,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const hints = note === undefined ? [] : [note];
  return { select, body: await bodyOf(state, JSON.stringify(value)), count: records, hash, hints };
}
