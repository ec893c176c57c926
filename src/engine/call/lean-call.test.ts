import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { answerOf, issues, leanCall } from "./lean-call.fixture.ts";

const whole = { issues, next: 2 };
const kept = { issues: issues.map(({ id, number, title }) => ({ id, number, title })), next: 2 };
const outputSchema = {
  type: "object" as const,
  properties: { issues: { type: "array" }, next: { type: "number" } },
  required: ["issues", "next"],
};

describe("a lean result", () => {
  it("stays a text, with one line that names what was left out and the call that gives it", async () => {
    const { texts, notes, hashes, result } = await leanCall(answerOf(whole));
    const [json = "", line] = texts;
    expect(JSON.parse(json)).toEqual(kept);
    expect(line).toBe(
      "\n[Lean: 48 fields left out (opaque ids: node_id; API links that repeat an id: url; null or empty: body, labels); " +
        `one of them alone: "ids":["/issues/*/node_id"]; the rest: waybill_retrieve {"archive":"${hashes[0]?.slice("sha256:".length, 19)}"}]`,
    );
    expect(notes).toMatchObject({
      content_fidelity: "partial",
      dropped_content_ids: ["/issues/*/node_id", "/issues/*/url", "/issues/*/body", "/issues/*/labels"],
    });
    expect(result.structuredContent).toBeUndefined();
  });

  it("gives every field back under its name, and the whole", async () => {
    const { dropped, retrieve, pick, complete } = await leanCall(answerOf(whole));
    expect(await pick()).toHaveLength(dropped.length * issues.length);
    for (const name of dropped) {
      const key = name.split("/").at(-1) as keyof (typeof issues)[number];
      const items = await retrieve({ ids: [name] });
      expect(items).toEqual(
        issues.map((issue, index) => ({ pointer: `/issues/${index}/${key}`, value: issue[key] })),
      );
    }
    expect(await complete()).toEqual(whole);
  });

  it("is an envelope for a tool with a schema, and keeps what the schema requires", async () => {
    const items = { type: "array", items: { type: "object", required: ["id", "body"] } };
    const typed = { ...outputSchema, properties: { ...outputSchema.properties, issues: items } };
    const { result, notes, complete } = await leanCall(answerOf(whole, true), {
      tools: [{ outputSchema: typed }],
    });
    const rows = issues.map(({ id, number, title, body }) => ({ id, number, title, body }));
    expect(result.structuredContent).toMatchObject({ success: true, data: { issues: rows, next: 2 } });
    expect(notes).toMatchObject({
      content_fidelity: "partial",
      warning_details: [{ code: "FIELDS_DROPPED", severity: "info" }],
    });
    expect(await complete()).toEqual(whole);
  });

  it.each(["response-v2", "response-v2-draft", "scalpel", "drf"] as const)(
    "is told in %s",
    async (dialect) => {
      const { texts } = await leanCall(answerOf(issues), { contract: { dialect } });
      const said = texts.join("\n");
      expect(said).not.toContain("I_kwDO");
      expect(said).toContain("Lean: 48 fields left out");
      expect(said).toMatch(/content_archive_hashes/);
    },
  );

  it("is announced without its spaces if those alone are worth it", async () => {
    const rows = Array.from({ length: 100 }, (_, id) => ({ id, tags: [id, id + 1, id + 2] }));
    const text = JSON.stringify({ rows }, null, 4);
    const { texts, notes } = await leanCall({ content: [{ type: "text", text }] });
    expect(texts[0]).toBe(JSON.stringify({ rows }));
    expect(texts[1]).toContain("Written without spaces; the server's own text: waybill_retrieve");
    expect(notes["content_fidelity"]).toBe("full");
  });

  it("has one archive entry, of the whole, if it is cut too, and names both", async () => {
    const store = memoryStore();
    const many = { issues: Array.from({ length: 30 }, () => issues).flat() };
    const { hashes, dropped, notes, complete } = await leanCall(answerOf(many), {
      contract: { budget: { tokens: 1_000 }, store },
    });
    expect(hashes).toHaveLength(1);
    expect(dropped.at(0)).toMatch(/^\/issues\/\d+\.\.359$/);
    expect(dropped.slice(1)).toEqual([
      "/issues/*/node_id",
      "/issues/*/url",
      "/issues/*/body",
      "/issues/*/labels",
    ]);
    expect(JSON.stringify(notes["warning_details"])).toMatch(
      /FIELDS_DROPPED.*CONTENT_TRUNCATED|CONTENT_TRUNCATED.*FIELDS_DROPPED/,
    );
    expect(await complete()).toEqual(many);
    const entries = [];
    for await (const entry of store.list()) entries.push(entry.hash);
    expect(hashes).toEqual(entries.map((hash) => `sha256:${hash}`));
  });

  it("opens the texts of a result that has several, and names what was in them", async () => {
    const content = issues.map((issue) => ({ type: "text" as const, text: JSON.stringify(issue) }));
    const { texts, dropped, retrieve, pick } = await leanCall({ content });
    expect(await pick()).toHaveLength(3 * issues.length);
    // An empty list at the top of a text may be all that the text says.
    const rows = kept.issues.map((row) => ({ ...row, labels: [] }));
    expect(texts.slice(0, -1).map((text) => JSON.parse(text) as JsonObject)).toEqual(rows);
    expect(dropped).toEqual(["/**/node_id", "/**/url", "/**/body"]);
    const back = await retrieve({ ids: ["/**/node_id"] });
    expect(back.map(({ value }) => value)).toEqual(issues.map(({ node_id }) => node_id));
  });

  it("is cut as it was before if its texts have to be cut", async () => {
    const content = issues.map((issue) => ({ type: "text" as const, text: JSON.stringify(issue) }));
    const { texts, dropped } = await leanCall({ content }, { contract: { budget: { tokens: 300 } } });
    expect(texts[0]).toBe(JSON.stringify(issues[0]));
    expect(dropped).toHaveLength(1);
  });
});

describe("a result stays as it came", () => {
  const answer = answerOf(whole);

  it.each([
    ["without the setting", answer, { contract: { lean: false } }],
    ["if less than 100 tokens would be saved", answerOf({ issues: issues.slice(0, 1) }), {}],
    ["if nothing is left out", answerOf({ rows: issues.map(({ id, title }) => ({ id, title })) }), {}],
    ["without an archive", answer, { contract: { store: false } }],
    ["for a program", answer, { contract: { reader: "program" } }],
    [
      "of a tool that gives what is at a path",
      answer,
      { tools: [{ inputSchema: { type: "object", properties: { path: {} } } }] },
    ],
    ["of a widget", answer, { tools: [{ _meta: { ui: { resourceUri: "ui://x" } } }] }],
    ["if it is a failure", { ...answer, isError: true }, { contract: { dialect: "plain" } }],
    [
      "if a number would be rounded",
      { content: [{ type: "text", text: JSON.stringify(whole).replace(":7000", ":12345678901234567890") }] },
      {},
    ],
  ] as const)("%s", async (_what, given, setting) => {
    const { texts } = await leanCall(given as never, setting);
    expect(texts[0]).toBe(given.content[0]?.type === "text" ? given.content[0].text : "");
  });

  it("if the schema says which fields go together", async () => {
    const typed = { ...outputSchema, dependentRequired: { issues: ["next"] } };
    const { result } = await leanCall(answerOf(whole, true), { tools: [{ outputSchema: typed }] });
    expect(result.structuredContent).toEqual(whole);
  });

  it("where the store cannot keep it", async () => {
    const store = memoryStore();
    store.put = () => Promise.reject(new Error("full"));
    const { texts } = await leanCall(answer, { contract: { store } });
    expect(texts).toEqual([JSON.stringify(whole)]);
  });
});

describe("what later calls take", () => {
  const taking = (name: string) => ({ inputSchema: { type: "object" as const, properties: { [name]: {} } } });

  it("stays, whichever tool of the server takes it", async () => {
    const { texts } = await leanCall(answerOf(whole), { tools: [{}, taking("node_id"), taking("labels")] });
    expect(JSON.parse(texts[0] ?? "")).toEqual({
      issues: issues.map(({ id, node_id, number, title, labels }) => ({
        id,
        node_id,
        number,
        title,
        labels,
      })),
      next: 2,
    });
  });

  it("is learnt from nested arguments too", async () => {
    const nested = {
      type: "object" as const,
      properties: { filter: { anyOf: [{ properties: { url: {} } }] } },
    };
    const { texts } = await leanCall(answerOf(whole), { tools: [{}, { inputSchema: nested }] });
    expect(texts[0]).toContain('"url":"https://api.example.com/repos/o/r/issues/3"');
    expect(texts[0]).not.toContain("node_id");
  });
});

describe("the presets", () => {
  const commits = Array.from({ length: 6 }, (_, index) => ({
    sha: `b5c40f86${index}`,
    author: { login: "ann", avatar_url: `https://avatars.example.com/u/1733826${index}?v=4&size=large` },
    verification: { verified: true, signature: `wsFcBAABCAAQBQJqWqEmCRC1aQ7uu5UhlAAAwV4QABzrhz1Ky7${index}` },
  }));

  it("are those of the server's name or tools", async () => {
    const named = await leanCall(answerOf(commits), { serverName: "github-mcp-server" });
    expect(named.texts[0]).not.toContain("signature");
    expect(named.texts[1]).toContain("of the server's own use: avatar_url, signature");
    const tools = [{ name: "list_pull_requests" }, { name: "search_repositories" }];
    expect((await leanCall(answerOf(commits), { tools })).texts[0]).not.toContain("signature");
    expect((await leanCall(answerOf(commits))).texts).toEqual([JSON.stringify(commits)]);
  });
});
