// The ledger of a user: one file with counts by day and server, for all stdio gateways. It has no tool, argument or
// result. Each writer adds its counts under a lock and replaces the file, so a reader never sees half of one.

import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { jsonIn } from "../../../core/json/json-value.ts";
import { makeFolders } from "../../../engine/runtime/make-folders.ts";
import { withFileLock } from "../file-lock.ts";

const count = z.number().check(z.int(), z.nonnegative());

const rowShape = z.object({
  /** The day by the clock of the machine: `2026-11-19`. */
  day: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  server: z.string(),
  calls: count,
  /** Tokens of what the server sent, and of what was sent on. */
  tokens_in: count,
  tokens_out: count,
  /** Some texts were not counted to their end. */
  is_estimated: z.boolean(),
  cuts: count,
  retrievals: count,
  errors_repaired: count,
});

const fileShape = z.object({ version: z.literal(1), rows: z.array(rowShape) });

/** What one server cost and saved on one day. */
export type LedgerRow = z.infer<typeof rowShape>;

/** How much is kept; what is older goes first. */
export const MAX_DAYS = 400;
export const MAX_ROWS = 5_000;
/** Servers of one day; further ones are counted together. */
export const MAX_SERVERS = 100;
export const OTHER_SERVERS = "(others)";
/** Some five times what the limits above allow: a larger file is not ours. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_NAME = 64;

/** The file was written by a newer version, or is damaged. */
export class UnreadableLedger extends Error {
  override readonly name = "UnreadableLedger";
  /** It must not be replaced: a newer version reads it. */
  readonly isNewer: boolean;

  constructor(message: string, isNewer: boolean) {
    super(message);
    this.isNewer = isNewer;
  }
}

/** The rows, oldest day first; none if there is no file. Throws an UnreadableLedger. */
export async function readLedger(path: string): Promise<readonly LedgerRow[]> {
  return (await readKept(path)) ?? [];
}

async function readKept(path: string): Promise<readonly LedgerRow[] | undefined> {
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES)
      throw new UnreadableLedger(`The ledger has ${size} bytes, more than any of ours`, false);
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const given = jsonIn(text);
  const read = z.safeParse(fileShape, given);
  if (read.success) return read.data.rows;
  const { version } = (typeof given === "object" && given !== null ? given : {}) as { version?: unknown };
  const isNewer = typeof version === "number" && version > 1;
  throw new UnreadableLedger(
    isNewer ? "The ledger was written by a newer version of Waybill" : "The ledger is damaged",
    isNewer,
  );
}

export interface Added {
  /** There was no ledger before. */
  readonly isNew: boolean;
  /** Where a damaged ledger was moved to. */
  readonly movedTo?: string | undefined;
}

/** Adds counts to those of the file. When it has returned, they are on the disk. */
export async function addToLedger(path: string, rows: readonly LedgerRow[], waitMs: number): Promise<Added> {
  await makeFolders(dirname(path), 0o700);
  return withFileLock(`${path}.lock`, () => addHeld(path, rows), waitMs);
}

async function addHeld(path: string, rows: readonly LedgerRow[]): Promise<Added> {
  let movedTo: string | undefined;
  const before = await readKept(path).catch(async (error: unknown) => {
    if (!(error instanceof UnreadableLedger) || error.isNewer) throw error;
    movedTo = `${path}.damaged`;
    await rename(path, movedTo);
    return undefined;
  });
  const text = JSON.stringify({ version: 1, rows: withinLimits([...(before ?? []), ...rows]) });
  // One name for all writers: what a killed one left behind is written over by the next.
  const next = `${path}.next`;
  try {
    const file = await open(next, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  return { isNew: before === undefined && movedTo === undefined, movedTo };
}

/** One row for each day and server, in the order of days; what is beyond the limits is summed up or left out. */
export function withinLimits(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  const days = new Map<string, Map<string, LedgerRow>>();
  for (const row of rows) {
    const ofDay = days.get(row.day) ?? new Map<string, LedgerRow>();
    days.set(row.day, ofDay);
    const name = row.server.slice(0, MAX_NAME);
    const hasRoom = ofDay.has(name) || ofDay.size < MAX_SERVERS - 1;
    const server = hasRoom ? name : OTHER_SERVERS;
    const known = ofDay.get(server);
    ofDay.set(server, known === undefined ? { ...row, server } : sumOf(known, row));
  }
  const newestFirst = [...days].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, MAX_DAYS);
  let room = MAX_ROWS;
  const kept = newestFirst.filter(([, { size }]) => (room -= size) >= 0);
  return kept.reverse().flatMap(([, ofDay]) => [...ofDay.values()]);
}

/** The counts of both; day and server are those of the first. */
export function sumOf(one: LedgerRow, other: LedgerRow): LedgerRow {
  return {
    ...one,
    calls: one.calls + other.calls,
    tokens_in: one.tokens_in + other.tokens_in,
    tokens_out: one.tokens_out + other.tokens_out,
    is_estimated: one.is_estimated || other.is_estimated,
    cuts: one.cuts + other.cuts,
    retrievals: one.retrievals + other.retrievals,
    errors_repaired: one.errors_repaired + other.errors_repaired,
  };
}
