// Calls of the server whose results no budget holds (replica-upstream.fixture.ts) through a gateway with a store, each judged.
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { recordsOf } from "./replica-records.fixture.ts";

export interface Envelope {
  readonly success: boolean;
  readonly data: { readonly records?: readonly object[] };
  readonly meta: {
    readonly content_archive_hashes?: Readonly<Record<string, string>>;
    readonly pagination?: { readonly cursor: string | null };
  };
}

export const envelopeOf = ({ structuredContent }: JsonObject): Envelope =>
  structuredContent as unknown as Envelope;

/** The hash that a cut announces; undefined where its whole could not be kept. */
function announced({ meta }: Envelope): string | undefined {
  const [hash] = Object.values(meta.content_archive_hashes ?? {});
  return hash?.replace("sha256:", "");
}

const wholeOf = (seed: string): string => JSON.stringify({ records: recordsOf(seed) });
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** One call, judged: cut, and either kept under the right hash or honestly not kept. */
export async function cut(client: AnyClient, seed: string): Promise<string | undefined> {
  const envelope = envelopeOf(await client.call("records", { seed }));
  expect(envelope.success).toBe(true);
  expect(envelope.data.records?.length).toBeLessThan(recordsOf(seed).length);
  const hash = announced(envelope);
  // The profile `minimal` shows this warning by its words.
  const isLost = JSON.stringify(envelope.meta).includes("The omitted content could not be stored");
  expect(hash).toBe(isLost ? undefined : sha256(wholeOf(seed)));
  return hash;
}

/** Reads what a call announced, and compares it with what its server answered. */
export async function readWhole(client: AnyClient, hash: string, seed: string): Promise<void> {
  const { contents } = (await client.readResource(`waybill://archive/${hash}`)) as unknown as {
    readonly contents: readonly { readonly text: string }[];
  };
  expect(sha256(contents[0]?.text ?? "")).toBe(sha256(wholeOf(seed)));
}
