import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type * as Envelope from "../../src/contract/envelope.ts";
import type * as Profile from "../../src/contract/profile.ts";
import type * as Fit from "../../src/pipeline/fit/fit.ts";
import type { Arrival, FitContext, KeepPart, Parcel, PipelineContext } from "../../src/pipeline/parcel.ts";
import type * as Pipeline from "../../src/pipeline/pipeline.ts";
import type * as Render from "../../src/pipeline/render-parcel.ts";
import type { ArchiveStore } from "../../src/stores/archive-store.ts";
import type * as Tokens from "../../src/tokens/load-counter.ts";

async function built<Module>(path: string): Promise<Module> {
  const file = new URL(`../../dist/${path}`, import.meta.url);
  if (!existsSync(file)) throw new Error("dist/ is missing: run `npm run build` first.");
  return (await import(file.href)) as Module;
}

const { wrapData } = await built<typeof Envelope>("contract/envelope.js");
const { profiles } = await built<typeof Profile>("contract/profile.js");
const { runStages } = await built<typeof Pipeline>("pipeline/pipeline.js");
const { renderParcel } = await built<typeof Render>("pipeline/render-parcel.js");
const { fit } = await built<typeof Fit>("pipeline/fit/fit.js");
const { loadCounter } = await built<typeof Tokens>("tokens/load-counter.js");
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
    run: (arrival: Arrival): Promise<Parcel> => runStages(arrival, whole),
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
