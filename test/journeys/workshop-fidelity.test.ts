import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json/json-value.ts";
import { type JourneyClient, clientKinds } from "./clients/connect-client.ts";
import { Connections, HttpWorkshops } from "./clients/open-workshop.ts";
import { exampleCalls } from "./clients/seed-examples.ts";

const http = new HttpWorkshops();
afterAll(() => http.stop());

interface Envelope {
  readonly data: JsonObject & { readonly items?: readonly { readonly value: JsonValue }[] };
  readonly meta: {
    readonly dropped_content_ids: readonly string[];
    readonly content_archive_hashes: Readonly<Record<string, string>>;
  };
}

async function call(client: JourneyClient, args: JsonObject, contract: JsonObject = {}): Promise<Envelope> {
  const params = { name: "research", arguments: args, _meta: { "waybill/contract": contract } };
  return (await client.call(params))["structuredContent"] as unknown as Envelope;
}

const sha256 = (value: JsonValue): string =>
  `sha256:${createHash("sha256").update(JSON.stringify(value)).digest("hex")}`;

const cuts = ["001-L006-standard-envelope.json", "001-L084-partial-fidelity.json"];
const kind = clientKinds[0];

describe.each(["memory", "http"] as const)("fidelity of the workshop's reports over %s", (transport) => {
  const connections = new Connections(kind, transport, http);
  afterAll(() => connections.close());

  it.each(cuts)("of %s has the hash of the whole report, which comes back verified", async (file) => {
    const client = await connections.to({});
    const example = exampleCalls.find((one) => one.file === file);
    const args = example?.arguments ?? {};
    const cut = await call(client, args, { ...example?.contract });
    const whole = await call(client, args);
    const [[key, hash] = ["", ""]] = Object.entries(cut.meta.content_archive_hashes);
    expect(hash).toBe(sha256(whole.data));
    expect(key).toBe(`findings-${hash.slice("sha256:".length, "sha256:".length + 12)}`);
    const { data } = (
      await client.call({
        name: "waybill_retrieve",
        arguments: { archive: hash, ids: [...cut.meta.dropped_content_ids] },
      })
    )["structuredContent"] as unknown as Envelope;
    expect(data).toMatchObject({ archive: hash, verified: true });
    const kept = cut.data["findings"] as readonly JsonValue[];
    expect([...kept, ...(data.items ?? []).map(({ value }) => value)]).toEqual(whole.data["findings"]);
  });

  it.each(["partial", "summary", "reference_only"])(
    "given by the tool itself as %s passes untouched, with the hash of the whole dossier",
    async (level) => {
      const client = await connections.to({});
      const dossier = { action: "dossier", research_id: "research-001" };
      const { meta } = await call(client, { ...dossier, level });
      const whole = await call(client, { ...dossier, level: "full" });
      expect(meta).toMatchObject({
        content_fidelity: level,
        dropped_content_ids: ["finding-003", "source-015"],
        content_archive_hashes: { "archive-001": sha256(whole.data) },
      });
    },
  );
});
