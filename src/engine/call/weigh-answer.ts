import type { Pagination } from "../../core/contract/meta.ts";
import { byteLength } from "../runtime/byte-length.ts";
import { orderWarnings } from "../../core/contract/warning.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { renderParcel } from "../../core/pipeline/dialect/dialects.ts";
import { ParcelWeigher } from "../../core/pipeline/fit/weigh-parcel.ts";
import { makeTextWeigher } from "../../core/pipeline/fit/weigh-text.ts";
import { classify } from "../../core/pipeline/outcome/classify.ts";
import { partOf } from "../../core/pipeline/parcel.ts";
import { contextOf } from "./call-context.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";

/** The budget of a call, and the weight of an answer as it will be sent, with everything that its profile shows. */
export interface AnswerWeigher {
  readonly budget: number;
  /** Weighs a text alone. Stops once the count exceeds `limit`, and then returns some number above it. */
  readonly count: (text: string, limit?: number) => number;
  readonly weigh: (data: JsonObject, pagination?: Pagination) => number;
}

/** For answers that fill their budget themselves, because they are never cut. */
export async function weighAnswer(state: ContractState, call: ToolCall): Promise<AnswerWeigher> {
  const { budget } = call.contract;
  const context = contextOf(state, call);
  const gauge = makeTextWeigher({
    budget,
    byteLength,
    counter: budget.tokens === "off" ? undefined : await state.counter(),
  });
  const scale = new ParcelWeigher(context, { render: (parcel) => renderParcel(parcel, context) }, gauge);
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
