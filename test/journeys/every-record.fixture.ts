import { createHash } from "node:crypto";
import { encodeTables } from "../../src/core/json/table/encode-tables.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";
import { ownId } from "../../src/core/json/main-collection.ts";
import { appendPointer } from "../../src/core/json/pointer.ts";
import { type DataEncoding, tableFormOf } from "../../src/core/pipeline/pipeline-context.ts";
import type { AnswerItem, ArchiveClient } from "./archive-client.fixture.ts";

/** What came back from an archive, each way counted apart. */
export interface Proof {
  /** Records of the whole. */
  readonly total: number;
  readonly byPointer: number;
  readonly byPaging: number;
  /** Records with an id of their own, and how many of them came back by it. */
  readonly withId: number;
  readonly byId: number;
  /** Whether what came back page by page has the announced hash. */
  readonly isHashRight: boolean;
  readonly calls: number;
}

interface Found {
  readonly pointer: string;
  readonly text: string;
}

function pieceOf({ value, text }: AnswerItem): string {
  return text ?? JSON.stringify(value);
}

/** Everything a request finds, page after page, the pieces of a large item joined. */
async function readAll(client: ArchiveClient, args: JsonObject): Promise<{ found: Found[]; calls: number }> {
  const found: Found[] = [];
  let calls = 0;
  let cursor: string | undefined;
  do {
    const page = await client.retrieve({ ...args, ...(cursor === undefined ? {} : { cursor }) });
    calls++;
    for (const item of page.items) {
      const last = found.at(-1);
      // Slices of one item follow each other; no two whole items have the same pointer.
      if (last?.pointer === item.pointer) found.splice(-1, 1, { ...last, text: last.text + pieceOf(item) });
      else found.push({ pointer: item.pointer, text: pieceOf(item) });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { found, calls };
}

function isRecord(found: Found | undefined, pointer: string, record: JsonValue): boolean {
  return found?.pointer === pointer && jsonEqual(JSON.parse(found.text) as JsonValue, record);
}

/** A value and its records: a list has many, anything else is its own only one. */
interface Records {
  readonly items: readonly JsonValue[];
  readonly isList: boolean;
  /** Where the list is in the archive. */
  readonly base: string;
}

function pointerTo({ isList, base }: Records, index: number): string {
  return isList ? appendPointer(base, index) : "";
}

async function proveOne(client: ArchiveClient, archive: string, records: Records, index: number) {
  const record = records.items[index] ?? null;
  const pointer = pointerTo(records, index);
  const isAlone = ({ found }: { readonly found: readonly Found[] }): boolean =>
    found.length === 1 && isRecord(found[0], pointer, record);
  const placed = await readAll(client, { archive, pointer });
  const id = records.isList ? ownId(record, "result") : undefined;
  if (id === undefined)
    return { byPointer: isAlone(placed), withId: false, byId: false, calls: placed.calls };
  const named = await readAll(client, { archive, ids: [id] });
  return {
    byPointer: isAlone(placed),
    withId: true,
    byId: isAlone(named),
    calls: placed.calls + named.calls,
  };
}

/**
 * Fetches every record of a value that response-v2 cut: by its place, by its id, and page by page. What came back,
 * written as the archive has it, must have the announced hash.
 */
export async function proveEveryRecord(
  client: ArchiveClient,
  hash: string,
  original: JsonValue,
  encoding: DataEncoding,
): Promise<Proof> {
  const archive = hash.slice("sha256:".length);
  const isList = Array.isArray(original);
  const items = isList ? (original as readonly JsonValue[]) : [original];
  // The archive has the tool's own value, and pointers speak of plain lists.
  const records = { items, isList, base: "" };
  const each = [];
  for (const index of items.keys()) each.push(await proveOne(client, archive, records, index));
  const paged = await readAll(client, { archive, pointer: isList ? `${records.base}/*` : "" });
  const back = paged.found.map(({ text }) => JSON.parse(text) as JsonValue);
  const whole = isList ? back : (back[0] ?? null);
  const form = tableFormOf(encoding);
  const text = JSON.stringify(form === undefined ? whole : encodeTables(whole, form));
  return {
    total: items.length,
    byPointer: each.filter(({ byPointer }) => byPointer).length,
    byPaging: items.filter((item, index) => isRecord(paged.found[index], pointerTo(records, index), item))
      .length,
    withId: each.filter(({ withId }) => withId).length,
    byId: each.filter(({ byId }) => byId).length,
    isHashRight: createHash("sha256").update(text).digest("hex") === archive,
    calls: each.reduce((sum, { calls }) => sum + calls, 0) + paged.calls,
  };
}

/** The proof as it reads when nothing at all is missing. */
export function completed(proof: Proof): Proof {
  const { total, withId } = proof;
  return { ...proof, byPointer: total, byPaging: total, byId: withId, isHashRight: true };
}
