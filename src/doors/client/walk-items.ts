import { decodeTables } from "../../core/json/table/decode-tables.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { collectionsOf, mainCollection, ownId } from "../../core/json/main-collection.ts";
import { getByPointer } from "../../core/json/pointer.ts";
import type { Answer, Called } from "./answer.ts";
import { invalidResponse, notAsAsked } from "./client-faults.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import type { CallRunner } from "./call-runner.ts";
import { sha256 } from "../../core/text/bytes.ts";
import { type PageWalkOptions, walkPages } from "./walk-pages.ts";

export interface ItemOptions extends PageWalkOptions {
  /** The key or JSON Pointer of the list. Default: the longest list of the first page that has items. */
  readonly path?: string;
}

type Items = readonly JsonValue[];

/** Finds the same list on every page: the longest list may be a different one on each page. */
class ListFinder {
  readonly #path: string | undefined;
  #pointer: string | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** The list's own name, which determines the ids of its items. */
  get name(): string {
    return (this.#path ?? this.#pointer)?.split("/").at(-1) || "items";
  }

  find(answer: Answer): Items {
    const data = decodeTables(answer.data);
    if (this.#path !== undefined) return listAt(data, this.#path, answer);
    if (this.#pointer !== undefined) {
      const list = getByPointer(data, this.#pointer);
      return Array.isArray(list) ? (list as Items) : [];
    }
    const main = mainCollection(data);
    if (main === undefined && answer.pagination === undefined)
      throw notAsAsked("its data has no list", answer, "Use call() for a tool that gives no list.");
    const { pointer, items = [] } = main ?? {};
    if (items.length > 0) this.#pointer = pointer;
    return items;
  }
}

function listAt(data: JsonValue, path: string, answer: Answer): Items {
  // If the whole data is a list, it was under this key before clients removed the key.
  if (Array.isArray(data) && (path === "result" || path === "/result")) return data as Items;
  const found = path.startsWith("/") ? getByPointer(data, path) : isJsonObject(data) ? data[path] : undefined;
  if (Array.isArray(found)) return found as Items;
  const lists = collectionsOf(data).map(({ pointer }) => pointer || "the root");
  const known = lists.length > 0 ? `Lists are at ${lists.slice(0, 5).join(", ")}.` : "Its data has no list.";
  throw notAsAsked(`there is no list at ${path}`, answer, known);
}

/**
 * Detects a page that was already received. If items have no ids, equal pages are not proof, because a list may hold
 * the same value many times. Then it counts as a repeat only if the list is longer than the server's own total.
 */
class RepeatDetector {
  readonly #seen = new Set<string>();
  #count = 0;

  async isRepeat(items: Items, name: string, { pagination }: Answer): Promise<boolean> {
    if (items.length === 0) return false;
    // One hash for each page: a walk through millions of items must not keep them all.
    const digest = await sha256(new TextEncoder().encode(JSON.stringify(items)));
    const isKnown = this.#seen.has(digest);
    this.#seen.add(digest);
    this.#count += items.length;
    const total = pagination?.total_count ?? Number.POSITIVE_INFINITY;
    return isKnown && (this.#count > total || items.every((item) => ownId(item, name) !== undefined));
  }
}

/** Every item of every page, once, in order; a page that was cut is completed before its items are yielded. */
export async function* walkItems(
  runner: CallRunner,
  called: Called,
  options: ItemOptions = {},
): AsyncGenerator<JsonValue> {
  const { path, ...rest } = options;
  const finder = new ListFinder(path);
  const repeats = new RepeatDetector();
  let progress = { pages: 0, items: 0, cursor: rest.from ?? null };
  try {
    for await (const page of walkPages(runner, called, { ...rest, complete: true })) {
      const items = finder.find(page);
      if (await repeats.isRepeat(items, finder.name, page))
        throw invalidResponse("a page came twice", called, page.requestId);
      yield* items;
      const { pages, items: before } = progress;
      const cursor = page.pagination?.cursor ?? null;
      progress = { pages: pages + 1, items: before + items.length, cursor };
    }
  } catch (error) {
    if (ResponseError.isInstance(error)) error.progress = progress;
    throw error;
  }
}
