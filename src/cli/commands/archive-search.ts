import type { FoundItem } from "../../core/json/find-by-ids.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import type { ItemList } from "../../engine/retrieve/item-list.ts";
import { isTextType, readEntry } from "../../engine/retrieve/read-entry.ts";
import { type RetrieveRequest, checkRequest } from "../../engine/retrieve/retrieve-request.ts";
import { selectItems } from "../../engine/retrieve/select-items.ts";
import { findEntry } from "../archive/find-entry.ts";
import { type MatchCondition, describeReadings } from "../archive/parse-options.ts";
import { type StoreOptions, withStore } from "../archive/named-store.ts";
import { readTenantNames } from "../archive/tenant-names.ts";
import { noItems } from "../archive/read-selection.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { count, oneLineJson } from "../output/format-values.ts";
import type { Paint, Report } from "../report.ts";
import { alignRows } from "../output/lay-out-text.ts";

export interface ArchiveSearchOptions extends StoreOptions {
  readonly tenant?: string | undefined;
  readonly match?: readonly MatchCondition[] | undefined;
  readonly limit: number;
}

/** Finds items of one entry: exact matches only, ranked by how well they fit the words. */
export async function archiveSearch(
  reference: string,
  words: readonly string[],
  options: ArchiveSearchOptions,
  io: CliIo,
): Promise<Report> {
  const { match = [], limit } = options;
  const request = toRequest(words, match);
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    checkRequest({ ...request, archive: reference });
    const { entry, tenant, remarks } = await findEntry(store, options.tenant, reference, names);
    if (!isTextType(entry.contentType)) throw noItems(entry);
    const { value } = await readEntry({ store, tenant }, entry);
    const { items } = selectItems(value, request);
    const shown = firstOf(items, limit);
    const archive = `sha256:${entry.hash}`;
    return {
      exitCode: exitCodes.fine,
      data: {
        archive,
        verified: true,
        items: shown.map(({ pointer, value: item }) => ({ pointer, value: item })),
        matched: items.count,
        returned: shown.length,
      },
      text: (paint) => printItems(shown, items.count, io.columns, paint),
      remarks: [...remarks, ...(items.count > 0 ? [] : describeReadings(match))],
    };
  });
}

function toRequest(words: readonly string[], match: readonly MatchCondition[]): RetrieveRequest {
  if (words.length === 0 && match.length === 0) {
    throw new CliError("There is nothing to look for.", {
      errorCode: "MISSING_REQUIRED",
      remediation: "Give words, or --match path=value.",
    });
  }
  const conditions: [string, JsonValue][] = match.map(({ path, value }) => [path, value]);
  return {
    query: words.length > 0 ? words.join(" ") : undefined,
    match: match.length > 0 ? Object.fromEntries(conditions) : undefined,
  };
}

function firstOf(items: ItemList, limit: number): FoundItem[] {
  return Array.from({ length: Math.min(limit, items.count) }, (_, index) => items.at(index));
}

const DEFAULT_COLUMNS = 120;

function printItems(
  shown: readonly FoundItem[],
  matched: number,
  columns: number | undefined,
  paint: Paint,
): string {
  if (matched === 0) return "nothing found";
  const widest = Math.max(...shown.map(({ pointer }) => pointer.length));
  const room = Math.max(40, (columns ?? DEFAULT_COLUMNS) - widest - 2);
  const lines = alignRows(
    shown.map(({ pointer, value }) => [pointer || "(the whole)", oneLineJson(value, room)]),
  );
  const rest = matched - shown.length;
  const more = rest > 0 ? `, ${rest} not shown: --limit shows more` : "";
  return [...lines, paint.dim(`${count(matched, "item")} found${more}`)].join("\n");
}
