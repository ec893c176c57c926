import type { CheckProgress } from "../../doors/check/check-options.ts";
import type { CliIo } from "../cli-io.ts";
import { printable } from "../output/format-values.ts";

interface ProgressLine {
  readonly report: (progress: CheckProgress) => void;
  /** Clears the line. */
  readonly end: () => void;
}

const REDRAW_MS = 100;
const LINE_MS = 2_000;
const BAR_CELLS = 20;
const CLEAR_LINE = "\r\u001b[K";

const phaseWords = {
  connect: "connecting",
  list: "listing tools",
  probe: "calling",
  judge: "judging",
} as const;

function describe({ phase, tool, done, planned, elapsedMs }: CheckProgress): string {
  const seconds = `${Math.floor(elapsedMs / 1_000)} s`;
  if (phase !== "probe") return `${phaseWords[phase]}, ${seconds}`;
  const filled = planned === 0 ? 0 : Math.round((done / planned) * BAR_CELLS);
  const bar = "#".repeat(filled) + "-".repeat(BAR_CELLS - filled);
  return `[${bar}] ${done + 1} of ${planned}, ${seconds}: ${printable(tool ?? "").slice(0, 60)}`;
}

/** The progress of a check, on stderr: a changing line for a person, a new line now and then for a log. */
export function checkProgress(
  io: CliIo,
  isWanted: boolean,
  now: () => number = () => performance.now(),
): ProgressLine | undefined {
  const isLive = io.isTTY.stderr && io.env["TERM"] !== "dumb";
  if (!isLive && !isWanted) return undefined;
  let nextMs = 0;
  let phase = "";
  return {
    report(progress) {
      // A new phase is shown at once; within a phase, no faster than a person reads.
      if (progress.phase === phase && now() < nextMs) return;
      phase = progress.phase;
      nextMs = now() + (isLive ? REDRAW_MS : LINE_MS);
      const line = `waybill: ${describe(progress)}`;
      io.stderr.write(isLive ? CLEAR_LINE + line : `${line}\n`);
    },
    end() {
      if (isLive) io.stderr.write(CLEAR_LINE);
    },
  };
}
