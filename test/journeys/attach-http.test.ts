import { StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as Http118 } from "mcp-sdk-1-18/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { someOf } from "../arbitrary/law-runs.ts";
import { type AnyClient, type Era, connectClient } from "./attach-clients.fixture.ts";
import { type ServerKind, serverKinds } from "./attach-example.fixture.ts";
import { envelopeOf, expectedAnswers, readAnswers } from "./attach-expectations.fixture.ts";
import { type ExampleHttp, serveExample } from "./attach-http-server.fixture.ts";

const transports = { "2.4.0": Http24, "1.32.2": Http132, "1.25.3": Http125, "1.18.2": Http118 };

function connect(kind: ServerKind, { url }: ExampleHttp, era: Era): Promise<AnyClient> {
  return connectClient(kind, new transports[kind](url), era);
}

const clients: readonly { client: ServerKind; era: Era }[] = [
  { client: "2.4.0", era: "modern" },
  ...serverKinds.map((client) => ({ client, era: "legacy" as const })),
];

describe.each(someOf(serverKinds, 2))("attachContract on an SDK %s server over HTTP", (kind) => {
  let server: ExampleHttp;
  beforeAll(async () => {
    server = await serveExample(kind);
  });
  afterAll(() => server.close());

  const served = clients.filter(({ era }) => kind === "2.4.0" || era === "legacy");

  it.each(served)(
    "envelopes every result for an SDK $client client, $era",
    async ({ client: version, era }) => {
      const client = await connect(version, server, era);
      expect(await readAnswers(client)).toEqual(expectedAnswers);
      await client.close();
    },
  );

  it.each(served)("passes progress on to an SDK $client client, $era", async ({ client: version, era }) => {
    const client = await connect(version, server, era);
    const seen: number[] = [];
    const result = await client.call("slow", {}, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1]);
    expect(envelopeOf(result)).toMatchObject({ success: true, data: { result: "Done" } });
    await client.close();
  });
});
