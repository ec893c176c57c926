import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";

/** A call that ended well, with what a test says of it. */
export function callRow(seq: number, said: Partial<CallRow> = {}): CallRow {
  return {
    seq,
    at: 1_800_000_000_000 + seq,
    upstream: "files",
    tool: "read_file",
    requestId: `req_${seq}`,
    ending: "ok",
    fidelity: "full",
    isUntouched: false,
    isRepaired: false,
    isArchived: false,
    warnings: 0,
    dialect: "response-v2",
    serverMs: 10,
    addedMs: 1,
    tokensIn: 100,
    tokensOut: 120,
    isCounted: false,
    isOwn: false,
    ...said,
  };
}
