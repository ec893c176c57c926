import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { connectClient } from "./attach-clients.fixture.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

const everything = published.find(({ server }) => server === "server-everything");

describe("server-everything behind the gateway", () => {
  it("gives a client that drops links their addresses as text, and a program the server's own blocks", async ({
    onTestFinished,
  }) => {
    const folder = makeFolder(onTestFinished);
    const linksFor = async (reader: string): Promise<readonly { type: string; text?: string }[]> => {
      const command = [process.execPath, ...(everything?.nodeArgs(folder) ?? [])];
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [...gatewayArgs(["--store", "memory", "--reader", reader], command)],
        stderr: "ignore",
      });
      const client = await connectClient("2.4.0", transport);
      onTestFinished(() => client.close());
      const { content } = await client.call("get-resource-links", { count: 2 });
      return content as unknown as readonly { type: string; text?: string }[];
    };
    const [dropped, own] = await Promise.all([linksFor("opencode"), linksFor("program")]);
    expect(own.filter(({ type }) => type === "resource_link")).toHaveLength(2);
    expect(dropped.map(({ type }) => type)).toEqual(["text", "text", "text"]);
    expect(dropped.slice(1).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[link: .*demo:\/\//),
      expect.stringMatching(/^\[link: .*demo:\/\//),
    ]);
  });
});
