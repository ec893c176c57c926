import { writeErrorData } from "../../contract/error-data.ts";
import type { Failure, Fault } from "../../contract/outcome.ts";
import { type JsonObject, mapObject } from "../../json/json-value.ts";
import { jsonChunks } from "../../json/json-chunks.ts";
import { countCodePoints } from "../../contract/code-points.ts";
import { appendPointer } from "../../json/pointer.ts";
import { type FitContext, type Parcel, type PipelineContext, stamp } from "../parcel.ts";
import { planBlocks } from "./blocks.ts";
import { type Candidate, CandidateMaker, withoutKept } from "./candidate.ts";
import { cutText } from "./cut-text.ts";
import type { Omission } from "./omission.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";
import type { TrimLevel } from "./trim-notes.ts";

export type FailureParcel = Parcel & { readonly outcome: Failure };

/** Extra data short enough to be part of the reason, such as `retry_after_seconds`. */
const MAX_SCALAR_LENGTH = 100;
const MAX_TRIES = 6;
const MIN_ROOM = 8;

/** A fault with less to say, and what it no longer says. */
interface Version {
  readonly fault: Fault;
  readonly omissions: readonly Omission[];
  readonly trim: TrimLevel;
}

function isShortScalar(value: unknown): boolean {
  return typeof value === "string" ? value.length <= MAX_SCALAR_LENGTH : typeof value !== "object";
}

function part(id: string): Omission {
  return { kind: "part", id };
}

function withoutData({ data = {}, ...fault }: Fault): Pick<Version, "fault" | "omissions"> {
  const kept = mapObject(data, (value) => (isShortScalar(value) ? value : undefined));
  const lost = Object.keys(data).filter((key) => !Object.hasOwn(kept, key));
  return {
    fault: Object.keys(kept).length > 0 ? { ...fault, data: kept } : fault,
    omissions: lost.map((key) => part(appendPointer("", key))),
  };
}

function withoutDetails({ details, ...fault }: Fault): Pick<Version, "fault" | "omissions"> {
  return { fault, omissions: details === undefined ? [] : [part("/details")] };
}

/** Given up in this order: data, warning context, details, info warnings. */
function versionsOf(fault: Fault): readonly Version[] {
  const first = withoutData(fault);
  const bare = withoutDetails(first.fault);
  const omissions = [...first.omissions, ...bare.omissions];
  return [
    { ...first, trim: "none" },
    { ...first, trim: "hint" },
    { ...first, trim: "context" },
    { fault: bare.fault, omissions, trim: "context" },
    { fault: bare.fault, omissions, trim: "info" },
    { fault: bare.fault, omissions, trim: "details" },
  ];
}

/** What the archive keeps of a failure: its message beside the data of the envelope. */
function wholeOf(fault: Fault): JsonObject {
  return { error: fault.message, ...writeErrorData(fault) };
}

/** Last, the end of the message is given up, and the remediation too if necessary. */
function shortenMessage(version: Version, room: number, scale: ParcelWeigher): Version {
  const { message, remediation = "", ...rest } = version.fault;
  const advice = cutText(remediation, Math.floor(room / 3), scale.gauge) ?? "";
  const left = room - scale.gauge.weigh(JSON.stringify(advice));
  const kept = cutText(message, left, scale.gauge) ?? "";
  const lost = (text: string, whole: string, pointer: string): readonly Omission[] =>
    text === whole
      ? []
      : [{ kind: "text", pointer, from: countCodePoints(text), to: countCodePoints(whole) }];
  return {
    fault: { ...rest, message: kept === "" ? "…" : kept, ...(advice === "" ? {} : { remediation: advice }) },
    omissions: [
      ...version.omissions,
      ...lost(kept, message, "/error"),
      ...lost(advice, remediation, "/remediation"),
    ],
    trim: "least",
  };
}

/** Every version has the whole message: one that is too long by itself need not be weighed with each of them. */
function isTooLong(message: string, { gauge, budget }: ParcelWeigher): boolean {
  return gauge.weigh(JSON.stringify(message), budget) > budget;
}

/** A failure that is over the budget: its code stays, its explanations are given up. */
export function cutFailure(
  parcel: FailureParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Parcel {
  const { fault } = parcel.outcome;
  const blocks = planBlocks(parcel, fitting, scale);
  const maker = new CandidateMaker(parcel, context, fitting, scale, blocks);
  const content = { [Symbol.iterator]: () => jsonChunks(wholeOf(fault)) };
  const part = { name: "error", content, contentType: "application/json" };
  const propose = ({ fault: said, omissions, trim }: Version): Candidate =>
    maker.make({
      level: "partial",
      trim,
      omissions,
      parts: omissions.length > 0 ? [part] : [],
      outcomeWith: (notes) => ({ ok: false, fault: said, notes }),
    });
  const send = ({ cut }: Candidate): Parcel =>
    stamp(parcel, "fit", `partial: failure cut to ${scale.budget}`, { ...withoutKept(cut), cut });

  const versions = versionsOf(fault);
  for (const version of isTooLong(fault.message, scale) ? [] : versions) {
    const candidate = propose(version);
    if (maker.isFine(candidate)) return send(candidate);
  }
  const least = versions.at(-1) ?? { fault, omissions: [], trim: "least" };
  const frame = propose(shortenMessage(least, 0, scale));
  let room = scale.budget - frame.weight;
  for (let tries = 0; tries < MAX_TRIES && room > MIN_ROOM; tries++) {
    const candidate = propose(shortenMessage(least, room, scale));
    if (maker.isFine(candidate)) return send(candidate);
    room -= Math.max(MIN_ROOM, candidate.weight - scale.budget);
  }
  return send(frame);
}
