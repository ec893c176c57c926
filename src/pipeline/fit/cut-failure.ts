import { writeErrorData } from "../../contract/error-data.ts";
import type { Failure, Fault } from "../../contract/outcome.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { jsonChunks } from "../../json/json-chunks.ts";
import { mapObject } from "../../json/set-own.ts";
import { countCodePoints } from "../../contract/code-points.ts";
import { appendPointer } from "../../json/pointer.ts";
import { type FitContext, type KeptPart, type Parcel, type PipelineContext, stamp } from "../parcel.ts";
import { planBlocks } from "./blocks.ts";
import { cutText } from "./cut-text.ts";
import { type CutReport, endingNotes, possibleEndings } from "./endings.ts";
import { nameOmissions } from "./name-omissions.ts";
import type { Omission } from "./omission.ts";
import type { Scale } from "./scale.ts";
import { type TrimLevel, trimNotes } from "./trim-notes.ts";

export type FailureParcel = Parcel & { readonly outcome: Failure };

/** Extra data short enough to be part of the reason, such as `retry_after_seconds`. */
const MAX_SCALAR_LENGTH = 100;

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

/** The order of sacrifice: data, warning context, details, info warnings. */
function versionsOf(fault: Fault): readonly Version[] {
  const first = withoutData(fault);
  const bare = withoutDetails(first.fault);
  const omissions = [...first.omissions, ...bare.omissions];
  return [
    { ...first, trim: "none" },
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

/** At last the tail of the message goes, and with it the advice, if that is what it takes. */
function shortenMessage(version: Version, room: number, scale: Scale): Version {
  const { message, remediation = "", ...rest } = version.fault;
  const advice = cutText(remediation, Math.floor(room / 3), scale.gauge) ?? "";
  const left = room - scale.gauge.weigh(JSON.stringify(advice));
  const kept = cutText(message, left, scale.gauge) ?? "";
  const lost = (text: string, whole: string, id: string): readonly Omission[] =>
    text === whole ? [] : [part(`${id}#char=${countCodePoints(text)}-${countCodePoints(whole)}`)];
  return {
    fault: { ...rest, message: kept === "" ? "…" : kept, ...(advice === "" ? {} : { remediation: advice }) },
    omissions: [
      ...version.omissions,
      ...lost(kept, message, "/error"),
      ...lost(advice, remediation, "/remediation"),
    ],
    trim: "all",
  };
}

/** A failure that is over the budget: its code stays, its explanations go. */
export function cutFailure(
  parcel: FailureParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: Scale,
): Parcel {
  const { fault, notes } = parcel.outcome;
  const hasStore = context.keep !== undefined && fitting.retrieveTool !== undefined;
  const blocks = planBlocks(parcel.blocks, fitting, scale);
  const content = { [Symbol.iterator]: () => jsonChunks(wholeOf(fault)) };

  function attempt(version: Version) {
    const omissions = [...version.omissions, ...blocks.omissions];
    const own =
      version.omissions.length > 0 ? [{ name: "error", content, contentType: "application/json" }] : [];
    const parts = [...own, ...blocks.parts];
    const report: CutReport = {
      level: "partial",
      dropped: nameOmissions(omissions, undefined),
      droppedCount: omissions.length,
      totalCount: omissions.length,
      noun: "parts",
      reason: fitting.budget.tokens === "off" ? "byte_limit_exceeded" : "token_limit_exceeded",
      retrieveTool: hasStore ? fitting.retrieveTool : undefined,
      isBrief: version.trim === "all",
    };
    const trimmed = trimNotes(notes, version.trim);
    const ending = (kept: readonly (KeptPart | undefined)[]) => ({
      outcome: {
        ok: false as const,
        fault: version.fault,
        notes:
          omissions.length === 0
            ? trimmed
            : endingNotes(
                trimmed,
                report,
                parts.map(({ name }, index) => ({ name, kept: kept[index] })),
              ),
      },
      blocks: blocks.build(kept.slice(own.length)),
    });
    const weights = possibleEndings(
      parts.map(({ name }) => name),
      hasStore,
    ).map(({ kept, digitBytes }) =>
      scale.weigh({ ...parcel, ...ending(kept.map((one) => one.kept)) }, digitBytes),
    );
    return { cut: { parts, ending }, weight: Math.max(...weights) };
  }

  function send({ cut }: ReturnType<typeof attempt>): Parcel {
    const sent = cut.ending(cut.parts.map(() => undefined));
    return stamp(parcel, "fit", `partial: failure cut to ${scale.budget}`, { ...sent, cut });
  }

  const versions = versionsOf(fault);
  for (const version of versions) {
    const tried = attempt(version);
    if (tried.weight <= scale.budget) return send(tried);
  }
  const least = versions.at(-1) ?? { fault, omissions: [], trim: "all" };
  const frame = attempt(shortenMessage(least, 0, scale));
  let room = scale.budget - frame.weight;
  for (let tries = 0; tries < 6 && room > 8; tries++) {
    const tried = attempt(shortenMessage(least, room, scale));
    if (tried.weight <= scale.budget) return send(tried);
    room -= Math.max(8, tried.weight - scale.budget);
  }
  return send(frame);
}
