import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { eachRow } from "../../src/engine/retrieve/each-row.fixture.ts";
import { someOf } from "../arbitrary/law-runs.ts";
import { type Source, isDigest } from "../../src/core/contract/response-error.ts";
import { deserializePayload } from "../../src/engine/digest/payload/serialize-payload.ts";
import { verifyDigest } from "../../src/engine/digest/verify-digest.ts";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";
import { type JourneyClient, clientKinds } from "./clients/connect-client.ts";
import { Connections, HttpWorkshops } from "./clients/open-workshop.ts";
import { exampleCalls } from "./clients/seed-examples.ts";

const http = new HttpWorkshops();
afterAll(() => http.stop());

interface Envelope {
  readonly data: JsonObject & {
    readonly items?: readonly { readonly pointer: string; readonly value: JsonValue }[];
  };
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

describe.each(someOf(["memory", "http"] as const, 1))(
  "fidelity of the workshop's reports over %s",
  (transport) => {
    const connections = new Connections(kind, transport, http);
    afterAll(() => connections.close());

    // shows 001.11, 001.40
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
      const kept = cut.data["findings"] as readonly JsonObject[];
      const back = eachRow(data.items ?? []).map(({ value }) => value as JsonObject);
      // The last one that stayed may have lost its end, and then comes back as well.
      const byId = new Map([...kept, ...back].map((finding) => [finding["id"], finding]));
      expect([...byId.values()]).toEqual(whole.data["findings"]);
    });

    it("of a source that came as a digest is in its quotes, which are in the archived text", async () => {
      const client = await connections.to({});
      const query = "Why are entries kept for seven days?";
      const { data, meta } = await call(client, { action: "sources", research_id: "research-001", query });
      const sources = data["sources"] as unknown as readonly Source[];
      expect(sources.map(({ id, content_type }) => [id, content_type])).toEqual([
        ["source-014", "digest/v1"],
        ["source-015", "digest/v1"],
        ["source-016", "text/plain"],
      ]);
      for (const source of sources.filter(isDigest)) {
        const payload = deserializePayload(source.content);
        expect(Object.values(meta.content_archive_hashes)).toContain(payload.source_text_hash);
        const args = { archive: payload.source_text_hash, pointer: "" };
        const kept = await client.call({ name: "waybill_retrieve", arguments: args });
        const [item] = (kept["structuredContent"] as unknown as Envelope).data.items ?? [];
        const verdict = await verifyDigest(payload, item?.value as string);
        expect(verdict).toMatchObject({ valid: true, form: "as_given" });
        expect(verdict.quotes.total).toBeGreaterThan(0);
      }
    });

    // shows 001.40
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
        expect(Object.keys(meta.content_archive_hashes)).toEqual(["archive-001"]);
        const args = { archive: meta.content_archive_hashes["archive-001"] ?? "", ids: ["finding-003"] };
        const kept = await client.call({ name: "waybill_retrieve", arguments: args });
        expect((kept["structuredContent"] as unknown as Envelope).data.items).toMatchObject([
          { pointer: "/findings/2", value: { id: "finding-003", title: "Third result" } },
        ]);
      },
    );
  },
);
