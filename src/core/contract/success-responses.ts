import { frozenCopy } from "../json/find-non-json.ts";
import type { JsonValue } from "../json/json-value.ts";
import { wrapData, writeMeta, type DataOf, type ResponseEnvelope, type SuccessEnvelope } from "./envelope.ts";
import {
  noteOptionNames,
  refuseOtherKind,
  refuseUnknownOptions,
  type NoteOptions,
  notesFromOptions,
  sealMeta,
  toJson,
  writingOf,
} from "./note-options.ts";
import { ToolFault, errorResponse } from "./tool-fault.ts";

export type SuccessOptions = NoteOptions;

/**
 * A successful response-v2 envelope.
 *
 * @example
 * successResponse({ tasks: [] }, { warnings: ["The index is being rebuilt"] });
 */
export function successResponse<Value = undefined>(
  data?: Value,
  options: SuccessOptions = {},
): SuccessEnvelope<DataOf<Value>> {
  refuseUnknownOptions("successResponse", options, noteOptionNames);
  const meta = sealMeta(writeMeta(notesFromOptions(options), writingOf(options)));
  const written: unknown = data === undefined ? data : toJson(data, "data");
  const payload = frozenCopy(wrapData(written as JsonValue | undefined));
  return Object.freeze({ success: true, data: payload, error: null, meta }) as unknown as SuccessEnvelope<
    DataOf<Value>
  >;
}

export interface BlockedOptions extends NoteOptions {
  /** The id of the blocked thing. */
  readonly id: string;
  /** What the blocked thing waits for. */
  readonly blocker: string;
  /** The key of the id in `data`, e.g. `task_id`; its first word names the thing in the warning. */
  readonly idKey?: string;
  /** Further keys for `data`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

const blockedOptionNames: Readonly<Record<keyof BlockedOptions, true>> = {
  id: true,
  blocker: true,
  idKey: true,
  data: true,
  ...noteOptionNames,
};

function nounOf(idKey: string): string {
  const noun = idKey.replace(/_?id$/i, "").replaceAll("_", " ") || "work";
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

/** Work that cannot go on is a success that says so: the state is in `data`, with a warning beside it. */
export function blockedResponse(options: BlockedOptions): SuccessEnvelope {
  refuseUnknownOptions("blockedResponse", options, blockedOptionNames);
  const { id, blocker, idKey = "id", data, ...notes } = options;
  return successResponse(
    { [idKey]: id, status: "blocked", blocker, ...data },
    { ...notes, warnings: [`${nounOf(idKey)} is blocked and cannot proceed`, ...(notes.warnings || [])] },
  ) as unknown as SuccessEnvelope;
}

/** One item of a batch. An item without `error` succeeded. */
export interface BatchItem<Result = unknown> {
  readonly id: string;
  readonly error?: string | ToolFault | null | undefined;
  /** The result of an item that succeeded; `data.results` has it beside the item's id. */
  readonly result?: Result | undefined;
}

/** The name of a batch's items, singular and plural. */
export interface Noun {
  readonly singular: string;
  readonly plural: string;
}

export interface BatchOptions<
  IdKey extends string = string,
  Data extends object = Readonly<Record<string, unknown>>,
> extends NoteOptions {
  /** The key that names an item in `failures` and `results`, e.g. `task_id`. */
  readonly idKey?: IdKey;
  /** The name of the items in messages: both forms, or a plural that only adds an s. */
  readonly noun?: string | Noun;
  /** Further keys for `data`. */
  readonly data?: Data;
}

const batchOptionNames: Readonly<Record<keyof BatchOptions, true>> = {
  idKey: true,
  noun: true,
  data: true,
  ...noteOptionNames,
};

/** The data of a batch. */
export interface BatchData<Result = unknown, IdKey extends string = string> {
  processed: number;
  failed: number;
  failures: ({ [Key in IdKey]: string } & { error: string })[];
  /** Present only if items have a result. */
  results?: ({ [Key in IdKey]: string } & { result: Result })[];
}

/** The code and type all failures share, if they do. */
function commonFault(failures: readonly BatchItem[]): { code: string; type: string } {
  const pairs = failures.map(({ error }) => (ToolFault.isInstance(error) ? error.fault : undefined));
  const [first] = pairs;
  const isCommon = pairs.every((fault) => fault?.code === first?.code && fault?.type === first?.type);
  return first !== undefined && isCommon ? first : { code: "OPERATION_FAILED", type: "internal" };
}

function countOf(count: number, noun: string | Noun): string {
  const { singular, plural } =
    typeof noun === "string" ? { singular: noun.replace(/s$/, ""), plural: noun } : noun;
  return `${count} ${count === 1 ? singular : plural}`;
}

function hasFailed({ error }: BatchItem): boolean {
  return error !== undefined && error !== null;
}

/** The results of the items that succeeded, under their ids; empty if no item has a result. */
function resultsOf(items: readonly BatchItem[], idKey: string): object {
  const results = items.filter((item) => !hasFailed(item) && item.result !== undefined);
  return results.length === 0 ? {} : { results: results.map(({ id, result }) => ({ [idKey]: id, result })) };
}

/** Some failed: success with a `PARTIAL_FAILURE` warning. All failed: an error with their common code. */
export function batchResponse(
  items: readonly BatchItem[],
  options: BatchOptions<string, object> = {},
): ResponseEnvelope {
  refuseOtherKind("list", "batchResponse: give a list of items", items);
  refuseUnknownOptions("batchResponse", options, batchOptionNames);
  const { idKey = "id", noun = "items", data: own, ...notes } = options;
  const failed = items.filter(hasFailed);
  const data = {
    ...own,
    processed: items.length - failed.length,
    failed: failed.length,
    failures: failed.map(({ id, error }) => ({
      [idKey]: id,
      error: ToolFault.isInstance(error) ? error.message : error,
    })),
    ...resultsOf(items, idKey),
  };
  if (failed.length === 0) return successResponse(data, notes) as unknown as ResponseEnvelope;
  if (failed.length === items.length) {
    const { code, type } = commonFault(failed);
    return errorResponse(`All ${countOf(items.length, noun)} failed to process`, {
      ...notes,
      data: { error_code: code, error_type: type, ...data },
    });
  }
  const warning = {
    code: "PARTIAL_FAILURE",
    severity: "warning",
    message: `${countOf(failed.length, noun)} failed to process`,
    context: { failed: failed.length, total: items.length },
  } as const;
  return successResponse(data, {
    ...notes,
    warningDetails: [warning, ...(notes.warningDetails ?? [])],
  }) as unknown as ResponseEnvelope;
}
