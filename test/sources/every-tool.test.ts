import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults, validateResponse } from "../../src/index.ts";
import { defineTool } from "../../src/doors/server/index.ts";
import { runTool } from "../../src/doors/testing/index.ts";
import { type JourneyClient, clientKinds } from "../journeys/clients/connect-client.ts";
import { Connections, HttpWorkshops } from "../journeys/clients/open-workshop.ts";

const [kind] = clientKinds;
const connections = new Connections(kind, "memory", new HttpWorkshops());
let client: JourneyClient;
beforeAll(async () => {
  client = await connections.to({});
});
afterAll(() => connections.close());

const successes = [
  ["spec", { action: "list" }],
  ["task", { action: "list", spec_id: "my-feature" }],
  ["research", { action: "search", query: "" }],
  ["server", { action: "capabilities" }],
] as const;

const failures = [
  ["spec", { action: "get", spec_id: "none" }],
  ["task", { action: "list", spec_id: "none" }],
  ["research", { action: "report", research_id: "none" }],
  ["server", { action: "none" }],
  ["task", { action: "quury" }],
] as const;

const rootKeys = ["success", "data", "error", "meta"];

describe("every tool in the default dialect", () => {
  it.each(successes)("takes a success of %s", async (name, args) => {
    const { structuredContent, isError } = await client.call({ name, arguments: args });
    expect(Object.keys(structuredContent as object)).toEqual(rootKeys);
    expect(structuredContent).toMatchObject({ success: true, error: null, meta: { version: "response-v2" } });
    expect(validateResponse(structuredContent, { dialect: "response-v2" }).violations).toEqual([]);
    expect(isError).toBeUndefined();
  });

  it.each(failures)("takes a failure of %s", async (name, args) => {
    const { structuredContent, isError } = await client.call({ name, arguments: args });
    expect(Object.keys(structuredContent as object)).toEqual(rootKeys);
    expect(structuredContent).toMatchObject({
      success: false,
      error: expect.stringMatching(/\w{3}/),
      meta: { version: "response-v2" },
    });
    expect(validateResponse(structuredContent, { dialect: "response-v2" }).violations).toEqual([]);
    expect(isError).toBe(true);
  });

  it("every failure says what to do next", async () => {
    for (const [name, args] of failures) {
      const { structuredContent } = await client.call({ name, arguments: args });
      expect(structuredContent).toMatchObject({
        data: {
          error_code: expect.stringMatching(/^[A-Z_]+$/),
          error_type: expect.stringMatching(/^[a-z_]+$/),
          remediation: expect.stringMatching(/\w{3}/),
        },
      });
    }
  });
});

describe("a tool of one's own", () => {
  it("a handler without any helper answers in the envelope", async () => {
    const tool = defineTool("example", { description: "Computes" }, () => ({ payload: [1, 2] }));
    const fails = defineTool("fails", { description: "Fails" }, () => {
      throw faults.notFound("spec", "login");
    });
    const { envelope: success } = await runTool(tool, {});
    const { envelope: failure } = await runTool(fails, {});
    expect([success, failure].map((envelope) => Object.keys(envelope as object))).toEqual([
      rootKeys,
      rootKeys,
    ]);
    expect(success).toMatchObject({
      success: true,
      data: { payload: [1, 2] },
      meta: { version: "response-v2" },
    });
    expect(failure).toMatchObject({ success: false, data: { error_code: "NOT_FOUND" } });
  });
});
