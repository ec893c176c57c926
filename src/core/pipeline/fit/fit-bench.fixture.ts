import { createHash } from "node:crypto";
import { type DialectId, dialectIds } from "../../contract/dialect-id.ts";
import { wrapData } from "../../contract/envelope.ts";
import type { Notes } from "../../contract/outcome.ts";
import { defaultProfileOf, profileNamed } from "../../contract/profile.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { type TokenCounter, loadCounter } from "../../tokens/token-counter.ts";
import type { Arrival, CutPart, Parcel } from "../parcel.ts";
import type { FitContext, PipelineContext } from "../pipeline-context.ts";
import { renderParcel } from "../dialect/dialects.ts";

export const counter: TokenCounter = await loadCounter("o200k_base");

/** A store in a Map, as the archive stage sees one. */
export class TestArchive {
  readonly contents = new Map<string, Buffer>();
  isBroken = false;

  readonly keep = (part: CutPart) => {
    if (this.isBroken) return Promise.reject(new Error("the disk is full"));
    const bytes = Buffer.concat(
      [...part.content].map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)),
    );
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.contents.set(hash, bytes);
    return Promise.resolve({ hash, usedFallback: false });
  };
}

const wrapping: readonly DialectId[] = ["response-v2", "response-v2-draft"];

export interface FitSetting {
  readonly tokens?: number | "off";
  readonly bytes?: number | "off";
  readonly dialect?: DialectId;
  readonly profile?: string;
  readonly archive?: TestArchive;
  readonly requestId?: string;
  readonly fit?: Partial<FitContext>;
}

/** A context with a budget, as a server makes one. */
export function contextWith(setting: FitSetting): PipelineContext & { readonly fit: FitContext } {
  const { tokens = 8_000, bytes = "off", dialect = "response-v2", archive } = setting;
  const context: PipelineContext = {
    tool: { id: "list_things" },
    dialect,
    profile: profileNamed(setting.profile ?? defaultProfileOf(dialect)),
    delivery: "mirror",
    requestId: setting.requestId ?? "req_0123456789ab",
    requestIdFrom: "server",
    ...(archive === undefined ? {} : { keep: archive.keep }),
  };
  const fit: FitContext = {
    budget: { tokens, bytes },
    counter: () => counter,
    byteLength: (text) => Buffer.byteLength(text),
    decodeBase64: (text) => Buffer.from(text, "base64"),
    render: (parcel: Parcel) => renderParcel(parcel, context),
    wrap: (data: JsonValue) => (wrapping.includes(dialect) ? wrapData(data) : data),
    canCut: true,
    maxBlobBytes: 1_048_576,
    strategy: "head",
    ...(archive === undefined ? {} : { retrieveTool: "waybill_retrieve" }),
    ...setting.fit,
  };
  return { ...context, fit };
}

export function arrivalOf(value: unknown, notes: Notes = {}): Arrival {
  return { kind: "value", value, notes };
}

/** Tokens of every text in a result that a model may be shown, the envelope once. */
export function tokensOf(parcel: Parcel, context: PipelineContext): number {
  const { texts, structure = "" } = renderParcel(parcel, context);
  const shown = texts.reduce((sum, text) => sum + counter.count(text), 0);
  // Where no text repeats the structure, a client shows one channel or the other.
  return Math.max(shown, counter.count(structure));
}

export { dialectIds };
