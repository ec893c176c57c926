import { createHash } from "node:crypto";
import type * as Envelope from "../../src/core/contract/envelope.ts";
import type * as Profile from "../../src/core/contract/profile.ts";
import type * as Fit from "../../src/core/pipeline/fit/fit.ts";
import type { Arrival, Parcel } from "../../src/core/pipeline/parcel.ts";
import type { FitContext, KeepPart, PipelineContext } from "../../src/core/pipeline/pipeline-context.ts";
import type * as Pipeline from "../../src/core/pipeline/pipeline.ts";
import type * as Dialects from "../../src/core/pipeline/dialect/dialects.ts";
import type { ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import type * as Tokens from "../../src/core/tokens/token-counter.ts";
import { loadModule } from "./built.ts";

const { wrapData } = await loadModule<typeof Envelope>("core/contract/envelope");
const { profiles } = await loadModule<typeof Profile>("core/contract/profile");
const { runStages } = await loadModule<typeof Pipeline>("core/pipeline/pipeline");
const { renderParcel } = await loadModule<typeof Dialects>("core/pipeline/dialect/dialects");
const { fit } = await loadModule<typeof Fit>("core/pipeline/fit/fit");
const { loadCounter } = await loadModule<typeof Tokens>("core/tokens/token-counter");
const counter = await loadCounter();

/** Keeps nothing, but hashes everything: what a store costs without its disk. */
export const hashOnly: KeepPart = (part) => {
  const hash = createHash("sha256");
  for (const chunk of part.content) hash.update(chunk);
  return Promise.resolve({ hash: hash.digest("hex"), usedFallback: false });
};

export function keepIn(store: ArchiveStore): KeepPart {
  return async ({ content, contentType }) => {
    const { entry } = await store.put("bench", content, { contentType });
    return { hash: entry.hash, usedFallback: false };
  };
}

/** The built pipeline with a budget, as a server runs it. */
export function fitLine(tokens: number, keep?: KeepPart) {
  const context: PipelineContext = {
    tool: { id: "records" },
    dialect: "response-v2",
    profile: profiles.standard,
    delivery: "mirror",
    requestId: "req_0a1b2c3d4e5f",
    requestIdFrom: "server",
    ...(keep === undefined ? {} : { keep }),
  };
  const fitting: FitContext = {
    budget: { tokens, bytes: "off" },
    counter: () => counter,
    byteLength: (text) => Buffer.byteLength(text),
    decodeBase64: (text) => Buffer.from(text, "base64"),
    render: (parcel) => renderParcel(parcel, context),
    wrap: wrapData,
    canCut: true,
    maxBlobBytes: 1_048_576,
    strategy: "head",
    ...(keep === undefined ? {} : { retrieveTool: "waybill_retrieve" }),
  };
  const whole: PipelineContext = { ...context, fit: fitting };
  return {
    counter,
    /** All six stages. */
    run: async (arrival: Arrival): Promise<Parcel> => runStages(arrival, whole),
    /** The stage `fit` alone, on data that the earlier stages let through. */
    fitOnly: (data: unknown): Parcel | Promise<Parcel> =>
      fit(
        {
          arrival: { kind: "value", value: data },
          outcome: { ok: true, data: data as never, notes: { requestId: "req_0a1b2c3d4e5f" } },
          trace: [],
        },
        whole,
      ),
  };
}
