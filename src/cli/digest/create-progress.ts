import type { OnProgress } from "../../engine/digest/document.ts";
import type { CliIo } from "../cli-io.ts";

interface Progress {
  readonly report: OnProgress;
  /** Clears the line. */
  readonly end: () => void;
}

/** Shorter work shows no progress. */
const QUIET_MS = 700;
const REDRAW_MS = 100;
const LINE_MS = 5_000;
const CLEAR_LINE = "\r\u001b[K";

const stageWords = {
  fetch: "fetching",
  read: "reading",
  select: "choosing passages",
  summarise: "summarising",
};

/** The progress of a long document, on stderr: a changing line for a person, a new line now and then for a log. */
export function createProgress(io: CliIo, now: () => number = () => performance.now()): Progress {
  const isLive = io.isTTY.stderr && io.env["TERM"] !== "dumb";
  let nextMs = now() + (isLive ? QUIET_MS : LINE_MS);
  let isShown = false;
  return {
    report({ stage, done, total }) {
      if (now() < nextMs) return;
      nextMs = now() + (isLive ? REDRAW_MS : LINE_MS);
      isShown = true;
      const share = total > 0 ? ` ${Math.floor((Math.min(done, total) / total) * 100)} %` : "";
      const line = `waybill: ${stageWords[stage]}${share}`;
      io.stderr.write(isLive ? CLEAR_LINE + line : `${line}\n`);
    },
    end() {
      if (isLive && isShown) io.stderr.write(CLEAR_LINE);
    },
  };
}
