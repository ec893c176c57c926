import { describe, expect, it } from "vitest";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

const issues = Array.from({ length: 12 }, (_, index) => ({
  id: 7_000 + index,
  node_id: `I_kwDOTGdGNM7zNk${index}`,
  title: `Issue number ${index}`,
  body: null,
}));
const texts: Readonly<Record<string, string>> = {
  list_issues: JSON.stringify(issues),
  get_issue: JSON.stringify(issues[0]),
  read_file: JSON.stringify(issues, null, 2),
};
const tools = Object.keys(texts).map((name) => ({
  name,
  inputSchema: { type: "object", properties: name === "read_file" ? { path: {} } : {} },
}));

const serve: Serve = ({ id, method, params }) => {
  const { name = "" } = (params ?? {}) as { readonly name?: string };
  if (method === "tools/list") return { jsonrpc: "2.0", id: id ?? null, result: { tools } };
  // With spaces that no writer of ours would write.
  return `{"jsonrpc": "2.0", "id": ${JSON.stringify(id)}, "result": {"content": [{"type": "text", "text": ${JSON.stringify(texts[name])}}]}}`;
};

/** As the gateway has it by default. */
const contract: ContractOptions = { dialect: "auto", profile: "minimal", lean: true };

/** Calls one after the other, of which the last may use what the first gave; the raw answers. */
async function callAll(
  calls: readonly ((before: string) => readonly [name: string, args: JsonObject])[],
  options = contract,
) {
  const { client } = bridgeTo(serve, options);
  client.send('{"jsonrpc":"2.0","id":0,"method":"tools/list"}');
  await until(() => client.heardRaw.length === 1);
  for (const [index, call] of calls.entries()) {
    const [name, args] = call(client.heardRaw.at(-1) ?? "");
    const params = { name, arguments: args };
    client.send(JSON.stringify({ jsonrpc: "2.0", id: index + 1, method: "tools/call", params }));
    await until(() => client.heardRaw.length === index + 2);
  }
  return client.heardRaw.slice(1);
}

const listing = (): readonly [string, JsonObject] => ["list_issues", {}];

describe("a server behind the gateway with --lean", () => {
  it("sends less, says what is missing, and gives it back", async () => {
    const [lean = "", back = ""] = await callAll([
      listing,
      (before) => {
        const [, archive = ""] = /waybill_retrieve \{\\+"archive\\+":\\+"([0-9a-f]{12})/.exec(before) ?? [];
        return ["waybill_retrieve", { archive, ids: ["/**/node_id"] }];
      },
    ]);
    const { result } = JSON.parse(lean) as { result: { content: readonly { text: string }[] } };
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(issues.map(({ id, title }) => ({ id, title })));
    expect(result.content[1]?.text).toContain(
      "24 fields left out (opaque ids: node_id; null or empty: body)",
    );
    for (const { node_id } of issues) expect(back).toContain(node_id);
  });

  it.each(["get_issue", "read_file"])("sends the result of %s as the bytes that came", async (name) => {
    const [answer] = await callAll([() => [name, {}]]);
    expect(answer).toBe(serve({ id: 1, method: "tools/call", params: { name } }, ""));
  });

  it("sends everything as it came without the setting", async () => {
    const [answer] = await callAll([listing], { ...contract, lean: false });
    expect(answer).toBe(serve({ id: 1, method: "tools/call", params: { name: "list_issues" } }, ""));
  });
});
