import { describe, expect, it } from "vitest";
import { contractClient } from "../client/contract-client.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

/** JSON as people lay it out: prices with all their digits, a space after each colon, an empty line at the end. */
const layOut = (count: number, isList = false): string => {
  const rows = Array.from(
    { length: count },
    (_, at) =>
      `    {\n        "id": "p-${at}",\n        "price": 19.990,\n        "name": "caf\\u00e9 ${at}"\n    }`,
  ).join(",\n");
  return isList ? `[\n${rows}\n]\n` : `{\n  "products": [\n${rows}\n  ]\n}\n`;
};
const few = layOut(34);
const many = layOut(160);
const list = layOut(160, true);
const mirrored = { content: [{ type: "text", text: few }], structuredContent: JSON.parse(few) as JsonObject };
/** An escape in the JSON text for half a surrogate pair, and that half in the text itself. */
const halfEscaped = few.replace("caf", "\\ud800 caf");
const halfRaw = few.replace("caf", "\ud800 caf");
const answers: Readonly<Record<string, JsonObject>> = {
  few: { content: [{ type: "text", text: few }] },
  many: { content: [{ type: "text", text: many }] },
  list: { content: [{ type: "text", text: list }] },
  mirrored,
  halfEscaped: { content: [{ type: "text", text: halfEscaped }] },
  halfRaw: { content: [{ type: "text", text: halfRaw }] },
};

const serve: Serve = ({ id, method, params }) => {
  if (id === undefined) return undefined;
  const name = isJsonObject(params) && typeof params["name"] === "string" ? params["name"] : "";
  const tools = Object.keys(answers).map((tool) => ({ name: tool, inputSchema: { type: "object" } }));
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools } };
  return { jsonrpc: "2.0", id, result: answers[name] ?? {} };
};

/** Room for the products of `few` on one line each, not for their layout. */
const contract: ContractOptions = { dialect: "auto", profile: "minimal", budget: { tokens: 1_100 } };

function open(options: ContractOptions = contract) {
  const { client } = bridgeTo(serve, options);
  let count = 0;
  const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    const id = ++count;
    client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await until(() => client.heard.some((message) => (message as JsonObject)["id"] === id));
    return (client.heard.find((message) => (message as JsonObject)["id"] === id) as { result: JsonObject })
      .result;
  };
  const call = (name: string, args: JsonObject = {}) => ask("tools/call", { name, arguments: args });
  return { ask, call, close: () => client.close() };
}

const hashIn = (answer: JsonObject): string =>
  /sha256:([0-9a-f]{64})/.exec(JSON.stringify(answer))?.[1] ?? "";
const textsOf = ({ content }: JsonObject): readonly string[] =>
  (content as readonly { readonly text: string }[]).map(({ text }) => text);

type Door = ReturnType<typeof open>;

/** The whole as a model gets it back, page after page. */
async function wholeBy({ call }: Door, args: JsonObject): Promise<string> {
  let text = "";
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const { structuredContent } = await call("waybill_retrieve", {
      ...args,
      ...(cursor === "" ? {} : { cursor }),
    });
    const { data, meta } = structuredContent as unknown as {
      data: { items: readonly { text: string }[] };
      meta: { pagination?: { cursor: string | null } };
    };
    text += data.items.map((item) => item.text).join("");
    cursor = meta.pagination?.cursor ?? undefined;
  }
  return text;
}

async function resourceOf({ ask }: Door, hash: string): Promise<string | undefined> {
  const { contents } = await ask("resources/read", { uri: `waybill://archive/${hash}` });
  return (contents as readonly { readonly text?: string }[])[0]?.text;
}

describe("JSON that has room only without its spaces", () => {
  it.each(["few", "mirrored"])(
    "is sent whole, and one line leads to the text of %s as it was",
    async (name) => {
      const door = open();
      const answer = await door.call(name);
      const [said = "", notes = ""] = textsOf(answer);
      // Nothing but spaces is gone: the prices have all their digits, and the names their escapes.
      expect(said).toBe(few.replaceAll(/\s+(?!\d+")/g, ""));
      const { meta } = JSON.parse(notes) as { meta: JsonObject };
      const hash = hashIn(answer);
      expect(meta).toEqual({
        warnings: [
          `Written without spaces to fit; the server's own text: waybill_retrieve {"archive":"${hash.slice(0, 12)}","pointer":""}`,
        ],
        content_fidelity: "full",
        content_fidelity_schema_version: "1.0",
        content_archive_hashes: { [`own-text-${hash.slice(0, 12)}`]: `sha256:${hash}` },
      });
      expect(await wholeBy(door, { archive: hash.slice(0, 12), pointer: "" })).toBe(few);
      expect(await resourceOf(door, hash)).toBe(few);
      door.close();
    },
  );

  it.each(["halfEscaped", "halfRaw"])(
    "says so too with half a surrogate pair in it, whose escape is what can be kept: %s",
    async (name) => {
      const door = open();
      const answer = await door.call(name);
      const [said = "", notes = ""] = textsOf(answer);
      expect(JSON.parse(said)).toEqual(JSON.parse(halfEscaped));
      expect(notes).toContain("Written without spaces to fit; the server's own text");
      expect(await resourceOf(door, hashIn(answer))).toBe(halfEscaped);
      door.close();
    },
  );

  it("says so where nothing is kept", async () => {
    const door = open({ ...contract, store: false });
    const [, notes = ""] = textsOf(await door.call("few"));
    expect(JSON.parse(notes)).toEqual({ meta: { warnings: ["Written without spaces to fit"] } });
    door.close();
  });
});

describe("JSON that is cut", () => {
  it.each([
    ["many", many],
    ["list", list],
  ])("is archived as the text that the server wrote: %s", async (name, text) => {
    const door = open();
    const answer = await door.call(name);
    const hash = hashIn(answer);
    expect(await resourceOf(door, hash)).toBe(text);
    expect(await wholeBy(door, { archive: hash, pointer: "" })).toBe(text);
    const lines = await door.call("waybill_retrieve", { archive: hash, lines: "3-5" });
    expect(JSON.stringify(lines)).toContain(String.raw`price\": 19.990`);
    const grep = await door.call("waybill_retrieve", { archive: hash, grep: "p-159" });
    expect(JSON.stringify(grep)).toContain(String.raw`\"id\": \"p-159\"`);
    door.close();
  });

  it.each(["many", "list"])("has names that lead into that text: %s", async (name) => {
    const door = open();
    const answer = await door.call(name);
    const said = JSON.parse(textsOf(answer).at(-1) ?? "") as {
      meta: { dropped_content_ids: readonly string[] };
    };
    const ids = said.meta.dropped_content_ids;
    expect(ids.length).toBeGreaterThan(0);
    const back = await door.call("waybill_retrieve", { archive: hashIn(answer), ids, limit: 1000 });
    expect(back).toMatchObject({ structuredContent: { success: true } });
    expect(JSON.stringify(back)).not.toContain("missing");
    for (const asked of [{ ids: ["p-159"] }, { match: { id: "p-159" } }, { query: "p-159" }])
      expect(
        JSON.stringify(await door.call("waybill_retrieve", { archive: hashIn(answer), ...asked })),
      ).toContain(String.raw`\"id\":\"p-159\",\"price\":19.99`);
    door.close();
  });

  it("comes back to a program as data and as text, by resource or by the tool alone", async () => {
    const door = open();
    const callTool = ({ name, arguments: args }: { name: string; arguments?: Record<string, unknown> }) =>
      door.call(name, args as JsonObject);
    const readResource = ({ uri }: { uri: string }) => door.ask("resources/read", { uri });
    for (const client of [contractClient(callTool), contractClient({ callTool, readResource })]) {
      for (const [name, text] of [
        ["few", few],
        ["many", many],
        ["list", list],
      ] as const) {
        const whole = await client.complete(await client.call(name, {}));
        expect({ data: whole.data, text: whole.text, fidelity: whole.fidelity }).toEqual({
          data: JSON.parse(text),
          text,
          fidelity: "full",
        });
      }
      const cut = await client.call("list", {});
      const back = await client.retrieve(cut);
      expect(back.at(-1)?.value).toMatchObject({ id: "p-159" });
    }
    door.close();
  });
});
