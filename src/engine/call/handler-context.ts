import { ContractError } from "../../core/contract/contract-error.ts";
import { authoredIn } from "../../core/contract/outcome.ts";
import { readMeta } from "../../core/contract/read-meta.ts";
import { batchResponse } from "../../core/contract/success-responses.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { writeJson } from "../../core/json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../core/json/json-value.ts";
import type * as Paging from "../retrieve/cursor/page.ts";
import type { CallAuth, CallRequest } from "../request/call-request.ts";
import type { ToolCall, RunFacts } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { type DeclaredFaults, declaredFault, wrongDetails } from "../settings/declared-faults.ts";
import { type NoteTaker, staleCache } from "./note-taker.ts";
import { takesCursor } from "./paging-arguments.ts";
import {
  type CacheAge,
  type ContextPageOptions,
  type ToolContext,
  clientLogLevels,
} from "../settings/tool-context.ts";
import * as z from "zod/mini";
import { checkOptions } from "../../core/options/check-options.ts";
import { judged, object, text } from "../../core/options/option-kinds.ts";
import { adviseName } from "../../core/text/did-you-mean.ts";

interface ContextParts extends RunFacts {
  readonly state: ContractState;
  readonly args: unknown;
}

/** Arguments that choose a page, not the contents of the list. */
const pageArguments = ["cursor", "limit", "page_size"];

function withoutPage(args: JsonObject): JsonObject {
  if (!pageArguments.some((key) => Object.hasOwn(args, key))) return args;
  return mapObject(args, (value, key) => (pageArguments.includes(key) ? undefined : value));
}

function argumentsOf(args: unknown): JsonObject {
  return isJsonObject(args) ? args : {};
}

/** Without a cursor argument the caller would always get the first page. The author learns that on the first call. */
function refuseLostCursor({ tool, contract }: ToolCall, options: object): void {
  const { paging, inputSchema } = tool.config;
  if (paging === true || contract.tool.takesWaybill || "cursor" in options || takesCursor(inputSchema))
    return;
  const message = `${tool.name}: ctx.page needs a cursor, and the tool's input has none, so no client could ask for the second page: set paging: true in the tool's options, or take cursor and limit in its inputSchema.`;
  throw new ContractError("INVALID_OPTION", message, { tool: tool.name });
}

let paging: typeof Paging | undefined;

async function makePage<Item, Key extends JsonValue>(
  parts: ContextParts,
  options: ContextPageOptions<Item, string, object, Key>,
): Promise<object> {
  const { state, call, notes } = parts;
  checkPage(call.tool.name, options);
  refuseLostCursor(call, options);
  const args = argumentsOf(parts.args);
  const { path, data, cursor, limit, filters } = options;
  const asked = cursor ?? call.cursor ?? args["cursor"];
  const size = limit ?? call.limit ?? args["limit"] ?? args["page_size"];
  // Cursors are loaded by the first tool that pages. A second `import()` of a loaded module would cost as
  // much as the page.
  paging ??= await import("../retrieve/cursor/page.ts");
  const { page, shrinkPage } = paging;
  const { acceptUnsigned, expiresInDays } = state.effective.settings.cursors;
  const { now } = state.options;
  const keys = state.cursorKeys();
  // Written out: copying objects is a large part of the cost of a page.
  const asking = {
    fetch: options.fetch,
    key: options.key,
    sort: options.sort,
    maxLimit: options.maxLimit,
    total: options.total,
    keys: keys instanceof Promise ? await keys : keys,
    tool: call.tool.name,
    tenant: call.identity.tenant,
    // A schema may turn arguments into dates; the cursor is bound to their JSON form.
    filters: filters ?? (writeJson(withoutPage(args)).value as JsonObject),
    acceptUnsigned,
    expiresInDays,
    now: now && (() => new Date(now())),
    cursor: typeof asked === "string" ? asked : undefined,
    limit: typeof size === "number" ? size : undefined,
  };
  const { items, pagination } = await page<Item, Key>(asking);
  notes.paginate(pagination, {
    path,
    shrink: async (keep) => (await shrinkPage({ items, pagination }, keep, asking)).pagination,
  });
  const list = { [path]: items as readonly JsonValue[] };
  return data === undefined ? list : { ...list, ...data };
}

function noteCache(notes: NoteTaker, age: CacheAge): void {
  notes.measureAsTool({ cache_hit: true });
  if (age.ageSeconds > age.maxFreshnessSeconds) notes.warnAsTool(staleCache(age));
}

/** A batch's data, with its warning noted. If every item failed, a fault is thrown. */
function summariseBatch(
  notes: NoteTaker,
  ...[items, options]: Parameters<ToolContext["partial"]>
): JsonObject {
  const response = batchResponse(items, { ...options, requestId: false });
  if (!response.success) {
    const { idKey: _key, noun: _noun, ...said } = options ?? {};
    throw new ToolFault(response.error, { ...said, data: response.data });
  }
  const said = readMeta(response.meta as JsonObject);
  notes.take({ ...said, authored: authoredIn(said) });
  return response.data;
}

const HANDLE_LENGTH = 12;

async function keepContent(
  { state, call, notes }: ContextParts,
  ...[name, content, contentType]: Parameters<ToolContext["archive"]>
): Promise<string | undefined> {
  const { tool, identity, contract } = call;
  if (!state.archive.keeps(contract.tool)) return undefined;
  try {
    const keep = state.archive.keepFor(identity.tenant, contract.tool);
    // A value that a success would mask must not be readable by its hash either.
    const isMasked = state.masksSuccesses && typeof content === "string";
    const kept = isMasked ? state.mask(content) : content;
    const { hash, usedFallback } = await keep({ name, content: [kept], contentType });
    notes.archive({ [`${name}-${hash.slice(0, HANDLE_LENGTH)}`]: `sha256:${hash}` });
    if (usedFallback) notes.warn(keptInFallback);
    return `sha256:${hash}`;
  } catch (error) {
    const { requestId } = identity;
    state.events.trouble({ event: "archive-failed", level: "error", requestId, tool: tool.name, error });
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
  // A client that went away must not fail the work, nor crash the process if the handler does not await this call.
  await request.notify("notifications/progress", params).catch(() => undefined);
}

/** A level that does not exist is a mistake in the code, thrown at once: few handlers wait for the line to be sent. */
function sendLog(
  { state, call }: ContextParts,
  ...[level, data, logger]: Parameters<ToolContext["log"]>
): Promise<void> {
  if (!clientLogLevels.includes(level)) {
    const { name: tool } = call.tool;
    const given: unknown = level;
    const advice = adviseName(String(given), clientLogLevels);
    const message = `${tool}: ctx.log has no level "${String(given)}". ${advice}`;
    throw new ContractError("INVALID_OPTION", message, { tool });
  }
  const { log } = call.request;
  if (log === undefined) return Promise.resolve();
  const shown = state.redactor === undefined ? data : state.redactor.json(data).value;
  // As with progress, a client that went away must not fail the work.
  return log(level, shown, logger).catch(() => undefined);
}

function withoutToken(given: NonNullable<CallRequest["auth"]>): CallAuth {
  const { token: _, ...auth } = given;
  return auth;
}

type FailDetails = readonly [details?: Readonly<Record<string, unknown>>, message?: string];

/** Details that the compiler could not check are sent as they are; the log says what is wrong with them. */
function failDeclared({ state, call }: ContextParts, name: string, [details, message]: FailDetails): never {
  const { name: tool, config } = call.tool;
  const fault = declaredFault(tool, config.errors, name, details, message);
  const problem = wrongDetails(config.errors?.[name], details);
  if (problem !== undefined) {
    const { requestId } = call.identity;
    const fields = { fault: name, problem };
    state.events.trouble({ event: "fault-details-wrong", level: "warn", requestId, tool, fields });
  }
  throw fault;
}

/** A flag that is not defined is a mistake in the code, not a feature that is off. */
function isEnabled({ state, call }: ContextParts, name: string): boolean {
  const { flags } = state.effective;
  if (flags !== undefined) return flags.isEnabled(name, { client: call.identity.principal });
  throw new ContractError("INVALID_OPTION", `There is no flag "${name}": give createContract its flags.`);
}

/** The context a handler gets; everything it notes ends up in the response. */
export function makeContext(
  state: ContractState,
  args: unknown,
  run: RunFacts,
): ToolContext<DeclaredFaults, true> {
  const { notes, call, isShared } = run;
  const parts: ContextParts = { call, notes, isShared, signal: run.signal, state, args };
  const { request, identity, tier, contract } = call;
  const auth = request.auth === undefined ? undefined : withoutToken(request.auth);
  return {
    requestId: identity.requestId,
    signal: run.signal(),
    tier,
    tenant: identity.tenant,
    isAnonymous: identity.isAnonymous,
    auth,
    budget: contract.budget,
    flags: { isEnabled: (name) => isEnabled(parts, name) },
    fail: (name, ...given) => failDeclared(parts, name, given as FailDetails),
    warn: (warning) => notes.warnAsTool(warning),
    page: (options) => makePage(parts, options) as Promise<never>,
    partial: (items, options) => summariseBatch(notes, items, options) as never,
    cached: (age) => noteCache(notes, age),
    upgradeHint: (hint) => notes.hint(hint),
    progress: (progress, total, message) =>
      sendProgress(
        request,
        progress,
        total,
        message !== undefined && state.masksSuccesses ? state.mask(message) : message,
      ),
    log: (...line) => sendLog(parts, ...line),
    telemetry: (figures) => notes.measureAsTool(figures),
    archive: (name, content, contentType) => keepContent(parts, name, content, contentType),
    sdk: request.sdk,
  };
}

const needed = judged((value) => (typeof value === "function" ? undefined : "is not a function: give one."));
const anything = z.optional(z.unknown());

const shape: Readonly<Record<keyof ContextPageOptions<unknown>, z.ZodMiniType>> = {
  path: text,
  fetch: needed,
  key: needed,
  cursor: anything,
  limit: anything,
  maxLimit: anything,
  total: anything,
  filters: anything,
  sort: anything,
  data: anything,
};
const pageOptions = object(shape, "Write { path, fetch, key }.");

/** Called for every page, so the schema runs only if a quick check fails. */
function isRight(options: unknown): boolean {
  if (typeof options !== "object" || options === null) return false;
  const { path, fetch, key } = options as Readonly<Record<string, unknown>>;
  return (
    typeof path === "string" &&
    path !== "" &&
    typeof fetch === "function" &&
    typeof key === "function" &&
    Object.keys(options).every((name) => Object.hasOwn(shape, name))
  );
}

/** Refuses wrong `ctx.page` options from a program without types: they would be sent, or ignored. */
function checkPage(tool: string, options: unknown): void {
  if (!isRight(options)) checkOptions(`${tool}: ctx.page`, pageOptions, options, "What it is given");
}
