import { createHash } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { later } from "../../src/doors/gateway/reverse-proxy/proxy-http.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type EverythingServer, serveEverything } from "./everything-over-http.fixture.ts";
import { type Way, throughGateway, ways } from "./gateway-http-upstream.fixture.ts";

/** A client that can all that a server may ask of it, and that takes down what it was asked. */
async function connect(transport: object) {
  const capabilities = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };
  const client = new Client({ name: "journey", version: "1.0.0" }, { capabilities });
  const asked: string[] = [];
  const told: string[] = [];
  client.setRequestHandler("sampling/createMessage", () => {
    asked.push("sampling");
    return { model: "m", role: "assistant", content: { type: "text", text: "So it is written." } };
  });
  client.setRequestHandler("elicitation/create", () => {
    asked.push("elicitation");
    return { action: "decline" };
  });
  client.setRequestHandler("roots/list", () => {
    asked.push("roots");
    return { roots: [{ uri: "file:///work", name: "work" }] };
  });
  client.setNotificationHandler("notifications/resources/updated", () => void told.push("updated"));
  await client.connect(transport as never);
  return { client, asked, told };
}

type Connected = Awaited<ReturnType<typeof connect>>;

function textOf(result: unknown): string {
  const { content } = result as { content: readonly { type: string; text?: string }[] };
  return content.map(({ text = "" }) => text).join("\n");
}

/** Everything that is the same with and without the gateway. */
async function record({ client, asked, told }: Connected): Promise<Record<string, unknown>> {
  const progress: number[] = [];
  const { tools } = await client.listTools();
  const long = await client.callTool(
    { name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 2 } },
    { onprogress: (each) => progress.push(each.progress) },
  );
  const [resource] = (await client.listResources()).resources;
  const uri = resource?.uri ?? "";
  await client.subscribeResource({ uri });
  await client.setLoggingLevel("debug");
  return {
    tools: tools.map(({ name }) => name).filter((name) => name !== "waybill_retrieve"),
    prompts: await client.listPrompts(),
    prompt: await client.getPrompt({ name: "simple-prompt" }),
    resources: await client.listResources(),
    resource: await client.readResource({ uri }),
    echo: textOf(await client.callTool({ name: "echo", arguments: { message: "hello" } })),
    image: createHash("sha256")
      .update(JSON.stringify(await client.callTool({ name: "get-tiny-image" })))
      .digest("hex"),
    sampled: textOf(
      await client.callTool({ name: "trigger-sampling-request", arguments: { prompt: "p" } }),
    ).includes("So it is written."),
    elicited: textOf(await client.callTool({ name: "trigger-elicitation-request" })).includes("declined"),
    roots: textOf(await client.callTool({ name: "get-roots-list" })).includes("file:///work"),
    long: textOf(long),
    progress,
    // How often it asks for roots depends on how fast the client is: once at its own time, once when a tool needs them.
    asked: [...new Set(asked)].toSorted(),
    told,
  };
}

describe.runIf(isFullRun)("server-everything over HTTP", () => {
  let server: EverythingServer;
  let direct: Record<string, unknown>;
  beforeAll(async () => {
    server = await serveEverything();
    const connected = await connect(new StreamableHTTPClientTransport(new URL(server.url)));
    direct = await record(connected);
    await connected.client.close();
  }, 60_000);
  afterAll(() => server.close());

  it.each(ways)("gives a client %s all that it gives a direct one", { timeout: 60_000 }, async (way: Way) => {
    const contract = { dialect: "auto", budget: { tokens: 8_000 } } as const;
    const connected = await connect(await throughGateway(server.url, way, "2.4.0", contract));
    later(() => connected.client.close());
    const behind = await record(connected);
    expect(behind).toEqual(direct);
    expect(behind["tools"]).toContain("simulate-research-query");
    expect(behind["asked"]).toContain("sampling");
  });

  it.each(ways)(
    "cuts what is too large for a client %s, and gives it back",
    { timeout: 60_000 },
    async (way: Way) => {
      const contract = { dialect: "response-v2", budget: { tokens: 300 } } as const;
      const { client } = await connect(await throughGateway(server.url, way, "2.4.0", contract));
      later(() => client.close());
      const message = "So it is written. ".repeat(500);
      const { structuredContent: cut } = await client.callTool({ name: "echo", arguments: { message } });
      const { meta } = cut as { meta: { content_archive_hashes: Record<string, string> } };
      const [archive = ""] = Object.values(meta.content_archive_hashes);
      const uri = `waybill://archive/${archive}`;
      const { contents } = await client.readResource({ uri });
      expect(JSON.parse((contents[0] as { text: string }).text)).toBe(`Echo: ${message}`);
    },
  );
});
