import type { OnProgress } from "../digesting/document.ts";
import type { ToolContext } from "../engine/tool-context.ts";

export type DigestStage = Parameters<OnProgress>[0]["stage"];

/** Clients get progress for every twentieth of a stage, however many pages it has. */
const STEP = 0.05;

/** The stages that a digest goes through, as one progress that only grows and ends with the last of them. */
export function digestProgress(
  { progress }: Pick<ToolContext, "progress">,
  stages: readonly DigestStage[],
): OnProgress {
  let last = -1;
  return ({ stage, done, total }) => {
    const part = total > 0 ? Math.min(1, done / total) : 1;
    const now = stages.indexOf(stage) + part;
    if (now <= last || (now < last + STEP && part < 1)) return;
    last = now;
    void progress(now, stages.length, stage);
  };
}
