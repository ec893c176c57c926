import type { Log } from "../../engine/observe/log-event.ts";
import type { Contract } from "./create-contract.ts";
import { lintTools } from "./lint-tools.ts";

/** Clients that wait for their first answer come first. */
const DELAY_MS = 1_000;

/** More than this is read with `waybill lint`. */
const MAX_LINES = 20;

/** Writes what could be better about the tools, one line each; advice is of the level info, so it is not written by default. */
export async function logFindings(contract: Contract, log: Log): Promise<void> {
  try {
    const findings = await lintTools(contract.tools, { contract });
    const grave = findings.filter(({ severity }) => severity !== "info");
    for (const finding of grave.slice(0, MAX_LINES)) log.warn("tool-finding", { ...finding });
    const rest = grave.length - MAX_LINES;
    if (rest > 0) log.warn("tool-findings-more", { count: rest, hint: "waybill lint shows all of them." });
    for (const finding of findings) if (finding.severity === "info") log.info("tool-finding", { ...finding });
  } catch (error) {
    log.warn("tool-lint-failed", { err: error });
  }
}

/** Has the tools judged a second after the start; the function it gives back calls that off. */
export function lintSoon(contract: Contract, log: Log): () => void {
  const timer = setTimeout(() => void logFindings(contract, log), DELAY_MS).unref();
  return () => clearTimeout(timer);
}
