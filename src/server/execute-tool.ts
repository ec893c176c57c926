import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { CallRequest } from "./call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { CallCancelled } from "./guards/call-cancelled.ts";
import { runWithDeadline } from "./guards/deadline.ts";
import { cacheKey } from "./guards/cache-key.ts";
import type { CallIdentity } from "./identify-call.ts";
import { isToolResult } from "./is-tool-result.ts";
import { makeContext } from "./make-context.ts";
import { NoteTaker } from "./note-taker.ts";
import { staleCache } from "./stale-cache.ts";
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
}

const MAX_KEY_LENGTH = 512;
const serverFaults = new Set(["internal", "unavailable"]);

/** The server's own trouble: what a breaker counts, and what is not worth remembering. */
export function isServerTrouble(error: unknown): boolean {
  if (CallCancelled.isInstance(error)) return false;
  return !ToolFault.isInstance(error) || serverFaults.has(error.type);
}

function toArrival(value: unknown): Arrival {
  return isToolResult(value) ? { kind: "result", result: value } : { kind: "value", value };
}

async function runHandler(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { tool, request, identity, tier } = call;
  // What the handler notes belongs to its answer, and is stored with it.
  const notes = new NoteTaker();
  const args = await validateInput(call.args, tool.config.inputSchema);
  const release = state.guards.enter(tool.name, tool.config);
  let isFine = false;
  try {
    const value = await runWithDeadline(
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
          flags: state.options.flags,
          cursorKeys: state.cursorKeys,
          cursors: state.effective.settings.cursors,
        });
        return tool.handler(args as never, context);
      },
      {
        ...(tool.config.timeoutMs === undefined ? {} : { timeoutMs: tool.config.timeoutMs }),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      },
    );
    isFine = !(isToolResult(value) && value["isError"] === true);
    return { ...toArrival(value), notes: notes.toNotes() };
  } catch (error) {
    isFine = !isServerTrouble(error);
    call.notes.take(notes.toNotes());
    throw error;
  } finally {
    release(isFine);
  }
}

/** A fresh answer of the cache, a stale one marked as such, or the handler's own. */
async function runCached(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { tool, notes, identity } = call;
  const cache = state.guards.cacheOf(tool.name, tool.config);
  if (cache === undefined) return runHandler(state, call);
  const args = isJsonObject(call.args) ? call.args : {};
  const key = cacheKey({ tool: tool.name, args, tenant: identity.tenant });
  // Callers share a run, so none of them may cancel it.
  const { signal: _, ...request } = call.request;
  const answer = await cache.load(key, () => runHandler(state, { ...call, request }));
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

/** Runs the tool once for an idempotency key; a repeated key gets the stored answer. */
export async function executeTool(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { tool, identity, notes } = call;
  const { idempotencyKey: key, tenant } = identity;
  if (key === undefined) return runCached(state, call);
  if (key === "" || key.length > MAX_KEY_LENGTH) {
    throw faults.validation(`The idempotency key has ${key.length} characters: use 1 to ${MAX_KEY_LENGTH}`);
  }
  const args = isJsonObject(call.args) ? call.args : {};
  const fingerprint = cacheKey({ tool: tool.name, args, tenant });
  // A repeated key joins the running call, so no caller's cancellation may end it.
  const { signal: _, ...request } = call.request;
  const { value, replayed } = await state.guards.idempotency.run(`${tenant}\n${key}`, fingerprint, () =>
    settle(runCached(state, { ...call, request })),
  );
  if (replayed) notes.measure({ idempotent_replay: true });
  return value;
}

/** Refuses callers whose tier or flag does not include the tool. */
export function gateTool(state: ContractState, call: ToolCall): void {
  const { tool, tier, identity } = call;
  const { tiers, flags } = state.options;
  if (tool.config.tier !== undefined && tiers !== undefined) {
    tiers.require(tool.name, tool.config.tier, tier ?? tiers.default);
  }
  if (tool.config.flag === undefined) return;
  if (flags === undefined) throw faults.featureDisabled(tool.config.flag);
  flags.require(tool.config.flag, { client: identity.principal });
}
