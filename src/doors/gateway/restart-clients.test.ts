import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "mcp-sdk-1-32/client/index.js";
import { describe, expect, it } from "vitest";
import { createState } from "../../engine/call/contract-state.ts";
import { openBridge } from "./bridge/bridge.ts";
import { type LinkEnd, linkPair } from "../../engine/transport/link-pair.fixture.ts";
import { childUpstream } from "./upstream/child-upstream.ts";
import { scriptedServer } from "../../engine/transport/scripted-server.fixture.ts";

/** A transport of the SDKs over one end of a pair. */
function transportOver(end: LinkEnd) {
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    start: async () =>
      end.listen({
        message: (bytes) => transport.onmessage?.(JSON.parse(bytes.toString())),
        oversized: () => undefined,
        closed: () => transport.onclose?.(),
      }),
    send: async (message: unknown) => end.send(JSON.stringify(message)),
    close: async () => end.close(),
  };
  return transport;
}

interface SdkClient {
  connect(transport: never): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<unknown>;
}

describe.each([
  ["v1", () => new ClientV1({ name: "test", version: "1" }) as unknown as SdkClient],
  ["v2", () => new ClientV2({ name: "test", version: "1" }) as unknown as SdkClient],
])("an SDK client %s", (_, makeClient) => {
  it("goes on through the death of its server, and is told of it", async () => {
    const upstream = childUpstream("scripted", scriptedServer, { note: () => undefined, firstPauseMs: 5 });
    const [front, back] = linkPair();
    const bridge = openBridge({
      state: createState({ logLevel: "silent", dialect: "auto", profile: "minimal" }),
      client: back,
      upstream: upstream.connect({ principal: "local" }),
    });
    const client = makeClient();
    const call = async (name: string) => JSON.stringify(await client.callTool({ name, arguments: {} }));
    try {
      await client.connect(transportOver(front) as never);
      const { tools } = await client.listTools();
      expect(tools.at(-1)?.name).toBe("waybill_retrieve");
      const before = await call("pid");
      const [lost, crashed] = await Promise.all([call("hang"), call("crash")]);
      for (const answer of [lost, crashed]) expect(answer).toContain("UNAVAILABLE");
      let after = await call("pid");
      while (after.includes("UNAVAILABLE")) after = await call("pid");
      expect(after).toContain("UPSTREAM_RESTARTED");
      expect(await call("pid")).not.toBe(before);
    } finally {
      bridge.close();
      await upstream.close();
    }
  });
});
