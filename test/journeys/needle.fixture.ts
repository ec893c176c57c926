import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import {
  type Answer,
  type ArchiveAnswer,
  type ArchiveClient,
  announcedHash,
} from "./archive-client.fixture.ts";

interface TokenCount {
  count(text: string): number;
}

export const ways = ["match", "query"] as const;
export type Way = (typeof ways)[number];

/** A record somebody looks for, and a value of one of its keys that no other record has there. */
export interface Needle {
  readonly index: number;
  readonly record: JsonValue;
  readonly key: string;
  readonly value: string | number;
}

/** The keys whose values tell all records apart. */
export function tellingKeys(records: readonly JsonValue[]): string[] {
  const keys = Object.keys(isJsonObject(records[0]) ? records[0] : {});
  return keys.filter((key) => {
    const values = new Set<JsonValue>();
    for (const record of records) {
      const value = isJsonObject(record) ? record[key] : undefined;
      // The words of a longer text are no value somebody would ask for.
      if ((typeof value === "string" && value.length <= 200) || typeof value === "number") values.add(value);
    }
    return values.size === records.length;
  });
}

/** A needle for each of these places and each of the keys. */
export function needlesOf(
  records: readonly JsonValue[],
  keys: readonly string[],
  places: readonly number[] = Array.from(records.keys()),
): Needle[] {
  return places.flatMap((index) =>
    keys.flatMap((key) => {
      const record = records[index] ?? null;
      const value = isJsonObject(record) ? record[key] : undefined;
      return typeof value === "number" || typeof value === "string" ? [{ index, record, key, value }] : [];
    }),
  );
}

export interface Search {
  readonly needle: Needle;
  /** How the record was found: whole, or in slices because it alone is over the budget; undefined when it was not. */
  readonly found: "whole" | "sliced" | undefined;
  /** What was read to find it: the result, and the answer where there was something to ask for. */
  readonly tokens: number;
  readonly calls: number;
  /** The same with every further slice of the record. */
  readonly tokensToEnd: number;
}

function askFor({ key, value }: Needle, way: Way): JsonObject {
  return way === "match" ? { match: { [key]: value } } : { query: String(value) };
}

/** What `waybill_retrieve` sets aside for the envelope and the longest cursor, so that pages never move: 120 and a few, by the cursor's own letters. */
const ENVELOPE_TOKENS = 130;

/** Whether the answer with its item whole is over the budget: only then a slice is right. */
function isOverWhole({ data }: Answer, whole: JsonObject, budget: number, counter: TokenCount): boolean {
  return counter.count(JSON.stringify({ ...data, items: [whole] })) + ENVELOPE_TOKENS > budget;
}

/** The further answers a record in slices takes. */
async function readOn(
  client: ArchiveClient,
  args: JsonObject,
  first: ArchiveAnswer,
): Promise<ArchiveAnswer[]> {
  const pages: ArchiveAnswer[] = [];
  for (let { cursor } = first; cursor !== undefined;) {
    const page: ArchiveAnswer = await client.retrieve({ ...args, cursor });
    // After the last slice the cursor leads to the next record that was found.
    if (page.items[0]?.pointer !== first.items[0]?.pointer) break;
    pages.push(page);
    ({ cursor } = page);
  }
  return pages;
}

export interface SearchSetting {
  readonly way: Way;
  readonly budget: number;
  readonly counter: TokenCount;
}

/** Looks for a record in at most two calls: what the tool answered, and one question to the archive. */
export async function findNeedle(
  client: ArchiveClient,
  read: Answer,
  needle: Needle,
  setting: SearchSetting,
): Promise<Search> {
  const { way, budget, counter } = setting;
  const archive = announcedHash(read);
  if (archive === undefined) return lookInside(read, needle, setting);
  const args = { archive, limit: 1, ...askFor(needle, way) };
  const answer = await client.retrieve(args);
  const [item] = answer.items;
  const cost = counter.count(answer.text);
  const tokens = counter.count(read.text) + cost;
  const miss: Search = { needle, found: undefined, tokens, calls: 2, tokensToEnd: tokens };
  // The archive holds the tool's own value: a list, without the envelope's wrapper.
  const pointer = `/${needle.index}`;
  if (item?.pointer !== pointer || cost > budget) return miss;
  if (item.value !== undefined)
    return jsonEqual(item.value, needle.record) ? { ...miss, found: "whole" } : miss;
  const whole = JSON.stringify(needle.record);
  const isOver = isOverWhole(answer, { pointer, value: needle.record }, budget, counter);
  if (!isOver || item.text === undefined || !whole.startsWith(item.text)) return miss;
  const rest = await readOn(client, args, answer);
  const joined = [answer, ...rest].map(({ items }) => items[0]?.text ?? "").join("");
  const tokensToEnd = rest.reduce((sum, { text }) => sum + counter.count(text), tokens);
  return joined === whole ? { ...miss, found: "sliced", tokensToEnd } : miss;
}

/** A result that was not cut has every record in it. */
function lookInside({ text, data }: Answer, needle: Needle, { counter }: SearchSetting): Search {
  const records = data["result"];
  const record = Array.isArray(records) ? (records as readonly JsonValue[])[needle.index] : undefined;
  const isThere = record !== undefined && jsonEqual(record, needle.record);
  const tokens = counter.count(text);
  return { needle, found: isThere ? "whole" : undefined, tokens, calls: 1, tokensToEnd: tokens };
}
