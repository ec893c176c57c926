// Which calls are listed. A filter is in the address, so that a list can be linked to.

import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";

export const outcomes = ["ok", "failed", "abandoned", "repaired", "warned"] as const;
export const fidelities = ["full", "partial", "summary", "reference_only"] as const;

/** Empty texts choose nothing out. */
export interface CallFilter {
  /** A part of the name, or `server/tool` for exactly one. */
  readonly tool: string;
  readonly outcome: string;
  readonly fidelity: string;
  /** A part of the error code, or the type of the error. */
  readonly code: string;
  readonly caller: string;
  readonly request: string;
  /** The whole name of a replica. */
  readonly replica: string;
}

/** An address can hold anything: what is not known chooses nothing out. */
export function readFilter(query: URLSearchParams): CallFilter {
  const known = (name: string, values: readonly string[]): string =>
    values.find((one) => one === query.get(name)) ?? "";
  return {
    tool: query.get("tool") ?? "",
    outcome: known("outcome", outcomes),
    fidelity: known("fidelity", fidelities),
    code: query.get("code") ?? "",
    caller: query.get("caller") ?? "",
    request: query.get("request") ?? "",
    replica: query.get("replica") ?? "",
  };
}

export function isEmptyFilter(filter: CallFilter): boolean {
  return Object.values(filter).every((text) => text.trim() === "");
}

function hasOutcome(row: CallRow, outcome: string): boolean {
  switch (outcome) {
    case "":
      return true;
    case "repaired":
      return row.isRepaired;
    case "warned":
      return row.warnings > 0;
    default:
      return row.ending === outcome;
  }
}

/** Codes are found by a part of them, types by their whole name. */
function isError({ errorCode, errorType }: CallRow, text: string): boolean {
  return errorType === text || (errorCode?.toLowerCase().includes(text) ?? false);
}

/** Whether a call is listed. Upper and lower case are the same. */
export function matcher(filter: CallFilter): (row: CallRow) => boolean {
  if (isEmptyFilter(filter)) return () => true;
  const [tool, code, caller, request] = [filter.tool, filter.code, filter.caller, filter.request].map(
    (text) => text.trim().toLowerCase(),
  );
  const isWhole = tool?.includes("/") ?? false;
  const namesTool = (row: CallRow): boolean => {
    const whole = `${row.upstream}/${row.tool}`.toLowerCase();
    return isWhole ? whole === tool || whole.startsWith(`${tool}/`) : whole.includes(tool ?? "");
  };
  return (row) =>
    hasOutcome(row, filter.outcome) &&
    (filter.fidelity === "" || (row.fidelity === filter.fidelity && row.ending !== "abandoned")) &&
    (filter.replica === "" || row.replica === filter.replica) &&
    (code === "" || isError(row, code ?? "")) &&
    (caller === "" || (row.caller?.toLowerCase().includes(caller ?? "") ?? false)) &&
    (request === "" || row.requestId.toLowerCase().includes(request ?? "")) &&
    (tool === "" || namesTool(row));
}
