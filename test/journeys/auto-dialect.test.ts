import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { contractClient } from "../../src/doors/client/index.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { autoClient, text, textsOf } from "./auto-dialect.fixture.ts";

const rowsSchema: JsonObject = {
  type: "object",
  properties: { rows: { type: "array", items: { type: "object", properties: { id: { type: "number" } } } } },
  required: ["rows"],
  additionalProperties: false,
};
const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Record number ${id}` }));
const few = { rows: rows.slice(0, 3) };
const source = Array.from({ length: 3_000 }, (_, at) => `const value${at} = "line ${at}";\n`).join("");

const structured = (data: JsonObject): JsonObject => text(JSON.stringify(data), { structuredContent: data });

async function tokensOf(result: JsonObject): Promise<number> {
  const counter = await loadCounter();
  return textsOf(result).reduce((sum, said) => sum + counter.count(said), 0);
}

/** The notes of a cut text, for programs. */
function notesOf({ _meta: meta }: JsonObject): JsonObject {
  return (meta as JsonObject)["waybill/notes"] as JsonObject;
}

/** The client door over one of the journeys' clients. */
function reading(client: AnyClient) {
  return contractClient({
    callTool: ({ name, arguments: args, _meta: meta }: never) =>
      client.call(name, args, meta === undefined ? {} : { meta }),
    readResource: ({ uri }: { uri: string }) => client.readResource(uri),
  });
}

describe("under auto, a success that fits and has nothing to say", () => {
  const results: readonly JsonObject[] = [
    text("Hello"),
    text("", { _meta: { "example.org/x": 1 } }),
    text("12"),
    text(JSON.stringify(few, null, 2)),
    text('{"error": null, "rows": []}'),
    text("The word error is in it, and success: false too."),
    {
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
    },
    {
      content: [
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        { type: "text", text: "a" },
      ],
    },
    text("Done", { structuredContent: { success: true, items: [1] } }),
    { content: [] },
    text(source.slice(0, 10_000)),
  ];

  it("is what the server sent, word for word, and carries no key of ours", async () => {
    const client = await autoClient({ any: { results } });
    for (const [at, result] of results.entries()) expect(await client.call("any", { at })).toEqual(result);
    await client.close();
  });

  it("stays untouched where the tool has a schema, which lists both forms", async () => {
    const client = await autoClient({ rows: { outputSchema: rowsSchema, results: [structured(few)] } });
    expect(await client.call("rows")).toEqual(structured(few));
    expect(client.schemas["rows"]).toMatchObject({
      type: "object",
      anyOf: [{}, { required: expect.anything() }],
    });
    await client.close();
  });

  it("may be an envelope already, which is not wrapped again", async () => {
    const envelope = {
      success: true,
      data: few,
      error: null,
      meta: { version: "response-v2", warnings: ["Old"] },
    };
    const results = [structured(envelope), text(JSON.stringify(envelope))];
    const client = await autoClient({ rows: { results } });
    for (const [at, result] of results.entries()) expect(await client.call("rows", { at })).toEqual(result);
    await client.close();
  });
});

describe("under auto, a success with something to say", () => {
  const noted = { rateLimit: { limit: 1, periodSeconds: 60 } };

  it("has the same blocks in the same order, and one more text with the notes", async () => {
    const blocks = [
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ];
    const client = await autoClient({ any: { results: [{ content: blocks, isError: false }] } }, noted);
    const { content, _meta: meta, ...rest } = await client.call("any");
    expect(rest).toEqual({});
    expect((content as JsonObject[]).slice(0, 3)).toEqual(blocks);
    expect(JSON.parse((content as { text: string }[])[3]?.text ?? "")).toEqual({
      meta: { warnings: [expect.stringContaining("calls are left")], rate_limit: expect.anything() },
    });
    expect(meta).toEqual({ "waybill/contract": "plain as_sent" });
    await client.close();
  });

  it("is read by the client as it would be without them", async () => {
    const client = await autoClient(
      {
        any: {
          results: [
            {
              content: [
                { type: "text", text: "one" },
                { type: "text", text: "two" },
              ],
            },
          ],
        },
      },
      noted,
    );
    const answer = await reading(client).call("any", {});
    expect(answer).toMatchObject({ data: "one\ntwo", dialect: "plain", blocks: [] });
    expect(answer.warnings).toHaveLength(1);
    await client.close();
  });

  it("says so in its own envelope, where it has one", async () => {
    const envelope = {
      success: true,
      data: few,
      error: null,
      meta: { version: "response-v2", warnings: ["Old"] },
    };
    const client = await autoClient({ any: { results: [structured(envelope)] } }, noted);
    const result = await client.call("any");
    const [only = "", ...more] = textsOf(result);
    expect(more).toEqual([]);
    expect(JSON.parse(only)).toMatchObject({
      success: true,
      data: few,
      meta: { warnings: expect.arrayContaining(["Old", expect.stringContaining("calls are left")]) },
    });
    await client.close();
  });
});

describe("under auto, a failure", () => {
  it("is an envelope, as a text alone where the tool has no schema", async () => {
    const client = await autoClient({
      free: { results: [text("No such file: a.txt", { isError: true })] },
      rows: { outputSchema: rowsSchema, results: [text("No such file: a.txt", { isError: true })] },
    });
    const free = await client.call("free");
    expect(free).toMatchObject({ isError: true, _meta: { "waybill/contract": "response-v2" } });
    expect(free).not.toHaveProperty("structuredContent");
    const envelope = JSON.parse(textsOf(free)[0] ?? "") as JsonObject;
    expect(envelope).toMatchObject({
      success: false,
      error: "No such file: a.txt",
      data: { error_code: "NOT_FOUND" },
    });
    const typed = await client.call("rows");
    expect(typed["structuredContent"]).toMatchObject({ success: false, error: "No such file: a.txt" });
    await client.close();
  });
});

describe("under auto, a success over the budget", () => {
  const budget = { tokens: 1_000 };

  it("keeps the beginning of a text word for word, and the whole comes back verified", async () => {
    const client = await autoClient({ read: { results: [text(source)] } }, { budget });
    const result = await client.call("read");
    expect(result).not.toHaveProperty("structuredContent");
    const [head = "", closing = ""] = textsOf(result);
    expect(source.startsWith(head)).toBe(true);
    expect(head.endsWith("\n")).toBe(true);
    const kept = head.split("\n").length - 1;
    expect(closing).toMatch(
      new RegExp(
        `^\\[lines 1-${kept} of 3,000; the rest: waybill_retrieve \\{.*"lines":"${kept + 1}-"\\}\\]$`,
      ),
    );
    expect(await tokensOf(result)).toBeLessThanOrEqual(1_000);
    expect(await tokensOf(result)).toBeGreaterThan(900);
    expect(notesOf(result)).toMatchObject({
      content_fidelity: "partial",
      dropped_content_ids: [`#char=${head.length}-${source.length}`],
    });
    const tools = reading(client);
    const answer = await tools.call("read", {});
    expect(answer).toMatchObject({ data: head, fidelity: "partial", dialect: "plain" });
    expect(await tools.complete(answer)).toMatchObject({ data: source, fidelity: "full" });
    await client.close();
  });

  it("comes back through the tool alone too, where a client reads no resources", async () => {
    const said = `${source.slice(0, 20_000)}\n😀 "quoted" \\ \u0000\ud800 end`;
    const client = await autoClient({ read: { results: [text(said)] } }, { budget });
    const tools = contractClient(({ name, arguments: args }: { name: string; arguments?: JsonObject }) =>
      client.call(name, args),
    );
    expect((await tools.complete(await tools.call("read", {}))).data).toBe(said);
    await client.close();
  });

  it("gives the rest of a text by the name that the notes give it", async () => {
    const client = await autoClient({ read: { results: [text(source)] } }, { budget });
    const result = await client.call("read");
    const [head = ""] = textsOf(result);
    const notes = notesOf(result);
    const [archive] = Object.values(notes["content_archive_hashes"] as object) as string[];
    const rest = await client.call("waybill_retrieve", {
      archive: archive ?? "",
      ids: notes["dropped_content_ids"] as string[],
    });
    const { data, meta: more } = rest["structuredContent"] as {
      data: { items: { text: string }[] };
      meta: { pagination: { has_more: boolean; cursor: string } };
    };
    const { items } = data;
    // Not every client shows a text beside the structure, so the cursor is in both.
    expect(more.pagination).toMatchObject({ has_more: true, cursor: expect.any(String) as string });
    expect(items[0]).toMatchObject({ from: 0, of: source.length - head.length, is_text: true });
    expect(source.slice(head.length).startsWith(items[0]?.text ?? "-")).toBe(true);
    await client.close();
  });

  it("is an envelope that the schema allows, and all of it comes back", async () => {
    const client = await autoClient(
      { rows: { outputSchema: rowsSchema, results: [structured({ rows })] } },
      { budget },
    );
    const result = await client.call("rows");
    expect(result["structuredContent"]).toMatchObject({
      success: true,
      meta: { content_fidelity: "partial" },
    });
    expect(await tokensOf(result)).toBeLessThanOrEqual(1_000);
    const tools = reading(client);
    const whole = await tools.complete(await tools.call("rows", {}));
    expect(jsonEqual(whole.data as JsonObject, { rows })).toBe(true);
    await client.close();
  });

  it("is an envelope in a text where a tool without a schema sends JSON", async () => {
    const client = await autoClient({ rows: { results: [text(JSON.stringify({ rows }))] } }, { budget });
    const result = await client.call("rows");
    expect(result).not.toHaveProperty("structuredContent");
    expect(JSON.parse(textsOf(result)[0] ?? "")).toMatchObject({
      success: true,
      meta: { content_fidelity: "partial" },
    });
    await client.close();
  });

  it("is sent whole where it only takes other spaces", async () => {
    const some = { rows: rows.slice(0, 65) };
    const client = await autoClient({ rows: { results: [text(JSON.stringify(some, null, 4))] } }, { budget });
    const result = await client.call("rows");
    const [said, notes] = textsOf(result);
    expect(said).toBe(JSON.stringify(some));
    expect(notes).toMatch(
      /^\{"meta":\{.*"Written without spaces to fit; the server's own text: waybill_retrieve /,
    );
    expect(result).not.toHaveProperty("structuredContent");
    await client.close();
  });
});

describe("a tool under auto", () => {
  it("gives response-v2 to a request that asks for it, and no plain result that would evade the budget", async () => {
    const client = await autoClient({ any: { results: [text("Hello")] } });
    const asked = async (dialect: string): Promise<JsonObject> =>
      client.call("any", {}, { meta: { "waybill/contract": { dialect } } });
    expect(JSON.parse(textsOf(await asked("response-v2"))[0] ?? "")).toMatchObject({
      data: { result: "Hello" },
    });
    expect(await asked("auto")).toEqual(text("Hello"));
    const [said, notes = ""] = textsOf(await asked("plain"));
    expect(said).toBe("Hello");
    expect(notes).toContain("not offered here");
    await client.close();
  });

  it("has a widget, whose data is left as it is, however long, and whose failures are plain", async () => {
    const _meta = { ui: { resourceUri: "ui://rows" } };
    const long = text("Rows follow", { structuredContent: { rows } });
    const failed = text("No such file: a.txt", { isError: true });
    const config = resolveConfig({ commandLine: { budget: { tokens: 1_000 } } }).settings;
    const widget = { _meta, outputSchema: rowsSchema, results: [long, failed] };
    const shown = await autoClient({ rows: widget }, { config });
    expect(await shown.call("rows")).toEqual(long);
    const { _meta: meta, ...rest } = await shown.call("rows", { at: 1 });
    expect(rest).toEqual(failed);
    expect(meta).toEqual({ "waybill/contract": "plain" });
    await shown.close();
  });

  it("loses what settings leave out, and stays plain", async () => {
    const client = await autoClient(
      { rows: { outputSchema: rowsSchema, results: [structured(few)] } },
      { toolSettings: { rows: { exclude: ["rows[*].name"] } } },
    );
    const result = await client.call("rows");
    expect(result["structuredContent"]).toEqual({ rows: [{ id: 0 }, { id: 1 }, { id: 2 }] });
    expect(result["_meta"]).toEqual({ "waybill/contract": "plain" });
    await client.close();
  });
});
