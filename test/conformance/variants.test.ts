import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { type Variant, buildServer } from "./build-server.ts";

async function connect(variant: Variant): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "variants", version: "1.0.0" });
  await Promise.all([buildServer(variant, () => undefined).connect(far), client.connect(near)]);
  return client;
}

describe("the fixture server", () => {
  it.each(["waybill", "attached"] as const)(
    "of the %s variant really answers in envelopes",
    async (variant) => {
      const client = await connect(variant);
      // What a tool says of its output is its own: these say nothing, and their results are enveloped all the same.
      const { tools } = await client.listTools();
      expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
      expect(tools.at(-1)?.name).toBe("waybill_retrieve");
      const { structuredContent } = await client.callTool({ name: "test_simple_text" });
      expect(structuredContent).toMatchObject({
        success: true,
        data: { result: "This is a simple text response for testing." },
      });
    },
  );

  it("of the plain variant knows nothing of Waybill", async () => {
    const client = await connect("plain");
    expect(await client.callTool({ name: "test_simple_text" })).toEqual({
      content: [{ type: "text", text: "This is a simple text response for testing." }],
    });
  });

  it("has the same tools, prompts and input schemas in every variant", async () => {
    const inputsOf = async (variant: Variant): Promise<unknown> => {
      const { tools } = await (await connect(variant)).listTools();
      const own = tools.filter(({ name }) => name !== "waybill_retrieve");
      return own.map(({ name, inputSchema }) => ({ name, inputSchema }));
    };
    const plain = await inputsOf("plain");
    expect(await inputsOf("waybill")).toEqual(plain);
    expect(await inputsOf("attached")).toEqual(plain);
  });
});
