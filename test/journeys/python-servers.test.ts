import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { someOf } from "../arbitrary/law-runs.ts";
import type { JsonObject } from "../../src/json/json-value.ts";
import { hasPython } from "../services/python.fixture.ts";
import {
  type Family,
  choices,
  commandOf,
  connectTo,
  families,
  makeProject,
  openGateway,
  saidBy,
} from "./python-servers.fixture.ts";

const toolsOf: Record<Family, readonly string[]> = {
  foundry: ["spec_get", "task_query", "research_report", "review"],
  scalpel: ["analyze_code", "security_scan", "extract_code"],
  drf: ["customers_list", "customers_retrieve", "customers_destroy", "orders_list", "orders_retrieve"],
};
const success: Record<Family, readonly [string, JsonObject]> = {
  foundry: ["spec_get", { spec_id: "my-feature" }],
  scalpel: ["extract_code", { path: "store.py", symbol: "load" }],
  drf: ["customers_retrieve", { kwargs: { pk: "1" } }],
};
const failure: Record<Family, readonly [string, JsonObject]> = {
  foundry: ["spec_get", { spec_id: "no-such-spec" }],
  scalpel: ["extract_code", { path: "/missing.py", symbol: "main" }],
  drf: ["customers_retrieve", { kwargs: { pk: "999999" } }],
};
const large: Record<Family, readonly [string, JsonObject]> = {
  foundry: ["research_report", {}],
  scalpel: ["analyze_code", { path: "large.py" }],
  drf: ["orders_list", {}],
};
const extracted = "def load(raw):\n    return pickle.loads(raw)";
const dataOf: Record<Family, unknown> = {
  foundry: { spec: { spec_id: "my-feature", title: "Sign in and out", folder: "active" }, tasks: 2 },
  scalpel: { symbol: "load", line: 3, code: extracted },
  drf: { id: 1, name: "Alice", email: "alice@example.com" },
};
const messageOf: Record<Family, string> = {
  foundry: "Spec not found: no-such-spec",
  scalpel: "File not found: /missing.py",
  drf: "ViewSet returned error: {'detail': 'Not found.'}",
};

const project = makeProject();
let gateway: Awaited<ReturnType<typeof openGateway>> | undefined;
afterAll(async () => {
  await gateway?.close();
  project.remove();
});

/** What a server itself answers to these calls, by a client without a gateway. */
async function askDirectly(family: Family, env: Readonly<Record<string, string>> = {}) {
  const client = await connectTo(commandOf(family, project.folder), env);
  const call = async ([name, args]: readonly [string, JsonObject]): Promise<JsonObject> =>
    (await client.callTool({ name, arguments: args })) as JsonObject;
  return { client, call };
}

describe.runIf(hasPython())("a Python server, asked directly", () => {
  it.each(families)("lists its tools, and refuses one that it does not have: %s", async (family) => {
    const { client, call } = await askDirectly(family);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolsOf[family]);
    expect(await client.ping()).toEqual({});
    await expect(call(["no_such_tool", {}])).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it("answers in envelopes of response-v2 as Foundry does, and marks no failure", async () => {
    const { client, call } = await askDirectly("foundry");
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
    const { client, call } = await askDirectly("scalpel");
    const sent = await call(success.scalpel);
    expect(sent["structuredContent"]).toEqual({ data: dataOf.scalpel });
    expect(JSON.parse(saidBy(sent).text)).toEqual(sent["structuredContent"]);
    expect(await call(failure.scalpel)).toMatchObject({
      structuredContent: { error: { error: messageOf.scalpel, error_code: "not_found" } },
      isError: false,
    });
    await client.close();
    const debug = await askDirectly("scalpel", { SCALPEL_MCP_INFO: "DEBUG", SCALPEL_TIER: "pro" });
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
    const { client, call } = await askDirectly("drf");
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

const cases = families.slice(0, 1).flatMap((family) => choices.map((choice) => ({ family, choice })));

describe.runIf(hasPython()).each(someOf(cases, 3))(
  "$family behind the gateway, in $choice",
  ({ family, choice }) => {
    let behind: Awaited<ReturnType<Awaited<ReturnType<typeof openGateway>>["connect"]>>;
    beforeAll(async () => {
      gateway ??= await openGateway(project.folder);
      behind = await gateway.connect(family, choice);
    });
    afterAll(() => behind.client.close());

    it("lists the same tools, and one to retrieve", async () => {
      const names = (await behind.client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual([...toolsOf[family], "waybill_retrieve"]);
    });

    it("gives the same data", async () => {
      expect((await behind.tools.call(...success[family])).data).toEqual(dataOf[family]);
    });

    it("fails with a code, and in the words of the server", async () => {
      const tried = await behind.tools.tryCall(...failure[family]);
      expect(tried).toMatchObject({
        ok: false,
        error: { canonicalCode: "NOT_FOUND", message: messageOf[family] },
      });
      expect((await behind.call(...failure[family]))["isError"]).toBe(true);
    });

    it("cuts what is too long, and gives everything back", async () => {
      const direct = await askDirectly(family);
      const sent = JSON.parse(saidBy(await direct.call(large[family])).text) as JsonObject;
      await direct.client.close();
      const answer = await behind.tools.call(...large[family]);
      expect(answer.fidelity).toBe("partial");
      expect(Object.values(answer.archives)).toHaveLength(1);
      expect((await behind.tools.complete(answer)).data).toEqual(family === "drf" ? sent : sent["data"]);
    });
  },
);
