import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { toBase64, isTextType, readEntry } from "../../engine/retrieve/read-entry.ts";
import type { ArchiveEntry } from "../../engine/archive/archive-store.ts";
import {
  type ByteRange,
  type Selected,
  findEntry,
  noItemsError,
  readSelection,
  readTenantNames,
} from "../archive/find-entry.ts";
import { type StoreOptions, withStore } from "../archive/named-store.ts";
import { splitRangeUri, type MatchCondition, describeReadings } from "../declare/option-values.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import {
  alignRows,
  countOf,
  formatBytes,
  oneLineJson,
  printable,
  printableLines,
} from "../output/format-values.ts";
import { refuseOwnStore, writeOutput } from "../input/read-input.ts";
import type { CommandReport, Paint } from "../report.ts";
import { askEntry } from "../../engine/retrieve/ask-archive.ts";
import { openQuestions } from "../../engine/retrieve/question/open-questions.ts";
import type { FoundItem } from "../../core/json/main-collection.ts";
import type { ItemList } from "../../engine/retrieve/item-list.ts";
import { type RetrieveRequest, checkRetrieveRequest } from "../../engine/retrieve/retrieve-request.ts";
import { selectItems } from "../../engine/retrieve/select-items.ts";

export interface ArchiveGetOptions extends StoreOptions {
  readonly tenant?: string | undefined;
  readonly pointer?: string | undefined;
  readonly range?: ByteRange | undefined;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Returns an archived entry, checked against its hash: to stdout, or to a file. */
export async function archiveGet(
  given: string,
  options: ArchiveGetOptions,
  io: CliIo,
): Promise<CommandReport> {
  const { reference, range = options.range } = splitRangeUri(given);
  const { pointer, out } = options;
  if (range !== undefined && pointer !== undefined) {
    throw new CliError("--range counts bytes and --pointer names a value: give one of them.");
  }
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    const { entry, tenant, remarks } = await findEntry(store, options.tenant, reference, names);
    const selected = await readSelection({ store, tenant }, entry, { range, pointer });
    const about = describe(entry, selected, pointer);
    if (out !== undefined && out !== "-") {
      if (store.kind === "file") await refuseOwnStore("--out", out, store.location, io);
      return { ...(await writeOut(out, selected, about, io)), remarks };
    }
    const decoded = selected.isText ? decodeUtf8(selected.bytes) : undefined;
    const text = decoded?.ok === true ? decoded.text : undefined;
    if (text === undefined && io.isTTY.stdout && options.json !== true) throw refuseTerminal(entry);
    return {
      exitCode: exitCodes.fine,
      remarks,
      data: { ...about, ...(text === undefined ? { base64: toBase64(selected.bytes) } : { text }) },
      text: () => printableLines((text ?? "").replace(/\n$/, "")),
      // A terminal gets safe text; a pipe or a file gets the exact bytes.
      raw: io.isTTY.stdout ? undefined : pointer === undefined ? selected.bytes : withLineEnd(selected.bytes),
    };
  });
}

function describe(entry: ArchiveEntry, { from, to }: Selected, pointer: string | undefined): JsonObject {
  return {
    archive: `sha256:${entry.hash}`,
    verified: true,
    content_type: entry.contentType,
    bytes: entry.bytes,
    ...(from === undefined || to === undefined ? {} : { from, to }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

async function writeOut(
  out: string,
  { bytes }: Selected,
  about: JsonObject,
  io: CliIo,
): Promise<CommandReport> {
  await writeOutput(out, bytes, io);
  return {
    exitCode: exitCodes.fine,
    data: { ...about, out, written_bytes: bytes.length },
    text: () => `wrote ${formatBytes(bytes.length)} to ${printable(out)}; the content matches its sha256`,
  };
}

function refuseTerminal({ contentType }: ArchiveEntry): CliError {
  return new CliError(`The content is ${printable(contentType)}, which would garble a terminal.`, {
    remediation: "Write it to a file with --out <file>, or pipe it on.",
  });
}

function withLineEnd(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, Buffer.from("\n")]);
}

export interface ArchiveAskOptions extends StoreOptions {
  readonly tenant?: string | undefined;
  /** In seconds. */
  readonly timeout?: number | undefined;
}

/** No other caller waits, so there is more time than on a server. */
const TIMEOUT_SECONDS = 60;

/** Applies a question to the whole of an entry, whose hash is checked first. */
export async function archiveAsk(
  reference: string,
  expression: string,
  options: ArchiveAskOptions,
  io: CliIo,
): Promise<CommandReport> {
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    const questions = await openQuestions();
    if (questions === undefined)
      throw new CliError("Questions cannot be answered here: no worker thread can be started.", {
        exitCode: exitCodes.violated,
        errorCode: "UNAVAILABLE",
      });
    await questions.check(expression);
    const { entry, tenant, remarks } = await findEntry(store, options.tenant, reference, names);
    if (!isTextType(entry.contentType)) throw noItemsError(entry);
    const timeoutMs = (options.timeout ?? TIMEOUT_SECONDS) * 1_000;
    const { value, records, note } = await askEntry({ store, tenant }, entry, expression, {
      questions,
      timeoutMs,
    });
    const archive = `sha256:${entry.hash}`;
    return {
      exitCode: exitCodes.fine,
      data: { archive, verified: true, selected: value, records, ...(note === undefined ? {} : { note }) },
      text: () => JSON.stringify(value, null, 2),
      remarks: [
        ...remarks,
        `waybill: computed from ${countOf(records, "record")}; the content matches ${archive}`,
        ...(note === undefined ? [] : [`waybill: ${note}`]),
      ],
    };
  });
}

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
): Promise<CommandReport> {
  const { match = [], limit } = options;
  const request = toRequest(words, match);
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    checkRetrieveRequest({ ...request, archive: reference });
    const { entry, tenant, remarks } = await findEntry(store, options.tenant, reference, names);
    if (!isTextType(entry.contentType)) throw noItemsError(entry);
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
  return [...lines, paint.dim(`${countOf(matched, "item")} found${more}`)].join("\n");
}
