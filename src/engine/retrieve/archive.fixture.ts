import type { JsonValue } from "../../core/json/json-value.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import { eachRow } from "./each-row.fixture.ts";
import { memoryStore } from "../archive/memory-store.ts";
import type { RetrieveAnswer } from "./answer-page.ts";
import { type RetrieveContext, retrieve } from "./retrieve.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** A stand-in for a token counter that keeps its promise: above the limit it answers some number above it. */
function countThirds(text: string, limit = Number.POSITIVE_INFINITY): number {
  return Math.min(Math.ceil(text.length / 3), Math.max(0, Math.floor(limit)) + 1);
}

const testKeys = "a secret that only tests know";

export function contextFor(store: ArchiveStore, options: Partial<RetrieveContext> = {}): RetrieveContext {
  return { store, tenant: "ada", budgetTokens: 2_000, count: countThirds, cursorKeys: testKeys, ...options };
}

/** A store with one value of the tenant `ada`, and the handle it is known by. */
export async function archived(
  value: JsonValue,
  options: Partial<RetrieveContext> = {},
): Promise<{
  context: RetrieveContext;
  hash: string;
  ask: (request?: RetrieveRequest) => Promise<RetrieveAnswer>;
}> {
  const store = memoryStore();
  const { entry } = await store.put("ada", [JSON.stringify(value)]);
  const context = contextFor(store, options);
  const ask = (request: RetrieveRequest = {}): Promise<RetrieveAnswer> =>
    retrieve({ archive: entry.hash.slice(0, 12), ...request }, context);
  return { context, hash: entry.hash, ask };
}

export interface AnsweredItem {
  readonly pointer: string;
  readonly value?: JsonValue;
  readonly text?: string;
  readonly from?: number;
  readonly to?: number;
  readonly of?: number;
  readonly is_text?: boolean;
}

/** The items of an answer one by one, those of its runs too. */
export function itemsOf({ data }: RetrieveAnswer): AnsweredItem[] {
  return eachRow(data["items"] as unknown as readonly AnsweredItem[]);
}

export function pointersOf(answer: RetrieveAnswer): string[] {
  return itemsOf(answer).map(({ pointer }) => pointer);
}

/** Every page of a request, in order. */
export async function allPages(
  ask: (request?: RetrieveRequest) => Promise<RetrieveAnswer>,
  request: RetrieveRequest = {},
): Promise<RetrieveAnswer[]> {
  const pages = [await ask(request)];
  for (let cursor = pages[0]?.pagination?.cursor; typeof cursor === "string";) {
    const page = await ask({ ...request, cursor });
    pages.push(page);
    cursor = page.pagination?.cursor;
  }
  return pages;
}

/** The items of all pages, those that came in slices put together again. */
export function joinPages(pages: readonly RetrieveAnswer[]): { pointer: string; value: JsonValue }[] {
  const joined: { pointer: string; value: JsonValue }[] = [];
  let text = "";
  for (const item of pages.flatMap(itemsOf)) {
    if (item.text === undefined) {
      joined.push({ pointer: item.pointer, value: item.value ?? null });
      continue;
    }
    text += item.text;
    if (item.to !== item.of) continue;
    joined.push({
      pointer: item.pointer,
      value: item.is_text === true ? text : (JSON.parse(text) as JsonValue),
    });
    text = "";
  }
  return joined;
}
