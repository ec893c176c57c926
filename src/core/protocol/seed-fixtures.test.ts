import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { initializeResult, jsonRpcResult, toolResult } from "./build-results.ts";
import { methodNotFound, parseError } from "./json-rpc-error.ts";
import { validateMessage } from "./validate-message.ts";

interface SeedFixture {
  readonly file: string;
  readonly level: string;
  readonly method?: string;
}

function readSeed(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../test/fixtures/seeds/${file}`, import.meta.url), "utf8"));
}

const index = readSeed("index.json") as readonly SeedFixture[];
const messages = index.filter(({ level }) => level === "message" || level === "request");
const results = index.filter(({ level, method }) => level === "result" && method !== undefined);

describe("the messages of seed 003", () => {
  it("are all here", () => {
    expect([messages.length, results.length]).toEqual([8, 4]);
  });

  // shows 003.31 with 003-L145-request-customers-list.json
  // shows 003.33 with 003-L178-request-customers-retrieve.json
  // shows 003.35 with 003-L212-request-invalid-method.json
  it.each(messages)("$file breaks no rule", ({ file, method }) => {
    const json = readSeed(file);
    expect(validateMessage(json, { method })).toEqual({ valid: true, violations: [] });
    expect(validateMessage(json)).toEqual({ valid: true, violations: [] });
  });

  // shows 003.30
  it.each(results)("$file breaks no rule as a result", ({ file, method }) => {
    const json = { jsonrpc: "2.0", result: readSeed(file), id: 1 };
    expect(validateMessage(json, { method })).toEqual({ valid: true, violations: [] });
  });

  it.each([
    ["003-L145-request-customers-list.json", "003-L159-response-customers-list.json"],
    ["003-L178-request-customers-retrieve.json", "003-L192-response-customers-retrieve-missing.json"],
    ["003-L212-request-invalid-method.json", "003-L223-response-method-not-found.json"],
  ])("%s is answered by %s", (request, response) => {
    const verdict = validateMessage(readSeed(response), { request: readSeed(request) });
    expect(verdict).toEqual({ valid: true, violations: [] });
  });
});

describe("the builders", () => {
  // shows 003.1, 003.37
  it("write the seed's messages byte for byte", () => {
    const failure = "Error executing tool: ViewSet returned error: {'detail': 'Not found.'}";
    const built = {
      "003-L034-jsonrpc-error.json": parseError(),
      "003-L017-jsonrpc-success.json": jsonRpcResult(
        "init-1",
        initializeResult({
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "django-rest-framework-mcp", version: "0.1.0" },
        }),
      ),
      "003-L192-response-customers-retrieve-missing.json": jsonRpcResult(
        2,
        toolResult({ text: failure, isError: true }),
      ),
      "003-L223-response-method-not-found.json": methodNotFound(3, "invalid_method"),
    };
    for (const [file, message] of Object.entries(built)) {
      expect(JSON.stringify(message)).toBe(JSON.stringify(readSeed(file)));
    }
  });
});
