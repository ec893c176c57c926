// The outcome of a call, rebuilt from what was kept of it: its last two stages can then run again with another dialect
// or profile, and what each stage handed on can be counted.

import type { DialectId } from "../../../../core/contract/dialect-id.ts";
import type { Outcome } from "../../../../core/contract/outcome.ts";
import type { Profile } from "../../../../core/contract/profile.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../../core/json/json-value.ts";
import { deliver } from "../../../../core/pipeline/deliver/deliver.ts";
import { say } from "../../../../core/pipeline/dialect/dialects.ts";
import { classify } from "../../../../core/pipeline/outcome/classify.ts";
import { type DeliveryMode, type Parcel, partOf } from "../../../../core/pipeline/parcel.ts";
import type { PipelineContext } from "../../../../core/pipeline/pipeline-context.ts";
import type { CallRow } from "../protocol/traffic.ts";
import type { KeptCall, KeptText } from "../traffic/kept-calls.ts";

/** The value of a text, if it was kept whole. */
export function keptWhole(text: KeptText | undefined): JsonValue | undefined {
  return text === undefined || text.isHead ? undefined : (JSON.parse(text.text) as JsonValue);
}

/** What a stage left in the trace of a call. */
function noteOf({ trace }: KeptCall, stage: string): KeptCall["trace"][number] | undefined {
  return trace.find((note) => note.stage === stage);
}

/** Whether a stage is known to have left the data as it was. */
export function hasKept(kept: KeptCall, stage: "shape" | "fit"): boolean {
  const note = noteOf(kept, stage);
  return note !== undefined && note.changed !== true;
}

/** How the result was delivered; if it is not known, the most common mode. */
function deliveryOf(kept: KeptCall): DeliveryMode {
  return noteOf(kept, "deliver")?.mode ?? "mirror";
}

/** The dialect and profile that a result is requested in. */
export interface WantedForm {
  readonly dialect: DialectId;
  readonly profile: Profile;
}

function contextFor(kept: KeptCall, row: CallRow, { dialect, profile }: WantedForm): PipelineContext {
  const { requestIds } = kept.upstream.state.options;
  // An id that we did not make is the client's own, and the client gets it back in every profile.
  const isOurs = requestIds !== undefined || /^req_[0-9a-f]{12}$/.test(row.requestId);
  return {
    tool: { id: row.tool },
    dialect,
    profile,
    delivery: deliveryOf(kept),
    requestId: row.requestId,
    requestIdFrom: isOurs ? "server" : "client",
  };
}

/** The server's result before any stage changes it; undefined if it is not kept whole. */
export function arrivedParcel(kept: KeptCall, row: CallRow, form: WantedForm): Parcel | undefined {
  const result = keptWhole(kept.contents?.before);
  // The value of one of our own tools is not a result of a server.
  if (!isJsonObject(result) || !isResult(result)) return undefined;
  return classify({ arrival: { kind: "result", result }, trace: [] }, contextFor(kept, row, form));
}

function isResult({ content, structuredContent }: JsonObject): boolean {
  return Array.isArray(content) || structuredContent !== undefined;
}

function outcomeOf({ fault, notes = {}, contents }: KeptCall): Outcome | undefined {
  if (fault !== undefined) return { ok: false, fault, notes };
  const data = keptWhole(contents?.data);
  return data === undefined ? undefined : { ok: true, data, notes };
}

/** What is beside the data is known only if no stage changed it. */
function isUnchanged(kept: KeptCall, { fidelity }: CallRow): boolean {
  return fidelity === "full" && hasKept(kept, "shape");
}

interface EndedParcel {
  readonly parcel: Parcel;
  /** Blocks beside the data were delivered and are not in the parcel. */
  readonly lacksBlocks: boolean;
}

/** The final outcome, independent of the dialect; undefined if too little of it is kept. */
export function endedParcel(kept: KeptCall, row: CallRow, form: WantedForm): EndedParcel | undefined {
  const arrived = arrivedParcel(kept, row, form);
  const outcome = outcomeOf(kept);
  if (outcome === undefined) {
    // An untouched result is the same as when it arrived.
    return row.isUntouched && arrived !== undefined ? { parcel: arrived, lacksBlocks: false } : undefined;
  }
  const base: Parcel = { arrival: { kind: "value", value: undefined }, outcome, trace: [] };
  if (isUnchanged(kept, row))
    return {
      parcel: { ...base, blocks: arrived?.blocks, resultMeta: arrived?.resultMeta },
      lacksBlocks: false,
    };
  const cut = row.fidelity === "full" ? undefined : { parts: [], ending: () => ({ outcome, blocks: [] }) };
  return { parcel: { ...base, cut }, lacksBlocks: (arrived?.blocks?.length ?? 0) > 0 };
}

/** Runs the last two stages again. */
export async function saidAgain(
  parcel: Parcel,
  kept: KeptCall,
  row: CallRow,
  form: WantedForm,
): Promise<JsonObject> {
  const context = contextFor(kept, row, form);
  const said = await say(parcel, context);
  return partOf(deliver(said, context), "result") as unknown as JsonObject;
}
