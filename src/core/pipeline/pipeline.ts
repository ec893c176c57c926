import { type Arrival, type Parcel, type ToolResult, partOf } from "./parcel.ts";
import type { PipelineContext, Stage } from "./pipeline-context.ts";
import { archive } from "./archive/archive.ts";
import { deliver } from "./deliver/deliver.ts";
import { say } from "./dialect/dialects.ts";
import { fit } from "./fit/fit.ts";
import { classify } from "./outcome/classify.ts";
import { shape } from "./shape/shape.ts";

export interface NamedStage {
  readonly name: string;
  readonly does: string;
  readonly run: Stage;
}

/** The order of the stages. `docs/lifecycle.md` and the README picture are pinned to it by a test. */
export const stages: readonly NamedStage[] = [
  { name: "outcome", does: "say what happened", run: classify },
  { name: "shape", does: "keep what was asked for", run: shape },
  { name: "fit", does: "keep what can be afforded", run: fit },
  { name: "archive", does: "lose nothing", run: archive },
  { name: "dialect", does: "say it in the agreed words", run: say },
  { name: "deliver", does: "hand it over", run: deliver },
];

/** The parcel after each stage, in order. */
export async function* walkStages(arrival: Arrival, context: PipelineContext): AsyncGenerator<Parcel> {
  let parcel: Parcel = { arrival, trace: [] };
  for (const stage of stages) {
    parcel = await stage.run(parcel, context);
    yield parcel;
  }
}

/** The parcel after the last stage. Most stages are synchronous, and then there is no waiting. */
export function runStages(
  arrival: Arrival,
  context: PipelineContext,
  onStage?: (parcel: Parcel) => void,
): Parcel | Promise<Parcel> {
  return runFrom(0, { arrival, trace: [] }, context, onStage);
}

function runFrom(
  first: number,
  start: Parcel,
  context: PipelineContext,
  onStage: ((parcel: Parcel) => void) | undefined,
): Parcel | Promise<Parcel> {
  let parcel = start;
  for (let index = first; index < stages.length; index++) {
    const next = stages[index]?.run(parcel, context) ?? parcel;
    if (next instanceof Promise)
      return next.then((later) => {
        onStage?.(later);
        return runFrom(index + 1, later, context, onStage);
      });
    parcel = next;
    onStage?.(parcel);
  }
  return parcel;
}

/** Runs an arrival through every stage, to the MCP result. */
export async function runPipeline(arrival: Arrival, context: PipelineContext): Promise<ToolResult> {
  return partOf(await runStages(arrival, context), "result");
}
