import { describe, expect, it } from "vitest";
import { createState } from "../../engine/call/contract-state.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { openBridge } from "./bridge/bridge.ts";
import { linkPair } from "../../engine/transport/link-pair.fixture.ts";

const rows = Array.from({ length: 400 }, (_, at) => ({
  id: `row-${at}`,
  note: `the note of row number ${at}`,
}));
const list = { name: "list", description: "Lists", inputSchema: { type: "object" } };

const server: Serve = ({ id, method }) => {
  if (id === undefined) return undefined;
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools: [list] } };
  if (method === "tools/call")
    return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: JSON.stringify({ rows }) }] } };
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
};

/** The client's end of a gateway in front of `server`, and of another one in front of that. */
function open(budgets: readonly number[]) {
  const [inner = 1_000, ...outer] = budgets;
  const first = bridgeTo(server, { name: "inner", dialect: "auto", budget: { tokens: inner } });
  let { client } = first;
  for (const [at, tokens] of outer.entries()) {
    const [front, back] = linkPair();
    const name = `outer-${at}`;
    const state = createState({ logLevel: "silent", name, dialect: "auto", budget: { tokens } });
    openBridge({ state, client: back, upstream: client });
    client = front;
  }
  let count = 0;
  const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    count += 1;
    const id = count;
    client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await until(() => client.heard.some((message) => (message as JsonObject)["id"] === id));
    return client.heard.find((message) => (message as JsonObject)["id"] === id) as JsonObject;
  };
  const call = (name: string, args: JsonObject = {}) => ask("tools/call", { name, arguments: args });
  return { ask, call, close: () => client.close() };
}

/** The text that comes last, which is an envelope or the notes beside a text. */
function textOf({ result }: JsonObject): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.at(-1)?.text ?? "";
}

const hashesIn = (answer: JsonObject): string[] => [
  ...new Set(JSON.stringify(answer).match(/sha256:[0-9a-f]{64}/g)),
];

describe("waybill_retrieve", () => {
  it("without an archive looks into what this connection was told, and into nothing before that", async () => {
    const told = open([1_000]);
    const stranger = open([1_000]);
    await told.call("list");
    const found = await told.call("waybill_retrieve", { ids: ["row-399"] });
    expect(JSON.stringify(found)).toContain("the note of row number 399");
    const refused = await stranger.call("waybill_retrieve", { ids: ["row-399"] });
    expect(refused).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(refused)).toContain("Say which archive");
    // Both are the same local user, so each caller that knows the hash may open it.
    const [hash = ""] = hashesIn(await told.call("list"));
    expect(
      JSON.stringify(await stranger.call("waybill_retrieve", { archive: hash, ids: ["row-5"] })),
    ).toContain("the note of row number 5");
    told.close();
    stranger.close();
  });
});

describe("a gateway behind a gateway", () => {
  it("lists one tool for retrieval, and the outer one asks further for what it does not keep", async () => {
    const { ask, call, close } = open([1_000, 100_000]);
    const { result } = await ask("tools/list");
    const names = ((result as JsonObject)["tools"] as readonly JsonObject[]).map(({ name }) => name);
    expect(names).toEqual(["list", "waybill_retrieve"]);
    const [hash = ""] = hashesIn(await call("list"));
    const page = await call("waybill_retrieve", { archive: hash, ids: ["row-398"] });
    expect(JSON.stringify(page)).toContain("the note of row number 398");
    const whole = await ask("resources/read", { uri: `waybill://archive/${hash.slice("sha256:".length)}` });
    expect(JSON.stringify(whole)).toContain("row number 398");
    const templates = await ask("resources/templates/list");
    expect((templates["result"] as JsonObject)["resourceTemplates"]).toHaveLength(2);
    close();
  });

  it("has a question put to the whole that nothing was cut from, though the outer one cut it again", async () => {
    const { ask, call, close } = open([4_000, 2_000]);
    await ask("tools/list");
    const cut = await call("list");
    const [first = "", second] = hashesIn(cut);
    expect(second).toMatch(/^sha256:/);
    const [, shown = "{}"] = /"or":(\{[^{}]*\})/.exec(textOf(cut)) ?? [];
    const question = JSON.parse(shown) as { readonly archive: string; readonly select: string };
    expect(first).toContain(`sha256:${question.archive}`);
    for (const args of [question, { archive: first, select: "length(rows)" }]) {
      const { data } = JSON.parse(textOf(await call("waybill_retrieve", args))) as JsonObject;
      expect(data).toMatchObject({ archive: first, verified: true, records: 400 });
    }
    const wrong = await call("waybill_retrieve", { archive: first, select: "length(" });
    expect(JSON.stringify(wrong)).toContain("INVALID_FORMAT");
    close();
  });

  it("says that it is not kept where no store keeps it", async () => {
    const { ask, call, close } = open([1_000, 1_000]);
    await ask("tools/list");
    const archive = `sha256:${"0".repeat(64)}`;
    expect(JSON.stringify(await call("waybill_retrieve", { archive }))).toContain("NOT_FOUND");
    expect(await ask("resources/read", { uri: `waybill://archive/${"0".repeat(64)}` })).toHaveProperty(
      "error",
    );
    close();
  });
});

describe("another tool of the name waybill_retrieve", () => {
  it("is the server's own: it is listed as it is, and gets its calls", async () => {
    const other = { name: "waybill_retrieve", inputSchema: { type: "object", properties: { parcel: {} } } };
    const { client, server: heard } = bridgeTo((message, raw) => {
      if (message["method"] === "tools/list")
        return { jsonrpc: "2.0", id: message["id"] ?? null, result: { tools: [other] } };
      return server(message, raw);
    });
    client.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    client.send('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"waybill_retrieve"}}');
    await until(() => client.heard.length === 2);
    expect(heard.heard.some((each) => (each as JsonObject)["method"] === "tools/call")).toBe(true);
    expect(JSON.stringify(client.heard[0])).toContain("parcel");
  });
});
