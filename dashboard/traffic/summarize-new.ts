import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { formatMany } from "../text/figures.ts";

/** `12 new calls, 2 failed, 1 cut.` */
export function summarizeNew(rows: readonly CallRow[]): string {
  const failed = rows.filter(({ ending }) => ending === "failed").length;
  const cut = rows.filter(({ fidelity }) => fidelity !== "full").length;
  const parts = [
    formatMany(rows.length, "new call"),
    failed > 0 && `${failed} failed`,
    cut > 0 && `${cut} cut`,
  ];
  return `${parts.filter((part) => part !== false).join(", ")}.`;
}
