import { describe, expect, it } from "vitest";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { call, here, open, said, serving } from "./message-session.fixture.ts";

const taking = (...names: readonly string[]): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const readOnly = { readOnlyHint: true };

/** Ordinary files that elsewhere are how a server says that it failed. */
const files = [
  '{"error":"Fehler"}',
  '{\n  "success": false,\n  "message": "Not saved"\n}\n',
  '{"errors":[{"message":"The first"},{"message":"The second"}]}',
  "MCP error -32602: how to read this message, and what to do about it",
  "Error: connection refused",
];

async function resultOf(
  tool: JsonObject & { readonly name?: string },
  result: JsonObject,
  options = {},
): Promise<JsonObject> {
  const named = { name: "add", ...tool };
  const { session } = open(serving(result, [named]), { dialect: "auto", ...options });
  const answer = (await session.request(call(named.name), here)) as JsonObject;
  return answer["result"] as JsonObject;
}

function textsOf({ content }: JsonObject): string[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.map(({ text, uri }) => [text, uri].find((value) => typeof value === "string") ?? "");
}

describe("a tool that is read-only and takes a path, a file, a URI, a URL or a query", () => {
  it.each(files)("gives a file as it is, and says that it reads like a failure: %s", async (file) => {
    for (const argument of [
      "path",
      "uri",
      "url",
      "query",
      "file_path",
      "searchQuery",
      "paths",
      "file",
      "filename",
      "file_name",
      "files",
    ]) {
      const tool = { inputSchema: taking(argument), annotations: readOnly };
      const result = await resultOf(tool, said(file));
      expect(result).not.toHaveProperty("isError");
      const [first = "", notes = ""] = textsOf(result);
      expect(first).toBe(file);
      expect(notes).toContain("reads like a failure");
    }
  });

  it("is known by its name alone where the server says nothing of it, and only by the word read", async () => {
    const [file = ""] = files;
    for (const name of ["read_file", "readTextFile", "read-resource"]) {
      expect(await resultOf({ name, inputSchema: taking("path") }, said(file))).not.toHaveProperty("isError");
    }
    for (const name of ["get_file", "write_file", "spread_sheet"])
      expect(await resultOf({ name, inputSchema: taking("path") }, said(file))).toHaveProperty(
        "isError",
        true,
      );
  });

  it("keeps a structure that its text repeats", async () => {
    const structuredContent = { success: false, error: "Fehler" };
    const tool = { inputSchema: taking("path"), annotations: readOnly };
    const result = await resultOf(tool, said(JSON.stringify(structuredContent), { structuredContent }));
    expect(result).not.toHaveProperty("isError");
    expect(result).toHaveProperty("structuredContent", structuredContent);
  });

  it("has failed where the server says so", async () => {
    const tool = { inputSchema: taking("path"), annotations: readOnly };
    const result = await resultOf(tool, said("ENOENT: no such file or directory", { isError: true }));
    expect(result).toHaveProperty("isError", true);
    expect(textsOf(result)[0]).toContain('"NOT_FOUND"');
  });

  it("does not open the breaker by the files that it reads", async () => {
    const file = said('{"success":false,"error":"Service unavailable"}');
    const tool = { name: "read", inputSchema: taking("path"), annotations: readOnly };
    const { session } = open(serving(file, [tool]), {
      dialect: "auto",
      toolSettings: { read: { breaker: { minimumCalls: 2, failureShare: 0.5 } } },
    });
    for (let id = 1; id <= 4; id++) {
      const answer = (await session.request(call("read", id), here)) as { result: JsonObject };
      expect(answer.result).not.toHaveProperty("isError");
    }
  });
});

describe("a tool of logs", () => {
  it.each(["get_logs", "browser_console_messages", "tail-log", "listErrors", "echo"])(
    "gives a line about an error as it is, by its name: %s",
    async (name) => {
      for (const line of ["Error: connection refused", '{"error":"connection refused"}']) {
        const result = await resultOf({ name, inputSchema: { type: "object" } }, said(line));
        expect(result).not.toHaveProperty("isError");
        expect(textsOf(result)[0]).toBe(line);
      }
    },
  );

  it("has a name with a word of its own for it", async () => {
    for (const name of ["login", "dialog", "blog_post", "terrors"])
      expect(
        await resultOf({ name, inputSchema: { type: "object" } }, said("Error: refused")),
      ).toHaveProperty("isError", true);
  });
});

describe("any other tool", () => {
  const tools = [
    { inputSchema: taking("path") },
    { inputSchema: taking("path"), annotations: { readOnlyHint: false } },
    { inputSchema: taking("id", "pathology"), annotations: readOnly },
    { name: "read", inputSchema: { type: "object" } },
  ];

  it.each(tools)("fails by the same words, and the server's own text stays beside it: %j", async (tool) => {
    for (const file of files.slice(0, 3)) {
      const result = await resultOf(tool, said(file));
      expect(result).toHaveProperty("isError", true);
      const [own, failure = ""] = textsOf(result);
      expect(failure).toContain('"success":false');
      expect(own).toBe(file);
    }
  });

  it("does not say twice what the failure's message says", async () => {
    const [, , , sdk = ""] = files;
    const result = await resultOf({ inputSchema: taking("id") }, said(sdk));
    expect(result).toMatchObject({ isError: true });
    expect(textsOf(result)).toHaveLength(1);
    expect(textsOf(result)[0]).toContain(sdk);
  });

  it("has the secrets in that text masked, as in the failure", async () => {
    const file = '{"success":false,"error":"Login refused","password":"hunter2-hunter2"}';
    const sent = JSON.stringify(await resultOf({ inputSchema: taking("id") }, said(file)));
    expect(sent).toContain("Login refused");
    expect(sent).not.toContain("hunter2");
  });

  it("has that text kept in the archive where it is over the budget", async () => {
    const file = JSON.stringify({ success: false, error: "Not saved", trace: "frame by frame ".repeat(900) });
    const result = await resultOf({ inputSchema: taking("id") }, said(file), { budget: { tokens: 1_000 } });
    expect(JSON.stringify(result).length).toBeLessThan(6_000);
    const failure = textsOf(result).find((text) => text.startsWith("{")) ?? "";
    const link = textsOf(result).find((text) => !text.startsWith("{")) ?? "";
    expect(failure).toContain("Not saved");
    expect(link).toMatch(/^waybill:\/\/archive\/[0-9a-f]{64}$/);
  });
});
