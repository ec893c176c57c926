import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { type AnyClient, type Era, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import { type ServerKind, exampleServer, serverKinds } from "./attach-example.fixture.ts";
import { envelopeOf, expectedAnswers, readAnswers } from "./attach-expectations.fixture.ts";

async function connect(server: ServerKind, client: ServerKind, era: Era = "legacy"): Promise<AnyClient> {
  const [near, far] = memoryPair();
  const attached = attachContract(exampleServer(server), {
    name: "example",
    logLevel: "silent",
    dialect: "response-v2",
  });
  if (era === "modern") serveStdio(() => attached as unknown as McpServer, { transport: far as never });
  else await attached.connect(far as never);
  return connectClient(client, near, era);
}

const pairs = serverKinds.flatMap((server) => serverKinds.map((client) => ({ server, client })));
const eras = [
  ...serverKinds.map((server) => ({ server, era: "legacy" as const })),
  { server: "2.4.0" as const, era: "modern" as const },
];

describe.each(pairs)("attachContract on a server of SDK $server", ({ server, client: clientKind }) => {
  it(`gives a client of SDK ${clientKind} an envelope for every result, and schemas it accepts`, async () => {
    const client = await connect(server, clientKind);
    expect(await readAnswers(client)).toEqual(expectedAnswers);
    await client.close();
  });
});

describe("attachContract in the modern era", () => {
  it("gives an envelope for every result, and names the type of each", async () => {
    const client = await connect("2.4.0", "2.4.0", "modern");
    expect(await readAnswers(client)).toEqual(expectedAnswers);
    await client.close();
  });
});

describe.each(eras)("attachContract on SDK $server, $era", ({ server, era }) => {
  it("makes an envelope of arguments that the SDK refuses", async () => {
    const client = await connect(server, server, era);
    await client.listTools();
    const envelope = envelopeOf(await client.call("add", { a: "two" }));
    expect(envelope).toMatchObject({
      success: false,
      data: { error_code: "VALIDATION_ERROR", error_type: "validation" },
    });
    expect(envelope["error"]).toContain("Invalid arguments for tool add");
    await client.close();
  });

  it("passes progress on, keeps the tool's own _meta, and adds the call's notes", async () => {
    const client = await connect(server, server, era);
    const seen: number[] = [];
    const meta = { "waybill/request_id": "req_from_client" };
    const result = await client.call("slow", {}, { meta, onprogress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1]);
    expect(result["_meta"]).toMatchObject({
      "com.example/took": 20,
      "waybill/contract": { dialect: "response-v2", profile: "standard" },
      "waybill/notes": { request_id: "req_from_client", telemetry: { duration_ms: expect.any(Number) } },
    });
    expect(envelopeOf(result)["meta"]).toMatchObject({ request_id: "req_from_client" });
    await client.close();
  });

  it("gives concurrent calls each their own fault and request id", async () => {
    const client = await connect(server, server, era);
    const ids = Array.from({ length: 20 }, (_, at) => `req_${at}`);
    const results = await Promise.all(
      ids.map((id, at) =>
        client.call(at % 2 === 0 ? "missing" : "boom", {}, { meta: { "waybill/request_id": id } }),
      ),
    );
    const seen = results.map((result) => envelopeOf(result) as { data: object; meta: object });
    expect(seen.map(({ meta }) => meta)).toMatchObject(ids.map((id) => ({ request_id: id })));
    expect(seen.map(({ data }) => data)).toMatchObject(
      ids.map((_, at) => ({ error_code: at % 2 === 0 ? "TASK_NOT_FOUND" : "OPERATION_FAILED" })),
    );
    await client.close();
  });
});

describe("an unknown tool under attachContract", () => {
  it.each([
    { server: "2.4.0", era: "legacy" },
    { server: "2.4.0", era: "modern" },
    { server: "1.18.2", era: "legacy" },
  ] as const)("stays the JSON-RPC error that SDK $server gives, $era", async ({ server, era }) => {
    const client = await connect(server, server, era);
    await expect(client.call("nope")).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it.each(["1.32.2", "1.25.3"] as const)(
    "is a NOT_FOUND envelope where SDK %s gives a result",
    async (server) => {
      const client = await connect(server, server);
      expect(envelopeOf(await client.call("nope"))).toMatchObject({
        success: false,
        error: "Tool not found: nope",
        data: { error_code: "NOT_FOUND", error_type: "not_found" },
      });
      await client.close();
    },
  );
});
