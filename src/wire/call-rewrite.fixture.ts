import { profileNamed } from "../contract/profile.ts";
import type { PipelineContext } from "../pipeline/parcel.ts";
import type { CallRewrite } from "./rewrite-call.ts";

const context: PipelineContext = {
  tool: { id: "report" },
  dialect: "response-v2",
  profile: profileNamed("standard"),
  delivery: "mirror",
  requestId: "req_1",
  requestIdFrom: "server",
};

/** A rewrite as a door asks for it: the default dialect, no faults, no notes. */
export function callRewrite({
  context: own,
  ...more
}: Partial<Omit<CallRewrite, "context">> & { context?: Partial<PipelineContext> } = {}): CallRewrite {
  return { context: { ...context, ...own }, faults: [], notes: {}, ...more };
}
