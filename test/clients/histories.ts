// What `waybill audit` reads in the history that a client of the laboratory leaves in its home.

import { type Audit, auditHistories } from "../../src/doors/gateway/audit/audit-histories.ts";
import type { LabClient } from "./client.ts";
import { type ClientRun, runClient } from "./laboratory.ts";

/** One call of a shape, as its history has it. */
export interface ReadCall {
  /** The tool that the history names. */
  readonly tool: string | undefined;
  readonly server: string | null | undefined;
  readonly calls: number;
  readonly isCut: boolean;
  readonly isFailure: boolean;
  /** Its whole result is in the history, and passed the gateway. */
  readonly isCompared: boolean;
  /** Lines, documents or calls that were not understood, and databases that this Node cannot read. */
  readonly misses: number;
}

/** Runs a client, and audits each home as the client leaves it: a command has one home a shape. */
export async function auditRuns(
  client: LabClient,
  shapes: readonly string[],
): Promise<{ readonly run: ClientRun; readonly read: readonly ReadCall[] }> {
  const read: ReadCall[] = [];
  const visit = async (home: string): Promise<void> => {
    const machine = { platform: process.platform, env: { CODEX_HOME: home }, home };
    read.push(readOf(await auditHistories({ machine, sinceMs: 0, maxBytes: 2 ** 30 })));
  };
  const run = await runClient(client, "direct", { shapes, visit });
  return { run, read };
}

function readOf({ clients, servers }: Audit): ReadCall {
  const [cost] = servers;
  const missesOf = ({ not_understood: odd, databases, not_read: { unreadable } }: Audit["clients"][number]) =>
    odd.not_json + odd.not_utf8 + odd.too_long + odd.odd_calls + databases + unreadable;
  return {
    tool: cost?.tools[0]?.tool,
    server: cost?.server,
    calls: servers.reduce((sum, { calls }) => sum + calls, 0),
    isCut: cost?.cut === 1,
    isFailure: cost?.failures === 1,
    isCompared: cost?.gateway.compared === 1,
    misses: clients.reduce((sum, history) => sum + missesOf(history), 0),
  };
}
