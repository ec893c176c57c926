import { createHash } from "node:crypto";
import { jsonEqual } from "../../src/json/json-equal.ts";
import type { JsonObject, JsonValue } from "../../src/json/json-value.ts";
import { mainCollection } from "../../src/json/main-collection.ts";
import { ownId } from "../../src/json/own-id.ts";
import { appendPointer } from "../../src/json/pointer.ts";
import { type AnswerItem, type ArchiveClient } from "./archive-client.fixture.ts";

/** What came back from an archive, each way counted apart. */
export interface Proof {
  /** Records of the whole. */
  readonly total: number;
  readonly byPointer: number;
  readonly byPaging: number;
  /** Records with an id of their own, and how many of them came back by it. */
  readonly withId: number;
  readonly byId: number;
  /** Whether the text of the whole, joined from its pages, has the announced hash. */
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
      if (last?.pointer === item.pointer)
        found.splice(-1, 1, { ...last, text: last.text + pieceOf(item) });
      else found.push({ pointer: item.pointer, text: pieceOf(item) });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { found, calls };
}

function isRecord(found: Found | undefined, pointer: string, record: JsonValue): boolean {
  return found?.pointer === pointer && jsonEqual(JSON.parse(found.text) as JsonValue, record);
}

/** Fetches every record of the whole by its place, its id and by paging, and the whole text for its hash. */
export async function proveEveryRecord(client: ArchiveClient, hash: string, whole: JsonValue): Promise<Proof> {
  const archive = hash.slice("sha256:".length);
  const main = mainCollection(whole);
  // A value without a list is its own only record.
  const records = main?.items ?? [whole];
  const pointerTo = (index: number): string => (main === undefined ? "" : appendPointer(main.pointer, index));
  let [byPointer, byPaging, byId, withId, calls] = [0, 0, 0, 0, 0];
  for (const [index, record] of records.entries()) {
    const pointer = pointerTo(index);
    const placed = await readAll(client, { archive, pointer });
    byPointer += isRecord(placed.found[0], pointer, record) && placed.found.length === 1 ? 1 : 0;
    calls += placed.calls;
    const id = main === undefined ? undefined : ownId(record, main.name);
    if (id === undefined) continue;
    const named = await readAll(client, { archive, ids: [id] });
    withId++;
    byId += isRecord(named.found[0], pointer, record) && named.found.length === 1 ? 1 : 0;
    calls += named.calls;
  }
  const paged = await readAll(client, main === undefined ? { archive, pointer: "" } : { archive, pointer: `${main.pointer}/*` });
  byPaging = records.filter((record, index) => isRecord(paged.found[index], pointerTo(index), record)).length;
  const text = await readAll(client, { archive, pointer: "" });
  const digest = createHash("sha256").update(text.found[0]?.text ?? "").digest("hex");
  calls += paged.calls + text.calls;
  return { total: records.length, byPointer, byPaging, withId, byId, isHashRight: digest === archive, calls };
}

/** Whether nothing at all is missing from a proof. */
export function isComplete({ total, byPointer, byPaging, withId, byId, isHashRight }: Proof): boolean {
  return byPointer === total && byPaging === total && byId === withId && isHashRight;
}
