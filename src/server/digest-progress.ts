import type { OnProgress } from "../digest/document.ts";
import type { ToolContext } from "./tool-context.ts";

const stages = ["fetch", "read", "select", "summarise"] as const;
/** Clients are told of every twentieth of a stage, whatever its number of pages. */
const STEP = 0.05;

/** The stages of a digest as one progress that only grows. */
export function digestProgress({ progress }: Pick<ToolContext, "progress">): OnProgress {
  let last = -1;
  return ({ stage, done, total }) => {
    const now = stages.indexOf(stage) + (total > 0 ? Math.min(1, done / total) : 1);
    if (now < last + STEP) return;
    last = now;
    void progress(now, stages.length, stage);
  };
}
