// Archives the whole of what was cut, by its sha256, before the cut is announced.
// Promises that a hash is sent only for content that can be read back, and that a failing store costs the hash, never
// the result. Never changes data, and keeps nothing of a parcel that was not cut.

import { type CutPart, type KeptPart, type Parcel, stamp } from "../parcel.ts";
import type { PipelineContext } from "../pipeline-context.ts";

async function keepOne(part: CutPart, context: PipelineContext): Promise<KeptPart | undefined> {
  if (part.kept !== undefined) return part.kept;
  try {
    return await context.keep?.(part);
  } catch (error) {
    context.log?.({ requestId: context.requestId, tool: context.tool.id, error, event: "archive-failed" });
    return undefined;
  }
}

export function archive(parcel: Parcel, context: PipelineContext): Parcel | Promise<Parcel> {
  const { cut } = parcel;
  if (cut === undefined) return stamp(parcel, "archive", "nothing was cut");
  if (context.keep === undefined) return stamp(parcel, "archive", "nowhere to keep it");
  return keepAll(parcel, cut, context);
}

async function keepAll(
  parcel: Parcel,
  cut: NonNullable<Parcel["cut"]>,
  context: PipelineContext,
): Promise<Parcel> {
  const kept: (KeptPart | undefined)[] = [];
  // One after the other: a large part is written as a stream, and two at once would take twice the memory.
  for (const part of cut.parts) kept.push(await keepOne(part, context));
  const stored = kept.filter((one) => one !== undefined).length;
  return stamp(parcel, "archive", `kept ${stored} of ${kept.length}`, cut.ending(kept));
}
