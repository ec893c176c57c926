import { describe, expect, it } from "vitest";
import { contractClient } from "../client/contract-client.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

const noise = (length: number): string =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 2_654_435_761) >>> 24)).toString("base64");
const files: Readonly<Record<string, JsonObject>> = {
  small: { type: "image", data: noise(60), mimeType: "image/png" },
  large: { type: "image", data: noise(90_000), mimeType: "image/png" },
  sound: { type: "audio", data: noise(90_000), mimeType: "audio/wav" },
  bytes: { type: "resource", resource: { uri: "file:///a.bin", blob: noise(90_000) } },
};
const outputSchema = {
  type: "object",
  properties: { content: { type: "array", items: { type: "object" } } },
  required: ["content"],
  additionalProperties: false,
};

/** Repeats its content as structure, as server-filesystem does. */
const serve: Serve = ({ id, method, params }) => {
  if (id === undefined) return undefined;
  const tools = Object.keys(files).map((name) => ({ name, inputSchema: { type: "object" }, outputSchema }));
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools } };
  const content = [files[(params as { readonly name: string }).name] ?? {}];
  return { jsonrpc: "2.0", id, result: { content, structuredContent: { content } } };
};

describe.each(["auto", "response-v2"] as const)(
  "a file of a server that sends it twice, in %s",
  (dialect) => {
    it.each([
      ["on this thread", Number.POSITIVE_INFINITY],
      ["in another thread", 1],
    ])("comes whole in its block, and is named in the structure, %s", async (_, largeBytes) => {
      const { bridge, client } = bridgeTo(serve, { dialect, profile: "minimal" }, { largeBytes });
      let count = 0;
      const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
        const id = ++count;
        client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
        await until(() => client.heard.some((message) => (message as JsonObject)["id"] === id));
        const heard = client.heard.find((message) => (message as JsonObject)["id"] === id);
        return (heard as { readonly result: JsonObject }).result;
      };
      const results: JsonObject[] = [];
      const tools = contractClient(async ({ name, arguments: args = {} }) => {
        results.push(await ask("tools/call", { name, arguments: args }));
        return results.at(-1) ?? {};
      });
      await ask("tools/list");
      for (const [name, file] of Object.entries(files)) {
        const answer = await tools.call(name);
        expect(answer).toMatchObject({ fidelity: "full", warnings: [], archives: {}, blocks: [file] });
        // Whatever its size, a program gets what the tool returned.
        expect(answer.data).toEqual({ content: [file] });
        const sent = results.at(-1) ?? {};
        expect(sent["content"]).toContainEqual(file);
        const structure = JSON.stringify(sent["structuredContent"]);
        // A small one has room for both, and leaves as it came.
        const isNamed = /\[\w+ 1 of this result: ([\w/]+, )?90,000 bytes\]/.test(structure);
        expect(isNamed).toBe(name !== "small");
        expect(structure.length).toBeLessThan(600);
      }
      bridge.close();
    });
  },
);
