import { fileURLToPath } from "node:url";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import type { DigestPayload } from "../../src/core/contract/digest-payload.ts";
import { verifyDigest } from "../../src/engine/digest/verify-digest.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { digestContract, digestServer, report } from "./digest-server.fixture.ts";

const stdioEntry = fileURLToPath(new URL("digest-stdio.fixture.ts", import.meta.url));

const transports = {
  memory: async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await digestServer(digestContract()).connect(far);
    return near;
  },
  stdio: async () =>
    new StdioClientTransport({
      command: process.execPath,
      args: ["--import", "tsx", stdioEntry],
      stderr: "ignore",
    }),
} as const;

async function connect(name: keyof typeof transports): Promise<Client> {
  const client = new Client({ name: "reader", version: "1.0.0" });
  await client.connect(await transports[name]());
  onTestFinished(() => client.close());
  return client;
}

async function dataOf(client: Client, name: string, args: JsonObject) {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return (structuredContent as { readonly data: JsonObject }).data;
}

/** What of a text `waybill_retrieve` gives for a locator, as a model would ask for it. */
async function quoteAt(client: Client, hash: string, locator: string): Promise<unknown> {
  const data = await dataOf(client, "waybill_retrieve", { archive: hash, pointer: locator });
  const [item] = data["items"] as readonly JsonObject[];
  return item?.["value"];
}

async function readText(client: Client, hash: string): Promise<string> {
  const uri = `waybill://archive/${hash.slice("sha256:".length)}`;
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  return first !== undefined && "text" in first ? first.text : "";
}

describe.each(someOf(["memory", "stdio"] as const, 1))("a long report, over %s", (transport) => {
  it("comes as a digest whose quotes are found in the archived text, and whole when it is asked for", async () => {
    const client = await connect(transport);
    const data = await dataOf(client, "report", { question: "Who built the harbour of town 233?" });
    const { digest, pointer } = data["omitted"] as unknown as { digest: DigestPayload; pointer: string };
    expect(pointer).toBe("/body");
    const text = await readText(client, digest.source_text_hash);
    const verdict = await verifyDigest(digest, text);
    expect(verdict).toMatchObject({ valid: true, form: "as_given" });
    expect(verdict.quotes.total).toBeGreaterThan(0);
    for (const snippet of digest.evidence_snippets)
      expect(await quoteAt(client, digest.source_text_hash, snippet.locator)).toBe(snippet.text);
    const reader = contractClient(client);
    const whole = await reader.complete(await reader.call("report"));
    expect(whole.data).toEqual({ title: "Harbours", body: report });
  });

  it.runIf(isFullRun)("is digested by the tool for it, and can be checked and fetched", async () => {
    const client = await connect(transport);
    const data = await dataOf(client, "digest", { source_id: "r", query: "town 233" });
    const digest = data["digest"] as unknown as DigestPayload;
    expect(data["source"]).toMatchObject({ title: "Harbours", type: "text" });
    const verdict = await verifyDigest(digest, await readText(client, digest.source_text_hash));
    expect(verdict).toMatchObject({ valid: true, form: "as_given" });
    expect(await verifyDigest(digest, report)).toMatchObject({ valid: true, form: "canonical" });
  });
});
