import { randomBytes } from "node:crypto";
import { ContractError } from "../../contract/contract-error.ts";
import { ArchiveError, type ArchiveStore } from "../../stores/archive-store.ts";
import type { OpenStoreOptions } from "../../stores/open-store.ts";
import { isMemory, openNamedStore } from "../archive/named-store.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import type { Check } from "./check.ts";
import { describeSize } from "./describe-size.ts";

const PROBE_TENANT = "waybill:doctor";

/** Whether the store takes, gives back and forgets; how lasting it is, and how full. */
export async function checkStore(spec: string | undefined, io: CliIo): Promise<readonly Check[]> {
  if (spec === undefined || isMemory(spec)) return [inMemory(spec)];
  try {
    const found = await withOpen(spec, io, probeLimits(spec), probe);
    return [found, ...(await withOpen(spec, io, {}, describeSize))];
  } catch (error) {
    return [toProblem(error)];
  }
}

function inMemory(spec: string | undefined): Check {
  const named =
    spec === undefined ? "no store is named, so a server keeps cut results in memory" : "in memory";
  return {
    id: "store",
    status: "note",
    says: `${named}: they end with its process`,
    advice: "Set `store` to a directory, or to redis://… for several processes, or give --store.",
  };
}

/**
 * A directory sweeps after a put by the limits it was opened with; these remove nothing that a server still wants.
 * In Redis the probe has a life of its own, and should end soon if this process does not get to remove it.
 */
function probeLimits(spec: string): OpenStoreOptions {
  const isRedis = /^\s*(redis|valkey)s?:/i.test(spec);
  return isRedis ? { ttlMs: 60_000 } : { ttlMs: 36_525 * 86_400_000, maxBytes: Number.MAX_SAFE_INTEGER };
}

async function withOpen<Result>(
  spec: string,
  io: CliIo,
  limits: OpenStoreOptions,
  use: (store: ArchiveStore) => Promise<Result>,
): Promise<Result> {
  const store = await openNamedStore(spec, io, limits);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function probe(store: ArchiveStore): Promise<Check> {
  const content = `waybill doctor ${randomBytes(16).toString("hex")}`;
  const { entry } = await store.put(PROBE_TENANT, [content], { contentType: "text/plain" });
  const read = await store.get(PROBE_TENANT, entry.hash);
  const isForgotten = await store.delete(PROBE_TENANT, entry.hash);
  const isSame = read !== undefined && Buffer.from(read.bytes).toString() === content;
  const says = `${store.kind} at ${store.location}`;
  const details = { kind: store.kind, location: store.location };
  if (isSame && isForgotten) {
    return { id: "store", status: "ok", says: `${says}: writes, reads and deletes`, details };
  }
  const wrong = isSame ? "could not delete a probe" : "did not give a probe back";
  const advice = "Check that nothing else writes or evicts there.";
  return { id: "store", status: "problem", says: `${says} ${wrong}`, advice, details };
}

function toProblem(error: unknown): Check {
  const isKnown =
    ArchiveError.isInstance(error) || ContractError.isInstance(error) || error instanceof CliError;
  if (!isKnown) throw error;
  const advice =
    "Mend it, or name another. Until then results are cut all the same, and what is cut is lost (ARCHIVE_WRITE_FAILED).";
  return { id: "store", status: "problem", says: error.message, advice };
}
