// Runs a tool behind its guards: gates, quotas, idempotency, cache, concurrency, breaker, deadline. Doors
// differ only in what `tool.run` does: it calls a handler, or asks an upstream server and waits for its
// answer.

import { IDEMPOTENCY_META_KEY } from "../../core/contract/wire-names.ts";
import { MAX_TIMER_MS, assertNumber } from "../../core/contract/contract-error.ts";
import { faults } from "../../core/contract/faults.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { UpgradeHint, Fault } from "../../core/contract/outcome.ts";
import { isJsonObject, type JsonValue } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { CallRequest } from "../request/call-request.ts";
import { type ToolCall, type RunFacts, isPromiseLike, isUnfinished } from "./called-tool.ts";
import { readingOf, type ResultReading } from "./tool-schemas.ts";
import type { ContractState } from "./contract-state.ts";
import { resultCacheKey, type IdempotentResult, type CacheAnswer } from "../guards/kept-results.ts";
import { CallCancelled, readableError, PassedThrough, isForTheClient } from "./answered-call.ts";
import { NoteTaker, staleCache } from "./note-taker.ts";
import { principalOf } from "./open-call.ts";
import { missingScopes } from "./required-scopes.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";
import { runWithDeadline } from "../runtime/deadline.ts";
import { readEnvelope } from "../../core/contract/read-envelope.ts";
import { mayNeedReading } from "../../core/pipeline/outcome/failure-signs.ts";
import { fromResult, reportedFailure } from "../../core/pipeline/outcome/from-result.ts";
import { knownError } from "../../core/pipeline/outcome/known-error.ts";

const MAX_KEY_LENGTH = 512;

/** What tools threw while they ran, which is their authors'. Callers that share a run share the error too. */
const thrownByTools = new WeakSet<object>();

function markThrown(error: unknown): void {
  if (typeof error === "object" && error !== null) thrownByTools.add(error);
}

/** False for an error that refused a call before its tool ran. */
export function isThrownByTool(error: unknown): boolean {
  return typeof error !== "object" || error === null || thrownByTools.has(error);
}

/** Equal for equal calls of a tool: made of the arguments, and of the page that the call asks for. */
function keyOf({ tool, args, cursor, limit, identity }: ToolCall): string {
  const given = isJsonObject(args) ? args : {};
  const isPaged = cursor !== undefined || limit !== undefined;
  const parts = isPaged ? { args: given, cursor: cursor ?? null, limit: limit ?? null } : given;
  return resultCacheKey({ tool: tool.name, args: parts, tenant: identity.tenant });
}

/** How many turns of the promise queue a handler takes that waits for nothing. */
const READY_TURNS = 6;
const turnOfPromises = Promise.resolve();

/**
 * Resolves when the run settles, or rejects when the caller gives up. Most runs settle before the next event, and a
 * listener costs more than such a run: it is added only if the run goes on.
 */
async function untilCancelled<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  const run = { isSettled: false };
  const note = (): void => void (run.isSettled = true);
  work.then(note, note);
  for (let turn = 0; turn < READY_TURNS && !run.isSettled; turn += 1) await turnOfPromises;
  if (run.isSettled) return work;
  if (signal.aborted) throw new CallCancelled(signal.reason);
  return listenFor(work, signal);
}

/** The listener is removed when the run settles. */
function listenFor<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(new CallCancelled(signal.reason));
    signal.addEventListener("abort", cancel, { once: true });
    const settle =
      <Outcome>(end: (outcome: Outcome) => void) =>
      (outcome: Outcome): void => {
        signal.removeEventListener("abort", cancel);
        end(outcome);
      };
    work.then(settle(resolve), settle(reject));
  });
}

interface HandlerDeadlineOptions {
  readonly timeoutMs?: number | undefined;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** It may go on after its time and change something: it asks another process, or its tool is said to change things. */
  readonly mayGoOn?: boolean | undefined;
}

/** For a call that has not been answered in time: it may still work, or have done its work. */
export function unansweredInTime(waitedMs: number): ToolFault {
  return faults.timeout(waitedMs, {
    details: { executed: "unknown" },
  });
}

/** Runs a handler until it settles, or rejects with TIMEOUT or `CallCancelled`, whichever is first. */
export async function runHandlerInTime<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal, mayGoOn = false }: HandlerDeadlineOptions = {},
): Promise<T> {
  if (timeoutMs !== undefined) assertNumber("timeoutMs", timeoutMs, { min: 1, max: MAX_TIMER_MS });
  const started = performance.now();
  const runToTheEnd = async (stop: AbortSignal): Promise<T> => {
    const value = await run(stop);
    // A handler that blocks the thread keeps the timer from firing, and may return after the deadline.
    if (timeoutMs === undefined || performance.now() - started <= timeoutMs) return value;
    throw faults.timeout(timeoutMs, { details: { executed: "yes" } });
  };
  return runWithDeadline(runToTheEnd, {
    timeoutMs,
    signal,
    onTimeout: () => (mayGoOn ? unansweredInTime : faults.timeout)(timeoutMs ?? 0),
    onCancel: (reason) => new CallCancelled(reason),
  });
}

/** Whether its author says that a second call changes something once more. Of a tool that says nothing it is not known. */
function changesThings({ config: { annotations = {} } }: ToolCall["tool"]): boolean {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  if (readOnlyHint === true || idempotentHint === true) return false;
  return readOnlyHint === false || destructiveHint === true || idempotentHint === false;
}

/** Without a deadline the handler gets the caller's own signal, and a result that is ready is returned at once. */
function runInTime(
  state: ContractState,
  args: unknown,
  run: Omit<RunFacts, "signal">,
): Arrival | Promise<Arrival> {
  const { tool, request } = run.call;
  const { timeoutMs } = tool.config;
  const caller = run.isShared ? undefined : request.signal;
  if (timeoutMs !== undefined) {
    const start = async (signal: AbortSignal) => tool.run(state, args, { ...run, signal: () => signal });
    return runHandlerInTime(start, {
      timeoutMs,
      signal: caller,
      mayGoOn: tool.isRemote || changesThings(tool),
    });
  }
  if (caller?.aborted === true) throw new CallCancelled(caller.reason);
  const { call, notes, isShared } = run;
  const signal = (): AbortSignal => caller ?? new AbortController().signal;
  const work = tool.run(state, args, { call, notes, isShared, signal });
  return isPromiseLike(work) && caller !== undefined ? untilCancelled(work, caller) : work;
}

/** One run, within the concurrency limit, the breaker and the deadline. A shared run has its own notes, which are stored with it. */
async function runOnce(state: ContractState, call: ToolCall, isShared: boolean): Promise<Arrival> {
  const notes = isShared ? new NoteTaker() : call.notes;
  const onRepair = call.contract.tool.repairArguments
    ? (warning: WarningDetail): void => notes.warn(warning)
    : undefined;
  const { tool } = call;
  const parsed = tool.parse(state, call.args, onRepair);
  const args = isPromiseLike(parsed) ? await parsed : parsed;
  const { concurrency, breaker } = tool.config;
  const isGuarded = concurrency !== undefined || breaker !== undefined;
  const release = isGuarded ? state.guards.enter(tool.name, tool.config) : undefined;
  let arrival: Arrival;
  try {
    arrival = await runInTime(state, args, { call, notes, isShared });
  } catch (thrown) {
    const error = readableError(thrown);
    markThrown(error);
    release?.(!isServerTrouble(error));
    if (isShared) call.notes.take(notes.toNotes());
    throw error;
  }
  if (arrival.kind === "thrown") markThrown(arrival.error);
  release?.(!isTroubled(arrival, readingOf(call)));
  const { pager } = notes;
  if (isShared) return { ...arrival, notes: notes.toNotes(), pager };
  return pager === undefined ? arrival : { ...arrival, pager };
}

/** A fresh answer from the cache, a stale one marked as stale, or the handler's own. */
async function runCached(state: ContractState, call: ToolCall, isShared: boolean): Promise<Arrival> {
  const { tool, notes } = call;
  const cache = state.guards.cacheOf(tool.name, tool.config);
  // The client's answers of an earlier round are not in the arguments, so the cache cannot tell such calls apart.
  if (cache === undefined || call.request.hasInput === true) return runOnce(state, call, isShared);
  const answer = await keepOnly<CacheAnswer<Arrival>>(
    (arrival) => isCacheable(arrival, readingOf(call)),
    () => runOnce(state, call, true),
    (run) => cache.load(keyOf(call), run),
    (value) => ({ value, ageMs: 0, state: "loaded" }),
  );
  if (answer.state === "loaded") return answer.value;
  notes.measure({ cache_hit: true });
  if (answer.state === "stale") {
    notes.warn(
      staleCache({
        ageSeconds: Math.round(answer.ageMs / 1000),
        maxFreshnessSeconds: Math.round((tool.config.cache?.ttlMs ?? 0) / 1000),
      }),
    );
  }
  return answer.value;
}

/** A repeated key gets the same refusal again. After a failure of the server itself, the work is tried again. */
async function settle(run: Promise<Arrival>): Promise<Arrival> {
  try {
    return await run;
  } catch (error) {
    if (!ToolFault.isInstance(error)) throw error;
    // Work that was done is not repeated, although it gave no answer.
    const isDone = error.details?.["executed"] === "yes";
    if (!isDone && (isServerTrouble(error) || error.type === "rate_limit")) throw error;
    return { kind: "thrown", error };
  }
}

/**
 * A stored answer goes to every caller that sends its key, so the caller must be known. If a repeated call
 * does no harm, the key is not needed. Otherwise the sender believes that the key protects the call, so the
 * call is refused.
 */
function refuseStrangersKey({ tool }: ToolCall): void {
  const { readOnlyHint, idempotentHint } = tool.config.annotations ?? {};
  if (readOnlyHint === true || idempotentHint === true) return;
  throw faults.validation("An idempotency key needs a caller that can be identified", {
    remediation: "Send an Authorization token with the request, or call without the key.",
    details: { field: IDEMPOTENCY_META_KEY, constraint: "caller with a token or a session" },
  });
}

async function runIdempotent(state: ContractState, call: ToolCall, key: string): Promise<Arrival> {
  if (key === "" || key.length > MAX_KEY_LENGTH) {
    throw faults.validation(`The idempotency key must be a text of 1 to ${MAX_KEY_LENGTH} characters`);
  }
  if (call.identity.isAnonymous) {
    refuseStrangersKey(call);
    return runCached(state, call, false);
  }
  // A repeated key joins the running call, so no caller's cancellation may end it.
  const { value, replayed } = await keepOnly<IdempotentResult<Arrival>>(
    (arrival) => isFinal(arrival, readingOf(call)),
    () => settle(runCached(state, call, true)),
    (run) => state.guards.idempotency.run(`${call.identity.tenant}\n${key}`, keyOf(call), run),
    (arrival) => ({ value: arrival, replayed: false }),
  );
  if (replayed) call.notes.measure({ idempotent_replay: true });
  return value;
}

/** Runs the tool, once for an idempotency key; a repeated key gets the stored answer. */
export function executeTool(state: ContractState, call: ToolCall): Promise<Arrival> {
  const key = call.identity.idempotencyKey;
  if (key !== undefined) return runIdempotent(state, call, key);
  return call.tool.config.cache === undefined ? runOnce(state, call, false) : runCached(state, call, false);
}

function lockedHint(feature: string, tier: string): UpgradeHint {
  return { feature, tier, reason: `'${feature}' is part of the ${tier} tier; this server has no tiers.` };
}

interface Gated {
  readonly name: string;
  readonly config: Pick<ToolConfig, "tier" | "flag">;
}

function requireGates(
  { options, effective }: ContractState,
  { name, config }: Gated,
  tier: string | undefined,
  principal: string | undefined,
): void {
  const { tier: needed, flag } = config;
  const { tiers } = options;
  const { flags } = effective;
  if (needed !== undefined) {
    // Without configured tiers no caller has one, so the tool stays closed, as it does for a flag that is not
    // configured.
    if (tiers === undefined) throw faults.upgradeRequired(lockedHint(name, needed));
    tiers.require(name, needed, tier ?? tiers.default);
  }
  if (flag === undefined) return;
  if (flags === undefined) throw faults.featureDisabled(flag);
  flags.require(flag, { client: principal });
}

/** Refuses callers who lack a scope of the tool, and those whose tier or flag does not include it. */
export function gateTool(state: ContractState, { tool, tier, identity, request }: ToolCall): void {
  const { tier: needed, flag, scopes } = tool.config;
  const { auth, isHttp = false } = request;
  if (scopes !== undefined && (isHttp || auth !== undefined)) {
    const lacking = missingScopes(tool.name, scopes, auth);
    if (lacking !== undefined) throw lacking;
  }
  if (needed === undefined && flag === undefined) return;
  requireGates(state, tool, tier, identity.principal);
}

/**
 * Whether a tool is closed for a caller. Only what authentication verified decides: a list is made before any
 * call, and a sender can make up everything else in a request. If this cannot be determined, the tool is
 * closed.
 */
export function isToolClosed(state: ContractState, tool: Gated, auth: CallRequest["auth"]): boolean {
  const { tier, flag } = tool.config;
  if (tier === undefined && flag === undefined) return false;
  try {
    const request: CallRequest = auth === undefined ? { meta: {} } : { meta: {}, auth };
    requireGates(state, tool, state.options.tiers?.of(request), principalOf(request));
    return false;
  } catch {
    return true;
  }
}

/** Carries a result that the store must not keep to every caller that shares the run. */
class PassedBy extends Error {
  readonly arrival: Arrival;

  constructor(arrival: Arrival) {
    super("This answer is not kept.");
    this.arrival = arrival;
  }
}

const serverFaults = new Set(["internal", "unavailable"]);

/** A failure of the server itself: the breaker counts it, and it is not stored for repeated keys. */
function isServerTrouble(error: unknown): boolean {
  if (CallCancelled.isInstance(error) || PassedThrough.isInstance(error) || isForTheClient(error))
    return false;
  const type = ToolFault.isInstance(error) ? error.type : knownError(error)?.fault.type;
  return type === undefined || serverFaults.has(type);
}

function saysFailure(value: unknown): value is JsonValue {
  return isJsonObject(value) && value["success"] === false;
}

/** The failure that came as an answer: a failed result, or an envelope that reports one. Successes are not read. */
function failureIn(arrival: Arrival, reading: ResultReading): Fault | undefined {
  if (arrival.kind === "thrown") return undefined;
  if (arrival.kind === "value") {
    const outcome = saysFailure(arrival.value)
      ? (readEnvelope(arrival.value) ?? reportedFailure(arrival.value))
      : undefined;
    return outcome?.ok === false ? outcome.fault : undefined;
  }
  if (!mayNeedReading(arrival.result)) return undefined;
  const { outcome } = fromResult(arrival.result, { isDocument: arrival.isDocument, ...reading });
  return outcome.ok ? undefined : outcome.fault;
}

/** Whether an answer is a failure of the server itself, as a thrown error can be. */
function isTroubled(arrival: Arrival, reading: ResultReading): boolean {
  const failure = failureIn(arrival, reading);
  return failure !== undefined && serverFaults.has(failure.type);
}

/**
 * False for a question to the client, which another call with the same arguments answers, and for a failure
 * of the server itself, which is worth a retry.
 */
function isFinal(arrival: Arrival, reading: ResultReading): boolean {
  return !(arrival.kind === "value" && isUnfinished(arrival.value)) && !isTroubled(arrival, reading);
}

/** A failure that came as an answer is not cached, as a thrown one is not. */
function isCacheable(arrival: Arrival, reading: ResultReading): boolean {
  return isFinal(arrival, reading) && failureIn(arrival, reading) === undefined;
}

/** Runs `store`, which keeps the result of `run`, so that it keeps only what `isKept` allows. */
async function keepOnly<Answer>(
  isKept: (arrival: Arrival) => boolean,
  run: () => Promise<Arrival>,
  store: (run: () => Promise<Arrival>) => Promise<Answer>,
  toAnswer: (arrival: Arrival) => Answer,
): Promise<Answer> {
  try {
    return await store(async () => {
      const arrival = await run();
      if (isKept(arrival)) return arrival;
      throw new PassedBy(arrival);
    });
  } catch (error) {
    if (error instanceof PassedBy) return toAnswer(error.arrival);
    throw error;
  }
}
