import { describe, expect, it } from "vitest";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { bridgeTo } from "./bridge/bridge.fixture.ts";
import { serveRaw } from "../../engine/transport/http/raw-http-server.fixture.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { ask, later, serveProxy } from "./reverse-proxy/proxy-http.fixture.ts";

const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const DEPTH = 200_000;

/** What leaves for an answer of the server, as text. */
async function answerFor(said: string, contract: ContractOptions = {}, largeBytes?: number): Promise<string> {
  const { client, bridge } = bridgeTo(
    ({ id, method }) => {
      if (method === "tools/list")
        return { jsonrpc: "2.0", id: id ?? null, result: { tools: [{ name: "any" }] } };
      return method === "tools/call" ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${said}}` : undefined;
    },
    { dialect: "auto", validate: "never", ...contract },
    { largeBytes },
  );
  client.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"any"}}');
  await until(() => client.heardRaw.length > 0);
  bridge.close();
  return client.heardRaw[0] ?? "";
}

const named = /TOO_LARGE.*nested deeper than 1000 levels/s;

describe("an answer that is nested 200,000 deep", () => {
  it.each([
    ["as structure", `"result":{"content":[],"structuredContent":{"x":${lists(DEPTH)}}}`],
    ["in a failure", `"result":{"content":[],"isError":true,"structuredContent":{"x":${lists(DEPTH)}}}`],
    ["in an error of the protocol", `"error":{"code":-32000,"message":"no","data":{"x":${lists(DEPTH)}}}`],
    ["beside its words", `"result":{"content":[{"type":"text","text":"hi"}],"_meta":{"x":${lists(DEPTH)}}}`],
    ["as a block", `"result":{"content":[${lists(DEPTH)}]}`],
    ["in a request for input", `"result":{"resultType":"input_required","x":${lists(DEPTH)}}`],
  ])("is a failure that names the limit, %s, here and in another thread", async (_, said) => {
    expect(await answerFor(said)).toMatch(named);
    expect(await answerFor(said, {}, 1)).toMatch(named);
  });

  it("does not pass a filter as text that cannot be read", async () => {
    const text = JSON.stringify(`{"secret":"s3","x":${lists(1_500)}}`);
    const said = `"result":{"content":[{"type":"text","text":${text}}]}`;
    const filtered = await answerFor(said, { toolSettings: { any: { exclude: ["secret"] } } });
    expect(filtered).toMatch(named);
    expect(filtered).not.toContain("s3");
  });

  const inText = (text: string): string =>
    `"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;

  it.each<[string, ContractOptions]>([
    ["a filter", { toolSettings: { any: { exclude: ["secret"] } } }],
    ["a mask", { redact: { successes: true } }],
  ])(
    "is a failure as JSON in text that %s has to look into, here and in another thread",
    async (_, contract) => {
      expect(await answerFor(inText(lists(DEPTH)), contract)).toMatch(named);
      expect(await answerFor(inText(lists(DEPTH)), contract, 1)).toMatch(named);
    },
  );

  it.each<[string, string, ContractOptions]>([
    ["JSON that need not be looked into", lists(DEPTH), {}],
    ["no JSON", "[".repeat(1_501) + " not json ".repeat(1_000), {}],
    [
      "no JSON, also under a filter",
      "[".repeat(1_501) + " not json ".repeat(1_000),
      { toolSettings: { any: { exclude: ["secret"] } } },
    ],
  ])("is cut as any other text where it is %s, here and in another thread", async (_, text, contract) => {
    for (const largeBytes of [undefined, 1]) {
      const heard = await answerFor(inText(text), { ...contract, budget: { tokens: 500 } }, largeBytes);
      expect(heard).not.toContain("TOO_LARGE");
      expect(heard).toMatch(/\d characters; the rest: /);
      expect(heard).toContain("[".repeat(100));
    }
  });

  it.each([undefined, 1])(
    "leaves with one id where it came with two and is deep beside them",
    async (largeBytes) => {
      const result = '{"content":[],"structuredContent":{"n":1.0}}';
      const said = await answerFor(`"result":${result},"id":9999,"y":${lists(DEPTH)}`, {}, largeBytes);
      expect(said).toBe(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
    },
  );

  it("passes where it is 900 deep", async () => {
    const said = `"result":{"content":[],"structuredContent":{"x":${lists(900)}}}`;
    expect(await answerFor(said)).toContain(said);
  });
});

const deepLists = [
  [
    "in the schema of arguments",
    `{"tools":[{"name":"a","inputSchema":{"type":"object","x":${lists(DEPTH)}}}]}`,
  ],
  [
    "in the schema of results",
    `{"tools":[{"name":"a","outputSchema":{"type":"object","x":${lists(DEPTH)}}}]}`,
  ],
  ["beside the tools", `{"tools":[],"x":${lists(DEPTH)}}`],
] as const;
const refused = /"code":-32603,"message":"[^"]* nested deeper than 1000 levels.*"TOO_LARGE"/;

describe("a list that is nested 200,000 deep", () => {
  it.each(deepLists)("is an error that names the limit, %s, and the next one is heard", async (_, result) => {
    const { client, bridge } = bridgeTo(({ id, params }) => {
      const said = params === undefined ? result : '{"tools":[]}';
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${said}}`;
    });
    client.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    client.send('{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}');
    await until(() => client.heardRaw.length > 1);
    expect(client.heardRaw[0]).toMatch(refused);
    expect(client.heardRaw[1]).toContain('"result"');
    bridge.close();
  });

  it.each(deepLists)("is the same from a server behind a URL, %s", async (_, result) => {
    const server = await serveRaw(({ json }, response) => {
      const { id } = json as { id: unknown };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
    });
    later(server.close);
    const { url } = await serveProxy({ url: server.url });
    const asked = ask(url, { body: { id: 1, method: "tools/list" } });
    await until(() => asked.heard() !== "");
    expect(asked.heard()).toMatch(refused);
    asked.leave();
  });

  it("is no hindrance to a call that comes before any list", async () => {
    const { client, bridge } = bridgeTo(({ id, method }) => {
      const result =
        method === "tools/list" ? deepLists[0][1] : '{"content":[{"type":"text","text":"fine"}]}';
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
    });
    client.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}');
    await until(() => client.heardRaw.length > 0);
    expect(client.heardRaw[0]).toContain("fine");
    bridge.close();
  });
});
