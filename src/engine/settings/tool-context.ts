import type { CallAuth } from "../request/call-request.ts";
import type { BatchData, BatchItem, BatchOptions } from "../../core/contract/success-responses.ts";
import type { UpgradeHint } from "../../core/contract/outcome.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import type { PageRequest } from "../retrieve/cursor/page.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { CheckedName, DeclaredFaults, FaultDetails, FaultName } from "./declared-faults.ts";

/**
 * `after` has the type that `key` returns, if one of the two functions declares its parameter type: `key:
 * (task: Task) => task.id`, or `fetch: ({ after, limit }: PageRequest<string>) => …`.
 */
export interface ContextPageOptions<
  Item,
  Path extends string = string,
  Data extends object = JsonObject,
  Key extends JsonValue = JsonValue,
> {
  /** The key of the list in the tool's data. */
  readonly path: Path;
  readonly fetch: (request: PageRequest<Key>) => readonly Item[] | Promise<readonly Item[]>;
  /** Unique in the sort order: the next page starts strictly after it. */
  readonly key: (item: Item) => Key;
  readonly cursor?: string | null | undefined;
  readonly limit?: number | undefined;
  readonly maxLimit?: number | undefined;
  readonly total?: number | undefined;
  /** What the cursor is bound to besides tool and tenant. Default: the arguments without cursor and limit. */
  readonly filters?: JsonObject | undefined;
  readonly sort?: string | undefined;
  /** Further keys for the tool's data. */
  readonly data?: Data | undefined;
}

/** For the compiler alone: what `ctx.page` gave, also after `{ ...page, more }`. No value has the key. */
// No interface, so that a page is assignable to `JsonObject`.
export type PageMark = { readonly "~page"?: true };

/** The data of a page: its items under their key, and the tool's further keys. */
export type PageData<Item, Path extends string, Data> = { [Key in Path]: Item[] } & Data & PageMark;

/** Makes a page of a list, with a signed cursor to the next in `meta.pagination`. */
type MakePage = <
  Item,
  const Path extends string = string,
  Data extends object = object,
  Key extends JsonValue = JsonValue,
>(
  options: ContextPageOptions<Item, Path, Data, Key>,
) => Promise<PageData<Item, Path, Data>>;

/** A type that no value has. Its name is what the compiler says of `ctx.page` where callers can send no cursor. */
interface SetPagingTrueOrTakeACursor {
  readonly "paging: true in the options, or cursor in inputSchema": never;
}

/** A context of any tool is assignable to one of which nothing is known: it makes no pages. */
type PageOf<Pages> = [Pages] extends [never]
  ? (options: never) => unknown
  : Pages extends true
    ? MakePage
    : (options: SetPagingTrueOrTakeACursor) => unknown;

/** The levels of the client's log, from the lowest. */
export const clientLogLevels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type ClientLogLevel = (typeof clientLogLevels)[number];

export interface CacheAge {
  readonly ageSeconds: number;
  readonly maxFreshnessSeconds: number;
}

/**
 * What a handler can use besides its arguments. `Pages` says whether callers can send a cursor: a function that calls
 * `page` without one takes a `ToolContext<never, true>`.
 */
export interface ToolContext<Errors extends DeclaredFaults = never, Pages extends boolean = never> {
  readonly requestId: string;
  /** Aborted when the client cancels or disconnects, or when the tool's time is up. */
  readonly signal: AbortSignal;
  readonly tier: string | undefined;
  readonly tenant: string;
  /** True for an anonymous caller: all anonymous callers share one `tenant`. */
  readonly isAnonymous: boolean;
  readonly auth: CallAuth | undefined;
  /** What the result may cost before it is cut. */
  readonly budget: { readonly tokens: number | "off"; readonly bytes: number | "off" };
  readonly flags: { readonly isEnabled: (name: string) => boolean };
  /**
   * Throws one of the faults that the tool declares in `errors`. Write `return ctx.fail(…)`, so that the compiler knows
   * that the handler ends here.
   */
  readonly fail: <Name extends FaultName<Errors> | (string & {})>(
    name: CheckedName<Errors, Name>,
    ...given: FaultDetails<Errors, Name>
  ) => never;
  /** Adds a warning to the response; a text alone counts as severity `warning`. */
  readonly warn: (warning: string | WarningDetail) => void;
  /** One page of a list, with a signed cursor to the next in `meta.pagination`. */
  readonly page: PageOf<Pages>;
  /** The data of a batch; warns if some items failed, and fails if all did. */
  readonly partial: <Result = never, const IdKey extends string = "id", Data extends object = object>(
    items: readonly BatchItem<Result>[],
    options?: BatchOptions<IdKey, Data>,
  ) => BatchData<Result, IdKey> & Data;
  /** Says that the data came from a cache; warns if it is older than allowed. */
  readonly cached: (age: CacheAge) => void;
  readonly upgradeHint: (hint: UpgradeHint) => void;
  /** Sends a progress notification if the client asked for progress. */
  readonly progress: (progress: number, total?: number, message?: string) => Promise<void>;
  /**
   * Sends a line to the client's log, if the server has the option `logging` and the client wants this level. Secrets
   * are masked. It is read by people: what the model should know is the result, or a warning.
   */
  readonly log: (level: ClientLogLevel, data: JsonValue, logger?: string) => Promise<void>;
  /** Adds the tool's own figures to `meta.telemetry`. */
  readonly telemetry: (figures: Readonly<Record<string, JsonValue>>) => void;
  /**
   * Keeps content that the answer mentions under its sha256, and lists it in `content_archive_hashes`, so
   * that the reader can fetch it. Returns `sha256:…`, or undefined if it was not kept; if the store failed,
   * the answer has a warning.
   */
  readonly archive: (
    name: string,
    content: string | Uint8Array,
    contentType: string,
  ) => Promise<string | undefined>;
  /** The SDK's own context of the call. */
  readonly sdk: unknown;
}
