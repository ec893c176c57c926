import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { ResponseError } from "../../src/core/contract/response-error.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";

const TOOL_FAILURE = "io.modelcontextprotocol/toolFailure";

async function connect(server: McpServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

/** A server behind the contract whose one tool answers as told. */
async function attached(options: ContractOptions = {}) {
  const mcp = new McpServer({ name: "foreign", version: "1.0.0" });
  let next: JsonObject = {};
  mcp.registerTool("fail", {}, () => next as never);
  attachContract(mcp, { logLevel: "silent", dialect: "response-v2", validate: "always", ...options });
  const client = await connect(mcp);
  const call = async (result: JsonObject): Promise<JsonObject> => {
    next = { isError: true, content: [], ...result };
    return (await client.callTool({ name: "fail", arguments: {} })) as JsonObject;
  };
  return { call, client, close: () => client.close() };
}

const said = (text: string): JsonObject => ({ content: [{ type: "text", text }] });

/** What servers in use print when they fail, each shape once: who prints it, the text, the code it gets. */
const texts: readonly (readonly [string, string, string])[] = [
  ["files", "Error: Access denied - path outside allowed directories: /etc/x not in /srv", "FORBIDDEN"],
  ["files", "ENOENT: no such file or directory, open '/srv/a.txt'", "NOT_FOUND"],
  ["files", "Error: ENOENT: no such file or directory, stat '/srv/a'", "NOT_FOUND"],
  ["files", "EACCES: permission denied, open '/srv/a.txt'", "FORBIDDEN"],
  ["files", "EEXIST: file already exists, mkdir '/srv/a'", "DUPLICATE_ENTRY"],
  ["files", "EISDIR: illegal operation on a directory, read", "INVALID_PATH"],
  ["files", "Parent directory does not exist: /srv/none", "NOT_FOUND"],
  ["files", "Could not find exact match for edit:\nconst a = 1", "OPERATION_FAILED"],
  ["memory", "Entity with name Alice not found", "NOT_FOUND"],
  ["Python SDK", "Error executing tool read: [Errno 2] No such file or directory: 'a'", "NOT_FOUND"],
  ["Python SDK", "Error executing tool read: [Errno 13] Permission denied: 'a'", "FORBIDDEN"],
  ["Python SDK", "Input validation error: 'path' is a required property", "VALIDATION_ERROR"],
  ["FastMCP", "Error calling tool 'get_page': Page not found", "NOT_FOUND"],
  ["SDK 1", "MCP error -32602: Input validation error: Invalid arguments for tool x", "VALIDATION_ERROR"],
  ["SDK 1", "MCP error -32001: Request timed out", "TIMEOUT"],
  ["code host", "failed to get issue: GET https://h.example/issues/9: 404 Not Found []", "NOT_FOUND"],
  [
    "code host",
    "failed to search: 403 API rate limit of 60 still exceeded until 10:05",
    "RATE_LIMIT_EXCEEDED",
  ],
  ["code host", "failed to get user: 401 Bad credentials []", "UNAUTHORIZED"],
  ["code host", "failed to merge: 403 Resource not accessible by integration []", "FORBIDDEN"],
  ["code host", "missing required parameter: owner", "MISSING_REQUIRED"],
  ["fetch", "Failed to fetch https://a.example/x - status code 404", "NOT_FOUND"],
  ["fetch", "Failed to fetch https://a.example/x - status code 503", "UNAVAILABLE"],
  ["fetch", "Failed to fetch https://a.example/x - status code 403", "FORBIDDEN"],
  ["search", "Error: Rate limit exceeded", "RATE_LIMIT_EXCEEDED"],
  ["search", "Rate limited due to too many requests. Please try again later.", "RATE_LIMIT_EXCEEDED"],
  ["search", "Monthly rate limit exceeded. Upgrade your plan to continue.", "OPERATION_FAILED"],
  ["search", "API error (429): monthly quota used up", "OPERATION_FAILED"],
  ["search", "Search API error: 422 Unprocessable Entity", "VALIDATION_ERROR"],
  ["documentation", "The library you are trying to access does not exist.", "NOT_FOUND"],
  ["documentation", "Documentation page /react/19 not found", "NOT_FOUND"],
  ["tracker", "API error (404): The requested resource does not exist", "NOT_FOUND"],
  ["tracker", "Issue ABC-1 does not exist or you do not have permission to see it.", "NOT_FOUND"],
  ["payments", "No such customer: 'cus_1'", "NOT_FOUND"],
  ["database", 'error: relation "tasks" does not exist', "NOT_FOUND"],
  ["database", "Database error: no such table: tasks", "NOT_FOUND"],
  ["database", "connect ECONNREFUSED 127.0.0.1:5432", "UNAVAILABLE"],
  ["cluster", 'pods "web-1" not found', "NOT_FOUND"],
  ["containers", "Error response from daemon: No such container: web", "NOT_FOUND"],
  ["cloud", "An error occurred (AccessDenied) when calling GetObject: Access Denied", "FORBIDDEN"],
  [
    "cloud",
    "An error occurred (ThrottlingException) when calling List: Rate exceeded",
    "RATE_LIMIT_EXCEEDED",
  ],
  ["browser", "TimeoutError: page.goto: Timeout 30000ms exceeded.\nCall log:\n  - navigating", "TIMEOUT"],
  ["browser", "page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/", "UNAVAILABLE"],
  ["browser", "Browser executable not found; run the install command first", "OPERATION_FAILED"],
  ["shell", "bash: foo: command not found", "OPERATION_FAILED"],
  ["shell", "spawn git ENOENT", "OPERATION_FAILED"],
  ["set-up", "API key not found. Set the SEARCH_API_KEY environment variable.", "OPERATION_FAILED"],
  ["set-up", "Cannot find module './x'", "OPERATION_FAILED"],
  ["anything", "The disk is full", "OPERATION_FAILED"],
  ["anything", "3 tests failed: the page not found handler", "OPERATION_FAILED"],
  ["anything", `Log: a page was not found\n${"a line\n".repeat(1_000)}`, "OPERATION_FAILED"],
  ["anything", `all went wrong: ${"word ".repeat(100)}not found`, "OPERATION_FAILED"],
  ["anything", "", "OPERATION_FAILED"],
];

const foreign = (more: JsonObject): JsonObject => ({
  class: "reliability",
  code: "x",
  correlationId: "abc",
  ...more,
});

/** A foreign mark, the code it gives, and what a caller may do. */
const marks: readonly (readonly [JsonObject, string, string])[] = [
  [{ class: "capability", code: "invalid_input" }, "VALIDATION_ERROR", "fix_input"],
  [{ class: "governance", code: "auth_required" }, "UNAUTHORIZED", "reauthenticate"],
  [{ class: "governance", code: "permission_denied" }, "FORBIDDEN", "never"],
  [{ class: "capability", code: "resource_not_found" }, "NOT_FOUND", "never"],
  [{ class: "governance", code: "policy_blocked" }, "FEATURE_DISABLED", "check_flag"],
  [{ class: "governance", code: "user_action_required" }, "UPGRADE_REQUIRED", "check_flag"],
  [{ class: "capability", code: "capability_unsupported" }, "NOT_IMPLEMENTED", "never"],
  [{ code: "retryable_transient_error", retryable: true }, "UNAVAILABLE", "backoff"],
  [{ code: "rate_limited", retryable: true }, "RATE_LIMIT_EXCEEDED", "after_delay"],
  [{ code: "internal_error", retryable: false }, "INTERNAL_ERROR", "never"],
  [{ class: "governance", code: "moon_phase" }, "FORBIDDEN", "never"],
  [{ class: "capability", code: "moon_phase" }, "NOT_IMPLEMENTED", "never"],
  [{ class: "reliability", code: "moon_phase" }, "OPERATION_FAILED", "never"],
  [{ class: "reliability", code: "moon_phase", retryable: true }, "UNAVAILABLE", "backoff"],
];

describe("a failure of another server", () => {
  let server: Awaited<ReturnType<typeof attached>>;
  beforeAll(async () => {
    server = await attached();
  });
  afterAll(() => server.close());

  const dataOf = (result: JsonObject): JsonObject =>
    (result["structuredContent"] as JsonObject)["data"] as JsonObject;

  it.each(texts)("gets a code where its text leaves no doubt: %s, %.60s", async (_who, text, code) => {
    const result = await server.call(said(text));
    expect(dataOf(result)["error_code"]).toBe(code);
    const { error } = result["structuredContent"] as JsonObject;
    expect(error).toBe(text.trim() || "The tool failed without a message");
  });

  it("says how long to wait where the text does, and that the tool may have run", async () => {
    const data = dataOf(
      await server.call(said("Rate limit exceeded, please retry after 30s, resets at 10:05")),
    );
    expect(data["retry_after_seconds"]).toBe(30);
    expect(data["details"]).toEqual({ executed: "unknown" });
  });

  it.each(marks)("is what it says of itself before what its text says: %j", async (mark, code, rule) => {
    const sent = foreign(mark);
    const result = await server.call({
      ...said("Rate limit exceeded"),
      _meta: { [TOOL_FAILURE]: sent, "a/b": 1 },
    });
    expect(dataOf(result)["error_code"]).toBe(code);
    expect(result["_meta"]).toMatchObject({ [TOOL_FAILURE]: sent, "a/b": 1 });
    const error: unknown = await contractClient(() => Promise.resolve(result), { retry: false })
      .call("fail", {})
      .catch((thrown: unknown) => thrown);
    expect((error as ResponseError).retryRule).toBe(rule);
  });

  it("passes the guidance and the time to wait of a foreign mark on", async () => {
    const mark = foreign({ retryable: true, retryNotBefore: Date.now() + 9_500, agentGuidance: "Ask Bob." });
    const data = dataOf(await server.call({ ...said("no"), _meta: { [TOOL_FAILURE]: mark } }));
    expect(data["remediation"]).toBe("Ask Bob.");
    expect([9, 10]).toContain(data["retry_after_seconds"]);
  });

  it("keeps a foreign mark with secrets in it as it is, where ours is sent too", async () => {
    const marked = await attached({ standards: ["toolFailure"] });
    const mark = foreign({ agentGuidance: `use token=${"a1b2".repeat(8)}` });
    const result = await marked.call({ ...said("no"), _meta: { [TOOL_FAILURE]: mark } });
    expect((result["_meta"] as JsonObject)[TOOL_FAILURE]).toEqual(mark);
    await marked.close();
  });
});

/** The marks that a contract of one's own sends for failures. */
async function marksOf(run: () => unknown, options: ContractOptions, meta?: JsonObject) {
  const lines: object[] = [];
  const note = (fields: object, event: string): void => void lines.push({ ...fields, event });
  const logger = { debug: note, info: note, warn: note, error: note };
  const contract = createContract({ logger, dialect: "response-v2", validate: "always", ...options });
  const tool = defineTool("fail", { description: "Fails" }, () => run());
  const mcp = new McpServer({ name: "s", version: "1.0.0" });
  contract.server(mcp).add(tool);
  const client = await connect(mcp);
  const params = { name: "fail", arguments: {}, ...(meta === undefined ? {} : { _meta: meta }) };
  const result = (await client.callTool(params)) as JsonObject;
  await client.close();
  return { mark: (result["_meta"] as JsonObject)[TOOL_FAILURE] as JsonObject | undefined, result, lines };
}

const own: readonly (readonly [() => unknown, JsonObject])[] = [
  [() => faults.validation("x"), { class: "capability", code: "invalid_input" }],
  [() => faults.unauthorized(), { class: "governance", code: "auth_required" }],
  [() => faults.forbidden(), { class: "governance", code: "permission_denied" }],
  [() => faults.notFound("task", "1"), { class: "capability", code: "resource_not_found" }],
  [() => faults.conflict("x"), { class: "capability", code: "conflict" }],
  [() => faults.featureDisabled("x"), { class: "governance", code: "policy_blocked" }],
  [
    () => faults.upgradeRequired({ feature: "a", tier: "pro", reason: "" }),
    { class: "governance", code: "user_action_required" },
  ],
  [() => faults.internal(), { class: "reliability", code: "internal_error" }],
  [() => faults.unavailable(), { class: "reliability", code: "retryable_transient_error", retryable: true }],
  [
    () => faults.rateLimited({ retryAfterSeconds: 5, resetAt: new Date(90_000) }),
    { class: "reliability", code: "rate_limited", retryable: true, retryNotBefore: 90_000 },
  ],
  [
    () => faults.unavailable("x", { retryAfterSeconds: 3 }),
    { class: "reliability", code: "retryable_transient_error", retryable: true, retryNotBefore: 4_000 },
  ],
];

describe("the option standards", () => {
  it.each(own)("adds the draft's mark to a failure: %#", async (make, expected) => {
    const options: ContractOptions = { standards: ["toolFailure"], now: () => 1_000 };
    const { mark, result } = await marksOf(() => Promise.reject(make()), options);
    const { data, meta } = result["structuredContent"] as { data: JsonObject; meta: JsonObject };
    expect(mark).toEqual({
      ...expected,
      correlationId: meta["request_id"],
      agentGuidance: data["remediation"],
    });
  });

  it("makes an id of its own where the client gave the request's, and logs both", async () => {
    const meta = { "waybill/request_id": "mine-1" };
    const fail = (): never => {
      throw faults.conflict("x");
    };
    const { mark, lines } = await marksOf(fail, { standards: ["toolFailure"] }, meta);
    const correlationId = mark?.["correlationId"] as string;
    expect(correlationId).toMatch(/^req_[0-9a-f]{12}$/);
    const line = lines.find((each) => JSON.stringify(each).includes(correlationId));
    expect(line).toMatchObject({ request_id: "mine-1", event: "tool-failure-sent" });
  });

  it("adds nothing to a success, nor where it is off", async () => {
    expect((await marksOf(() => ({ a: 1 }), { standards: ["toolFailure"] })).mark).toBeUndefined();
    const off = await marksOf(() => Promise.reject(faults.conflict("x")), {});
    expect(off.mark).toBeUndefined();
  });

  it("refuses a standard that it does not know", () => {
    expect(() => createContract({ standards: ["toolFailures"] as never })).toThrow(/toolFailure/);
  });
});

describe("a client", () => {
  it("reads the draft's refusal for a rate limit, waits as told, and calls again", async () => {
    const pauses: number[] = [];
    let calls = 0;
    const refusal = Object.assign(new Error("Slow down"), { code: -32023, data: { retryAfterMs: 1_250 } });
    const client = contractClient(
      () => {
        calls += 1;
        if (calls === 1) return Promise.reject(refusal);
        return Promise.resolve({ content: [{ type: "text", text: "{}" }], structuredContent: {} });
      },
      { wait: async (ms) => void pauses.push(ms) },
    );
    await client.call("work", {});
    expect({ calls, pauses }).toEqual({ calls: 2, pauses: [2_000] });
    const error: unknown = await contractClient(() => Promise.reject(refusal), { retry: false })
      .call("work", {})
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      retryRule: "after_delay",
      retryAfterSeconds: 2,
    });
  });

  it("reads what a server without a contract says of its failure", async () => {
    const mark = foreign({ class: "capability", code: "resource_not_found", agentGuidance: "Look again." });
    const result = { ...said("no"), isError: true, _meta: { [TOOL_FAILURE]: mark } };
    const error: unknown = await contractClient(() => Promise.resolve(result), { retry: false })
      .call("work", {})
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "NOT_FOUND", remediation: "Look again.", retryRule: "never" });
  });

  it("does not repeat a tool by itself where the limit is that of something behind it", async () => {
    let calls = 0;
    const failed = {
      isError: true,
      content: [],
      structuredContent: {
        success: false,
        data: {
          error_code: "RATE_LIMIT_EXCEEDED",
          error_type: "rate_limit",
          details: { executed: "unknown" },
        },
        error: "A service limits its requests",
        meta: { version: "response-v2" },
      },
    };
    const client = contractClient(
      () => {
        calls += 1;
        return Promise.resolve(failed);
      },
      { wait: async () => undefined },
    );
    await expect(client.call("work", {})).rejects.toThrow(ResponseError);
    expect(calls).toBe(1);
  });
});
