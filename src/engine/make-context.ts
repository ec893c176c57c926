import { batchResponse } from "../contract/success-responses.ts";
import { ContractError } from "../contract/contract-error.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import type { CursorKeys } from "../cursor/cursor-options.ts";
import type { Flags } from "../gates/define-flags.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { WarningDetail } from "../contract/warning.ts";
import type { Log } from "../observe/log-event.ts";
import type { KeepPart } from "../pipeline/parcel.ts";
import type { CallRequest } from "./call-request.ts";
import type { CallIdentity } from "./identify-call.ts";
import type { NoteTaker } from "./note-taker.ts";
import { staleCache } from "./stale-cache.ts";
import type { CacheAge, ContextPageOptions, MaybePromise, ToolContext } from "./tool-context.ts";

export interface ContextParts {
  readonly tool: string;
  readonly args: unknown;
  readonly cursor: string | undefined;
  readonly request: CallRequest;
  readonly identity: CallIdentity;
  readonly notes: NoteTaker;
  readonly signal: AbortSignal;
  readonly tier: string | undefined;
  readonly flags: Flags | undefined;
  readonly budget: ToolContext["budget"];
  readonly cursorKeys: () => MaybePromise<CursorKeys>;
  /** Undefined where nothing is kept. */
  readonly keep: KeepPart | undefined;
  readonly log: Log;
  readonly cursors: { readonly acceptUnsigned: boolean; readonly expiresInDays: number };
}

/** Keys of the arguments that choose a page rather than what is listed. */
const pageArguments = ["cursor", "limit", "page_size"];

function argumentsOf(args: unknown): JsonObject {
  return isJsonObject(args) ? args : {};
}

async function makePage<Item>(parts: ContextParts, options: ContextPageOptions<Item>): Promise<JsonObject> {
  const args = argumentsOf(parts.args);
  const { path, data, cursor, limit, filters, ...rest } = options;
  const asked = cursor ?? parts.cursor ?? args["cursor"];
  const size = limit ?? args["limit"] ?? args["page_size"];
  const bound = Object.fromEntries(Object.entries(args).filter(([key]) => !pageArguments.includes(key)));
  // Cursors are loaded by the first tool that pages.
  const { page } = await import("../cursor/page.ts");
  const cursors = {
    ...rest,
    keys: await parts.cursorKeys(),
    tool: parts.tool,
    tenant: parts.identity.tenant,
    filters: filters ?? bound,
    acceptUnsigned: parts.cursors.acceptUnsigned,
    expiresInDays: parts.cursors.expiresInDays,
  };
  const { items, pagination } = await page<Item>({
    ...cursors,
    cursor: typeof asked === "string" ? asked : undefined,
    limit: typeof size === "number" ? size : undefined,
  });
  parts.notes.paginate(pagination, {
    path,
    shrink: async (keep) => {
      const { shrinkPage } = await import("../cursor/page.ts");
      return (await shrinkPage({ items, pagination }, keep, cursors)).pagination;
    },
  });
  return { [path]: items as readonly JsonValue[], ...data };
}

function noteCache(notes: NoteTaker, age: CacheAge): void {
  notes.measure({ cache_hit: true });
  if (age.ageSeconds > age.maxFreshnessSeconds) notes.warn(staleCache(age));
}

/** A batch's data with its warning noted; a batch of which every item failed is thrown as a fault. */
function summariseBatch(
  notes: NoteTaker,
  ...[items, options]: Parameters<ToolContext["partial"]>
): JsonObject {
  const response = batchResponse(items, { ...options, requestId: false });
  if (!response.success) {
    throw new ToolFault(response.error, { data: response.data });
  }
  for (const warning of response.meta.warning_details ?? []) notes.warn(warning);
  return response.data;
}

const HANDLE_LENGTH = 12;

async function keepContent(
  { keep, notes, log, tool, identity }: ContextParts,
  ...[name, content, contentType]: Parameters<ToolContext["archive"]>
): Promise<string | undefined> {
  if (keep === undefined) return undefined;
  try {
    const { hash, usedFallback } = await keep({ name, content: [content], contentType });
    notes.archive({ [`${name}-${hash.slice(0, HANDLE_LENGTH)}`]: `sha256:${hash}` });
    if (usedFallback) notes.warn(keptInFallback);
    return `sha256:${hash}`;
  } catch (error) {
    log.error("archive-failed", { request_id: identity.requestId, tool, err: error });
    notes.warn(notKept(name));
    return undefined;
  }
}

function notKept(name: string): WarningDetail {
  const message = `The ${name} could not be stored, so it cannot be fetched by its hash`;
  return { code: "ARCHIVE_WRITE_FAILED", severity: "warning", message };
}

const keptInFallback: WarningDetail = {
  code: "FALLBACK_USED",
  severity: "info",
  message: "Archived content is kept in a fallback store, which other servers may not share",
};

async function sendProgress(
  request: CallRequest,
  progress: number,
  total?: number,
  message?: string,
): Promise<void> {
  const token = request.meta["progressToken"];
  if ((typeof token !== "string" && typeof token !== "number") || request.notify === undefined) return;
  const params = {
    progressToken: token,
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
  // A client that went away must not fail the work, nor end the process of a handler that does not wait for this.
  await request.notify("notifications/progress", params).catch(() => undefined);
}

/** The context a handler gets; everything it notes ends up in the response. */
export function makeContext(parts: ContextParts): ToolContext {
  const { notes, request, identity, flags } = parts;
  const { token: _, ...auth } = request.auth ?? {};
  return {
    requestId: identity.requestId,
    signal: parts.signal,
    tier: parts.tier,
    tenant: identity.tenant,
    isAnonymous: identity.isAnonymous,
    auth: request.auth === undefined ? undefined : auth,
    budget: parts.budget,
    flags: {
      isEnabled: (name) => {
        if (flags === undefined) {
          throw new ContractError(
            "INVALID_OPTION",
            `There is no flag "${name}": give createContract its flags.`,
          );
        }
        return flags.isEnabled(name, { client: identity.principal });
      },
    },
    warn: (warning) => notes.warn(warning),
    page: (options) => makePage(parts, options),
    partial: (items, options) => summariseBatch(notes, items, options),
    cached: (age) => noteCache(notes, age),
    upgradeHint: (hint) => notes.hint(hint),
    progress: (progress, total, message) => sendProgress(request, progress, total, message),
    telemetry: (figures) => notes.measure(figures),
    archive: (name, content, contentType) => keepContent(parts, name, content, contentType),
    sdk: request.sdk,
  };
}
