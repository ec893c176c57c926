import { successResponse } from "../../core/contract/success-responses.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { retrieveDescription, retrieveInputSchema } from "../retrieve/retrieve-schemas.ts";
import { type ToolCall, calledWith } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { acceptingSchema } from "../settings/standard-schema.ts";
import type { ToolDefinition } from "../settings/tool-definition.ts";
import type { Pagination } from "../../core/contract/meta.ts";
import { byteLength } from "../runtime/byte-length.ts";
import { orderWarnings } from "../../core/contract/warning.ts";
import { renderParcel } from "../../core/pipeline/dialect/dialects.ts";
import { ParcelWeigher, makeTextWeigher } from "../../core/pipeline/fit/weigh-parcel.ts";
import { classify } from "../../core/pipeline/outcome/classify.ts";
import { type Parcel, type Rendering, partOf } from "../../core/pipeline/parcel.ts";
import { measureParcels, roomFor } from "./call-reader.ts";
import { contextOf } from "./call-context.ts";

/** Gives back what was cut from an earlier result; its own answers are pages, never cut, never kept. */
export function retrieveTool(state: ContractState): ToolDefinition {
  state.kept.retrieveTool ??= makeTool(state);
  return state.kept.retrieveTool;
}

const asking = acceptingSchema(retrieveInputSchema);
const { select: _select, grep: _grep, ...rest } = retrieveInputSchema.properties;
const notAsking = acceptingSchema({ ...retrieveInputSchema, properties: rest });

function makeTool(state: ContractState): ToolDefinition {
  const definition: ToolDefinition = {
    name: state.retrieveName,
    config: {
      title: "Fetch what was left out",
      description: retrieveDescription,
      // No output schema: it would cost every list more than the rest of the tool, and would allow any shape.
      // Read anew for every list: only after the first question is it known whether questions can be answered
      // here.
      get inputSchema() {
        return state.questions.mayAnswer ? asking : notAsking;
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      // The answers contain results of any shape, so one form must serve all of them. Under `auto` that is
      // the envelope: with plain data, the cursor of the next page would be in a text that not every client
      // shows.
      dialects: [],
      dialect: state.effective.general.dialect === "auto" ? "response-v2" : undefined,
      encoding: "json",
    },
    handler: () => ({}),
  };
  return calledWith(state, definition, {
    answersRetrieval: true,
    run: async (_, args, { call, signal }) => ({
      kind: "value",
      value: await answer(state, isJsonObject(args) ? args : {}, call, signal),
    }),
  });
}

async function answer(
  state: ContractState,
  args: JsonObject,
  call: ToolCall,
  signal: () => AbortSignal,
): Promise<unknown> {
  // Loaded at the first call: most servers never get one.
  const { retrieve } = await import("../retrieve/retrieve.ts");
  const { budget, count, weigh } = await weighAnswer(state, call);
  const { data, pagination } = await retrieve(args, {
    store: await state.archive.store(),
    tool: call.tool.name,
    tenant: call.identity.tenant,
    needsHash: call.identity.isAnonymous,
    others: () => state.archive.othersOf(call.identity.tenant),
    among: call.request.told,
    budgetTokens: Number.isFinite(budget) ? budget : "off",
    countsTokens: call.contract.budget.tokens !== "off",
    count,
    weigh,
    cursorKeys: await state.cursorKeys(),
    idPaths: state.effective.idPaths(),
    now: state.options.now,
    questions: () => state.questions.open(),
    signal: signal(),
  });
  return successResponse(data, { requestId: false, pagination });
}

/** The budget of a call, and the weight of an answer as it will be sent, with everything that its profile shows. */
interface AnswerWeigher {
  readonly budget: number;
  /** Weighs a text alone. Stops once the count exceeds `limit`, and then returns some number above it. */
  readonly count: (text: string, limit?: number) => number;
  readonly weigh: (data: JsonObject, pagination?: Pagination) => number;
}

/** For answers that fill their budget themselves, because they are never cut. */
async function weighAnswer(state: ContractState, call: ToolCall): Promise<AnswerWeigher> {
  const context = contextOf(state, call);
  const showTo = measureParcels(call, context);
  const budget = roomFor(call, showTo !== undefined);
  const gauge = makeTextWeigher({
    budget,
    byteLength,
    counter: budget.tokens === "off" ? undefined : await state.counter(),
  });
  const render = (parcel: Parcel): Rendering => renderParcel(parcel, context);
  const scale = new ParcelWeigher(context, { render, showTo }, gauge);
  return {
    budget: gauge.budget,
    count: (text, limit) => gauge.weigh(text, limit),
    weigh: (data, pagination) => {
      const noted = call.notes.toNotes();
      const notes = {
        ...noted,
        pagination,
        warnings: orderWarnings([...(noted.warnings ?? []), ...call.contract.warnings]),
        telemetry: { ...noted.telemetry, duration_ms: 0 },
      };
      const parcel = classify({ arrival: { kind: "value", value: data, notes }, trace: [] }, context);
      return scale.weigh({ ...parcel, outcome: partOf(parcel, "outcome") });
    },
  };
}
