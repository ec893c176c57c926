import { afterAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { hasPython } from "../services/python.fixture.ts";
import { askDirectly, dataOf, failure, messageOf, success, toolsOf } from "./python-calls.fixture.ts";
import { families, makeProject, saidBy } from "./python-servers.fixture.ts";

const project = makeProject();
afterAll(project.remove);

describe.runIf(hasPython())("a Python server, asked directly", () => {
  it.each(families)("lists its tools, and refuses one that it does not have: %s", async (family) => {
    const { client, call } = await askDirectly(family, project.folder);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolsOf[family]);
    expect(await client.ping()).toEqual({});
    await expect(call(["no_such_tool", {}])).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it("answers in envelopes of response-v2 as Foundry does, and marks no failure", async () => {
    const { client, call } = await askDirectly("foundry", project.folder);
    const envelopeOf = async (asked: readonly [string, JsonObject]): Promise<unknown> => {
      const { text, isError } = saidBy(await call(asked));
      expect(isError).toBeUndefined();
      return JSON.parse(text);
    };
    const meta = { version: "response-v2" };
    expect(await envelopeOf(success.foundry)).toEqual({
      success: true,
      data: dataOf.foundry,
      error: null,
      meta,
    });
    expect(await envelopeOf(failure.foundry)).toEqual({
      success: false,
      data: {
        error_code: "NOT_FOUND",
        error_type: "not_found",
        remediation: "Check that the spec_id exists in specs/active/ or specs/pending/",
        details: { resource_type: "spec", resource_id: "no-such-spec" },
      },
      error: messageOf.foundry,
      meta,
    });
    expect(await envelopeOf(["review", { spec_id: "my-feature" }])).toMatchObject({
      data: { status: "blocked", _warnings: ["The review waits for task-002"] },
    });
    expect(await envelopeOf(["review", { spec_id: "nope" }])).toMatchObject({ success: false, data: {} });
    await client.close();
  });

  it("answers with data alone as Code Scalpel does, and with nine keys in debug", async () => {
    const { client, call } = await askDirectly("scalpel", project.folder);
    const sent = await call(success.scalpel);
    expect(sent["structuredContent"]).toEqual({ data: dataOf.scalpel });
    expect(JSON.parse(saidBy(sent).text)).toEqual(sent["structuredContent"]);
    expect(await call(failure.scalpel)).toMatchObject({
      structuredContent: { error: { error: messageOf.scalpel, error_code: "not_found" } },
      isError: false,
    });
    await client.close();
    const debug = await askDirectly("scalpel", project.folder, {
      SCALPEL_MCP_INFO: "DEBUG",
      SCALPEL_TIER: "pro",
    });
    const { structuredContent } = await debug.call(failure.scalpel);
    expect(Object.entries(structuredContent as JsonObject)).toEqual([
      ["tier", "pro"],
      ["tool_version", "3.3.0"],
      ["tool_id", "extract_code"],
      ["request_id", expect.stringMatching(/^[0-9a-f]{32}$/)],
      ["capabilities", ["envelope-v1"]],
      ["duration_ms", expect.any(Number)],
      ["error", { error: messageOf.scalpel, error_code: "not_found", error_details: null }],
      ["upgrade_hints", []],
      ["data", null],
    ]);
    await debug.client.close();
  });

  it("answers in JSON text and with the prefix as django-rest-framework-mcp does", async () => {
    const { client, call } = await askDirectly("drf", project.folder);
    expect(saidBy(await call(success.drf)).text).toBe(
      '{"id": 1, "name": "Alice", "email": "alice@example.com"}',
    );
    expect(await call(failure.drf)).toEqual({
      content: [{ type: "text", text: `Error executing tool: ${messageOf.drf}` }],
      isError: true,
    });
    await client.close();
  });
});
