import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type UpstreamOptions, createGateway } from "../../src/doors/gateway/index.ts";
import { makeFolder, published } from "./published-servers.fixture.ts";

const memory = published.find(({ server }) => server === "server-memory");

/** A client of the memory server as it is on npm, behind a gateway with these options. */
async function open(name: string, more: Partial<UpstreamOptions>) {
  const folder = makeFolder();
  const upstream = {
    command: process.execPath,
    args: memory?.nodeArgs(folder) ?? [],
    env: memory?.env?.(folder) ?? {},
    ...more,
  } as UpstreamOptions;
  const gateway = createGateway({
    upstreams: { memory: upstream },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  onTestFinished(() => gateway.close());
  const { urls } = await gateway.listen();
  const client = new Client({ name, version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(urls["memory"] ?? "")));
  onTestFinished(() => client.close());
  return client;
}

describe("a server's tools by other names, in fewer words", () => {
  test("are listed, called and refused as the operator says", async () => {
    const client = await open("some-agent", {
      allowTools: ["*_entities", "read_graph"],
      hide: ["delete_*"],
      renameTools: { "*_entities": "memory_*", read_graph: "recall" },
      describeTools: { read_graph: "Gives all that is remembered." },
      lean: true,
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["memory_create", "recall", "waybill_retrieve"]);
    expect(tools[1]?.description).toBe("Gives all that is remembered.");
    expect(JSON.stringify(tools)).not.toContain("$schema");
    const entities = [{ name: "Ada", entityType: "person", observations: ["likes tea"] }];
    await client.callTool({ name: "memory_create", arguments: { entities } });
    const recalled = await client.callTool({ name: "recall", arguments: {} });
    expect(recalled.structuredContent).toMatchObject({ entities });
    // In the words in which this server refuses a tool that it does not have.
    for (const name of ["create_entities", "delete_entities", "memory_delete", "search_nodes"]) {
      const refused = await client.callTool({ name, arguments: { entities } });
      expect(refused.isError).toBe(true);
      expect(JSON.stringify(refused.content)).toContain(`Tool not found: ${name}`);
    }
  });

  test("come without output schemas to a client that shows its model none, and weigh less", async () => {
    const tokens = async (name: string, more: Partial<UpstreamOptions>) => {
      const { tools } = await (await open(name, more)).listTools();
      return {
        tokens: countTokens(JSON.stringify(tools)),
        typed: tools.filter((tool) => tool.outputSchema).length,
      };
    };
    const whole = await tokens("opencode", {});
    const lean = await tokens("opencode", { lean: true });
    expect([whole.typed, lean.typed]).toEqual([9, 0]);
    expect(lean.tokens).toBeLessThan(whole.tokens / 2);
  });
});
