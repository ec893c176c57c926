import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import type { UpgradeHint } from "../contract/outcome.ts";
import { findNonJson } from "../json/find-non-json.ts";
import { isJsonObject } from "../json/json-value.ts";
import { assertOutput } from "./assert-output.ts";
import type { CallRequest } from "./call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { CallCancelled } from "./guards/call-cancelled.ts";
import { runHandlerInTime } from "./guards/run-handler-in-time.ts";
import { cacheKey } from "./guards/cache-key.ts";
import type { IdempotentResult } from "./guards/idempotency.ts";
import type { CacheAnswer } from "./guards/result-cache.ts";
import type { CallIdentity } from "./identify-call.ts";
import { isToolResult } from "./is-tool-result.ts";
import { isCacheable, isFinal, keepOnly } from "./keep-answer.ts";
import { makeContext } from "./make-context.ts";
import { NoteTaker } from "./note-taker.ts";
import { readableError } from "./readable-error.ts";
import { staleCache } from "./stale-cache.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolDefinition } from "./tool-definition.ts";
import { validateInput } from "./validate-input.ts";

export interface ToolCall {
  readonly tool: ToolDefinition;
  readonly args: unknown;
  readonly cursor: string | undefined;
  readonly request: CallRequest;
  readonly identity: CallIdentity;
  readonly notes: NoteTaker;
  readonly tier: string | undefined;
  readonly budget: ToolContext["budget"];
  /** What was thrown while finding out who calls. */
  readonly refusal: { readonly error: unknown } | undefined;
}

const MAX_KEY_LENGTH = 512;
const serverFaults = new Set(["internal", "unavailable"]);

/** The server's own trouble: what a breaker counts, and what is not worth remembering. */
function isServerTrouble(error: unknown): boolean {
  if (CallCancelled.isInstance(error)) return false;
  return !ToolFault.isInstance(error) || serverFaults.has(error.type);
}

/** A ready-made result that JSON cannot carry is treated as any such value: refused, and named in the log. */
function toArrival(value: unknown): Arrival {
  const isResult = isToolResult(value) && findNonJson(value) === undefined;
  return isResult ? { kind: "result", result: value } : { kind: "value", value };
}

/** What tells one call of a tool from another: its arguments, and the page that `_waybill` asks for beside them. */
function keyOf({ tool, args, cursor, identity }: ToolCall): string {
  const given = isJsonObject(args) ? args : {};
  const parts = cursor === undefined ? given : { args: given, cursor };
  return cacheKey({ tool: tool.name, args: parts, tenant: identity.tenant });
}

async function runHandler(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { tool, request, identity, tier } = call;
  // What the handler notes belongs to its answer, and is stored with it.
  const notes = new NoteTaker();
  const mask = (text: string): string => state.redactor?.text(text).text ?? text;
  const args = await validateInput(call.args, tool.config.inputSchema, mask);
  const release = state.guards.enter(tool.name, tool.config);
  let isFine = false;
  try {
    const value = await runHandlerInTime(
      async (signal) => {
        const context = makeContext({
          tool: tool.name,
          args,
          cursor: call.cursor,
          request,
          identity,
          notes,
          signal,
          tier,
          budget: call.budget,
          flags: state.effective.flags,
          cursorKeys: state.cursorKeys,
          keep: state.archive.isOn ? state.archive.keepFor(identity.tenant) : undefined,
          log: state.log,
          cursors: state.effective.settings.cursors,
        });
        return tool.handler(args, context);
      },
      {
        ...(tool.config.timeoutMs === undefined ? {} : { timeoutMs: tool.config.timeoutMs }),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      },
    );
    await assertOutput(value, tool.config.outputSchema);
    isFine = !(isToolResult(value) && value["isError"] === true);
    const { pager } = notes;
    return { ...toArrival(value), notes: notes.toNotes(), ...(pager === undefined ? {} : { pager }) };
  } catch (thrown) {
    const error = readableError(thrown);
    isFine = !isServerTrouble(error);
    call.notes.take(notes.toNotes());
    throw error;
  } finally {
    release(isFine);
  }
}

/** A fresh answer of the cache, a stale one marked as such, or the handler's own. */
async function runCached(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { tool, notes } = call;
  const cache = state.guards.cacheOf(tool.name, tool.config);
  // What the client was asked and answered is not among the arguments that tell calls apart.
  if (cache === undefined || call.request.hasInput === true) return runHandler(state, call);
  // Callers share a run, so none of them may cancel it.
  const { signal: _, ...request } = call.request;
  const answer = await keepOnly<CacheAnswer<Arrival>>(
    isCacheable,
    () => runHandler(state, { ...call, request }),
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

/** A refusal answers the same again; trouble of the server's own is worth another try. */
async function settle(run: Promise<Arrival>): Promise<Arrival> {
  try {
    return await run;
  } catch (error) {
    const isFinal = ToolFault.isInstance(error) && !isServerTrouble(error) && error.type !== "rate_limit";
    if (!isFinal) throw error;
    return { kind: "thrown", error };
  }
}

/**
 * A stored answer goes to whoever sends its key, so it must be known who that is. Where a repeated call does no harm
 * the key is not needed; elsewhere a call that its sender believes protected is refused rather than run unprotected.
 */
function refuseStrangersKey({ tool }: ToolCall): void {
  const { readOnlyHint, idempotentHint } = tool.config.annotations ?? {};
  if (readOnlyHint === true || idempotentHint === true) return;
  throw faults.validation("An idempotency key needs a caller that can be told from others", {
    remediation: "Send an Authorization token with the request, or call without the key.",
    details: { field: "waybill/idempotency_key", constraint: "caller with a token or a session" },
  });
}

/** Runs the tool once for an idempotency key; a repeated key gets the stored answer. */
export async function executeTool(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { identity, notes } = call;
  const { idempotencyKey: key, tenant } = identity;
  if (key === undefined) return runCached(state, call);
  if (key === "" || key.length > MAX_KEY_LENGTH) {
    throw faults.validation(`The idempotency key must be a text of 1 to ${MAX_KEY_LENGTH} characters`);
  }
  if (identity.isAnonymous) {
    refuseStrangersKey(call);
    return runCached(state, call);
  }
  const fingerprint = keyOf(call);
  // A repeated key joins the running call, so no caller's cancellation may end it.
  const { signal: _, ...request } = call.request;
  const { value, replayed } = await keepOnly<IdempotentResult<Arrival>>(
    isFinal,
    () => settle(runCached(state, { ...call, request })),
    (run) => state.guards.idempotency.run(`${tenant}\n${key}`, fingerprint, run),
    (arrival) => ({ value: arrival, replayed: false }),
  );
  if (replayed) notes.measure({ idempotent_replay: true });
  return value;
}

function lockedHint(feature: string, tier: string): UpgradeHint {
  return { feature, tier, reason: `'${feature}' is part of the ${tier} tier; this server knows no tiers.` };
}

/** Refuses callers whose tier or flag does not include the tool. */
export function gateTool(state: ContractState, call: ToolCall): void {
  const { tool, tier, identity } = call;
  const { tiers } = state.options;
  const { flags } = state.effective;
  if (tool.config.tier !== undefined) {
    // Without tiers nobody can have one: a gate that is not configured stays shut, as that of a flag does.
    if (tiers === undefined) throw faults.upgradeRequired(lockedHint(tool.name, tool.config.tier));
    tiers.require(tool.name, tool.config.tier, tier ?? tiers.default);
  }
  if (tool.config.flag === undefined) return;
  if (flags === undefined) throw faults.featureDisabled(tool.config.flag);
  flags.require(tool.config.flag, { client: identity.principal });
}
