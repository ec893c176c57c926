import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../json/json-value.ts";
import { leanValue } from "./lean-value.ts";
import { ProtectedNames } from "./protected-names.ts";

interface Setting {
  readonly presets?: readonly string[];
  readonly args?: readonly string[];
  readonly required?: readonly string[];
}

function lean(value: JsonValue, { presets = [], args = [], required = [] }: Setting = {}) {
  const guarded = new ProtectedNames(args, new Set(required));
  const made = leanValue(value, { presets, guarded, opensTexts: true });
  return { ...made, keys: made.dropped.map(({ path, key }) => [...path, key].join("/")) };
}

const issue = {
  id: 7,
  node_id: "I_kwDOTGdGNM7zNkCZ",
  number: 91,
  url: "https://api.example.com/repos/o/r/issues/91",
  html_url: "https://example.com/o/r/issues/91",
  title: "Cuts",
  body: null,
  user: { login: "ann", gists_url: "https://api.example.com/users/ann/gists{/gist_id}", bio: "" },
  labels: [] as JsonValue[],
};

describe("a lean value", () => {
  it("keeps what a model reads, in its order", () => {
    const { value, keys } = lean({ items: [issue], page: 1 });
    expect(JSON.stringify(value)).toBe(
      '{"items":[{"id":7,"number":91,"html_url":"https://example.com/o/r/issues/91","title":"Cuts","user":{"login":"ann"}}],"page":1}',
    );
    expect(keys).toEqual([
      "items/*/node_id",
      "items/*/url",
      "items/*/body",
      "items/*/user/gists_url",
      "items/*/user/bio",
      "items/*/labels",
    ]);
  });

  it("is the same reference if nothing is left out", () => {
    const value = { items: [{ id: 1, ok: false, count: 0 }] };
    expect(lean(value).value).toBe(value);
  });

  it.each([
    ["an empty list that is the whole answer", { items: [], next: 3 }],
    ["items of lists", { rows: [null, "", {}, []] }],
    ["an object of which nothing would be left", { links: { node_id: "x", url: 3 }, pair: { a: "b" } }],
    ["zero and false", { item: { count: 0, isDone: false } }],
    ["an address for people", { id: 9, html_url: "https://example.com/issues/9" }],
    ["an address of an API that holds no id of its record", { id: 9, url: "https://api.example.com/status" }],
    ["a hash that is the only id", { item: { node_id: "I_kwDOTGdGNM7zNkCZ", title: "x" } }],
    ["a text that looks like an address, under another name", { id: 9, note: "https://api.example.com/x/9" }],
  ])("keeps %s", (_what, value) => {
    expect(lean(value as JsonValue).value).toBe(value);
  });

  it("leaves out an object whose fields are all null or empty, by its own name", () => {
    const { value, keys } = lean({ items: [{ id: 1, parent: { a: null, b: { c: "" } } }] });
    expect(value).toEqual({ items: [{ id: 1 }] });
    expect(keys).toEqual(["items/*/parent"]);
  });

  it("keeps what a call of the server takes, and what the schema requires, at any depth", () => {
    const args = ["node_id", "cursor", "gistsUrl"];
    const page = { items: [issue], next_cursor: null, empty: null };
    expect(lean(page, { args, required: ["labels"] }).keys).toEqual([
      "items/*/body",
      "items/*/user/bio",
      "empty",
    ]);
  });

  it("opens JSON inside texts, and leaves text that parsing would change", () => {
    const inner = JSON.stringify({ rows: [issue, issue] }, null, 2);
    const exact = inner.replace("91,", "12345678901234567890,");
    const { value, keys, hasTexts } = lean({ content: inner, exact });
    expect(value).toEqual({
      content: expect.stringMatching(/^\{"rows":\[\{"id":7,"number":91,"html_url"/),
      exact,
    });
    expect(hasTexts).toBe(true);
    expect(keys.slice(0, 2)).toEqual(["content/rows/*/node_id", "content/rows/*/url"]);
  });

  it("keeps a member called __proto__", () => {
    const value = JSON.parse('{"a":[{"__proto__":{"x":1},"b":null,"id":2}]}') as JsonValue;
    expect(JSON.stringify(lean(value).value)).toBe('{"a":[{"__proto__":{"x":1},"id":2}]}');
  });
});

describe("a preset", () => {
  it("leaves out what only the server's own apps need", () => {
    const commit = {
      sha: "b5c4",
      verification: { verified: true, signature: "-----BEGIN", payload: "tree 7ff1" },
      reactions: { url: "https://api.example.com/x", total_count: 0, "+1": 0 },
      author: { login: "ann", avatar_url: "https://pictures.example.com/1", site_admin: true },
    };
    expect(lean([commit]).value).toEqual([commit]);
    expect(lean([commit], { presets: ["github"] }).value).toEqual([
      { sha: "b5c4", verification: { verified: true }, author: { login: "ann", site_admin: true } },
    ]);
  });

  it("leaves out a layout only beside its text", () => {
    const messages = [
      { ts: "1", text: "hello", blocks: [{ type: "rich_text" }] },
      { ts: "2", text: "", blocks: [{ type: "rich_text" }] },
    ];
    expect(lean({ messages }, { presets: ["slack"] }).value).toEqual({
      messages: [
        { ts: "1", text: "hello" },
        { ts: "2", blocks: [{ type: "rich_text" }] },
      ],
    });
  });
});
