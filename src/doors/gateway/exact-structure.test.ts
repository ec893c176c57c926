import { describe, expect, it } from "vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { until } from "../../engine/transport/until.fixture.ts";
import { type Serve, bridgeTo } from "./bridge/bridge.fixture.ts";

/** Numbers that a double does not keep, and a key that is there twice, in JSON as only a text can say it. */
const idOf = (at: number): string => `90071992547409${String(at).padStart(3, "0")}1`;
const rowsText = Array.from(
  { length: 400 },
  (_, at) => `{"id":${idOf(at)},"name":"row ${at}","size":1e400,"ratio":0.10}`,
).join(",");
const text = `{"rows":[${rowsText}],"count":400}`;
const small = `{"id":9007199254740993,"rate":1.50,"id2":1e400}`;
const schema = {
  type: "object",
  properties: { rows: { type: "array", items: { type: "object" } } },
  required: ["rows", "count"],
};
const tools = [
  { name: "rows", inputSchema: { type: "object" } },
  { name: "typed", inputSchema: { type: "object" }, outputSchema: schema },
  { name: "mirrored", inputSchema: { type: "object" } },
  { name: "failing", inputSchema: { type: "object" } },
  { name: "refused", inputSchema: { type: "object" } },
  { name: "twice", inputSchema: { type: "object" } },
  { name: "small", inputSchema: { type: "object" } },
  { name: "batched", inputSchema: { type: "object" } },
  { name: "envelope", inputSchema: { type: "object" } },
];

const pretty = (json: string): string => json.replaceAll(/[{,]/g, (mark) => `${mark}\n  `);
const twice = `{"rows":[${Array.from({ length: 900 }, (_, at) => `{"name":"a${at}","name":"b${at}"}`).join(",")}]}`;

const answers: Readonly<Record<string, string>> = {
  rows: `{"content":[],"structuredContent":${text}}`,
  typed: `{"structuredContent":${text},"content":[{"type":"text","text":${JSON.stringify(pretty(text))}}]}`,
  mirrored: `{"content":[{"type":"text","text":${JSON.stringify(pretty(text))}}],"structuredContent":${text}}`,
  failing: `{"content":[{"type":"text","text":"Order refused"}],"isError":true,"structuredContent":${small}}`,
  twice: `{"content":[],"structuredContent":${twice}}`,
  small: `{"content":[{"type":"text","text":"one order"}],"structuredContent":${small}}`,
  envelope: `{"content":[],"structuredContent":{"success":true,"data":${text},"error":null,"meta":{"version":"response-v2"}}}`,
};

const serve: Serve = ({ id, method, params }) => {
  if (id === undefined) return undefined;
  const name = isJsonObject(params) && typeof params["name"] === "string" ? params["name"] : "";
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools } };
  if (method !== "tools/call") return { jsonrpc: "2.0", id, result: {} };
  // Servers of 2025-03-26 may answer several requests at once.
  if (name === "batched")
    return `[ {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answers["rows"]}} ]`;
  if (name === "refused")
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32000,"message":"No stock","data":${small}}}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answers[name]}}`;
};

const contract: ContractOptions = {
  dialect: "auto",
  profile: "minimal",
  select: true,
  budget: { tokens: 1_000 },
};

function open(options: ContractOptions = contract) {
  const { client } = bridgeTo(serve, options);
  let count = 0;
  const ask = async (method: string, params: JsonObject = {}) => {
    const id = ++count;
    client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await until(() => client.heard.some((message) => (message as JsonObject)["id"] === id));
    const at = client.heard.findIndex((message) => (message as JsonObject)["id"] === id);
    return { raw: client.heardRaw[at] ?? "", result: (client.heard[at] as { result: JsonObject }).result };
  };
  const call = (name: string, args: JsonObject = {}) => ask("tools/call", { name, arguments: args });
  return { ask, call, close: () => client.close() };
}

const hashIn = (raw: string): string => /sha256:([0-9a-f]{64})/.exec(raw)?.[1] ?? "";

/** Every long number that a text has, exact or not; what is written otherwise, such as 1e400, is not among them. */
const longNumbersIn = (raw: string): readonly string[] => raw.match(/\b9007199254\d{6,}\b/g) ?? [];
const known = new Set(["9007199254740993", ...Array.from({ length: 400 }, (_, at) => idOf(at))]);
const changedIn = (raw: string): readonly string[] =>
  longNumbersIn(raw).filter((number) => !known.has(number));

describe("numbers in a structure that a double does not keep", () => {
  it.each(["rows", "typed", "mirrored", "batched"])(
    "stay exact in a cut of %s, and in its archive",
    async (name) => {
      const { ask, call, close } = open();
      await ask("tools/list");
      const { raw } = await call(name);
      expect(raw).toContain(idOf(0));
      expect(changedIn(raw)).toEqual([]);
      expect(raw).not.toMatch(/"size\\*":null/);
      const { result } = await ask("resources/read", { uri: `waybill://archive/${hashIn(raw)}` });
      const [{ text: kept = "" } = {}] = result["contents"] as readonly { readonly text?: string }[];
      expect(kept).toContain(JSON.stringify(text).slice(1, -1));
      close();
    },
  );

  it("say a text beside the structure that repeats it once", async () => {
    const { call, close } = open();
    const { result } = await call("mirrored");
    const { content } = result as { readonly content: readonly { readonly text: string }[] };
    expect(content.filter(({ text: said }) => said.includes(idOf(0)))).toHaveLength(1);
    close();
  });

  it("come in the place that the listed schema has for what is left out", async () => {
    const { ask, call, close } = open();
    const { result: list } = await ask("tools/list");
    const listed = (list["tools"] as readonly JsonObject[]).find((tool) => tool["name"] === "typed");
    const { result } = await call("typed");
    const validate = new Ajv2020({ strict: false }).compile(listed?.["outputSchema"] as JsonObject);
    expect(validate(result["structuredContent"])).toBe(true);
    expect(result).toMatchObject({
      structuredContent: { success: true, data: { omitted: { text: expect.stringContaining(idOf(0)) } } },
    });
    close();
  });

  it("stay exact in every kind of retrieval", async () => {
    const { call, close } = open();
    for (const name of ["rows", "typed"]) {
      const archive = hashIn((await call(name)).raw);
      const { raw: noted } = await call("waybill_retrieve", { archive, pointer: "/rows/0" });
      expect(noted).toContain("are read as text");
      const asked: readonly JsonObject[] = [
        { ids: [idOf(399)] },
        { pointer: "/rows/399" },
        { match: { name: "row 399" } },
        { match: { id: idOf(399) } },
        { query: idOf(399) },
        { select: "rows[?name=='row 399']" },
        { select: `rows[?id=='${idOf(399)}']` },
        { match: { id: Number(idOf(399)) } },
        { ids: [`#char=${text.length - 100}-${text.length}`] },
      ];
      for (const how of asked) {
        const { raw } = await call("waybill_retrieve", { archive, ...how });
        expect({ how, found: raw.includes(idOf(399)), changed: changedIn(raw) }).toEqual({
          how,
          found: true,
          changed: [],
        });
      }
      let pages = "";
      for (let cursor: string | undefined = ""; cursor !== undefined;) {
        const { result } = await call("waybill_retrieve", { archive, ...(cursor === "" ? {} : { cursor }) });
        const { structuredContent: said } = result as {
          structuredContent: { data: JsonObject; meta: JsonObject };
        };
        for (const { text: slice = "" } of said.data["items"] as readonly { text?: string }[]) pages += slice;
        cursor = (said.meta["pagination"] as { cursor?: string } | undefined)?.cursor ?? undefined;
      }
      expect(pages).toBe(text);
    }
    close();
  });

  it("stay exact in the answer to a question that the call itself puts", async () => {
    const { call, close } = open();
    const { raw } = await call("rows", { _waybill_select: "rows[?name=='row 399'].[id, size]" });
    expect(raw).toContain(idOf(399));
    expect(raw).toContain("1e400");
    close();
  });

  it.each(["failing", "refused"])(
    "are text with the same digits in the failure %s, which says so",
    async (name) => {
      const { call, close } = open();
      const { result } = await call(name);
      const [{ text: said = "" } = {}] = result["content"] as readonly { readonly text?: string }[];
      expect(JSON.parse(said)).toMatchObject({
        success: false,
        data: { details: { id: "9007199254740993", id2: "1e400", rate: 1.5 } },
        meta: {
          warnings: ["Numbers too long to be kept exactly, such as 9007199254740993, are here as text"],
        },
      });
      close();
    },
  );

  it("stay exact where a note is written beside the structure", async () => {
    const { call, close } = open({ ...contract, profile: "debug", validate: "never" });
    const { raw } = await call("small");
    expect(raw).toContain(`"structuredContent":${small}`);
    expect(raw).toContain("duration_ms");
    close();
  });

  it("stay exact under a fixed dialect", async () => {
    const { call, close } = open({ ...contract, dialect: "response-v2" });
    expect((await call("small")).raw).toContain("9007199254740993");
    expect(changedIn((await call("rows")).raw)).toEqual([]);
    close();
    const bare = open({ ...contract, dialect: "plain", validate: "never" });
    await bare.ask("tools/list");
    for (const name of ["small", "typed"])
      expect((await bare.call(name)).raw).toContain(`"structuredContent":${name === "small" ? small : text}`);
    bare.close();
  });

  it("are text with the same digits where fields are filtered or an envelope is written anew", async () => {
    const { call, close } = open({ ...contract, toolSettings: { small: { exclude: ["rate"] } } });
    const { raw } = await call("small");
    expect(raw).toContain("9007199254740993");
    expect(raw).not.toContain("1.5");
    const { raw: cut } = await call("envelope");
    expect(cut).toContain(idOf(0));
    expect(changedIn(cut)).toEqual([]);
    close();
  });

  it("do not hide the first of two values under one key", async () => {
    const { call, close } = open();
    const { raw } = await call("twice");
    expect(raw).toContain("a0");
    const { raw: lines } = await call("waybill_retrieve", {
      archive: hashIn(raw),
      pointer: `#char=${twice.length - 40}-${twice.length}`,
    });
    expect(lines).toContain("a899");
    close();
  });
});
