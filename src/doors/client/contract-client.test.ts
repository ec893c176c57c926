import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { SdkClientLike } from "./connection.ts";
import { contractClient } from "./contract-client.ts";
import { cutPair } from "./cut-pair.fixture.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import { failure, scripted, success } from "./scripted.fixture.ts";

describe("contractClient", () => {
  it.each([undefined, null, 7, "server", {}, { callTool: 1 }])(
    "refuses %j, which calls no tool",
    (target) => {
      expect(() => contractClient(target as unknown as SdkClientLike)).toThrow(/takes an MCP SDK client/);
    },
  );

  // shows 004.63, 004.71
  it("gives an outcome as a value, failed or not", async () => {
    const { client } = scripted([success({ n: 1 }), failure("Gone", { errorCode: "NOT_FOUND" })]);
    expect(await client.tryCall("work", { a: 1 })).toMatchObject({ ok: true, data: { n: 1 } });
    const failed = await client.tryCall("work", { a: 1 });
    expect(failed).toMatchObject({ ok: false, called: { tool: "work", args: { a: 1 } } });
    expect(ResponseError.isInstance((failed as { error?: unknown }).error)).toBe(true);
  });

  // shows 004.79
  it("shows what failed of partial work", async () => {
    const failures = [{ task_id: "t-2", error: "locked" }];
    const { client } = scripted([
      success({ processed: 2, failed: 1, failures }),
      success({ failures: "none" }),
    ]);
    expect((await client.call("work")).failures).toEqual(failures);
    expect((await client.call("work")).failures).toEqual([]);
  });

  // shows 004.76
  it("reads data with the caller's own schema, and says where it does not fit", async () => {
    const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
    const { client } = scripted([success({ at: "2026-01-01" }), success({ at: 7 }, { requestId: "req_7" })]);
    const { data } = await client.call("work", {}, { schema });
    expect(data).toEqual({ at: new Date("2026-01-01") });
    await expect(client.call("work", {}, { schema })).rejects.toMatchObject({
      code: "NOT_AS_ASKED",
      message: expect.stringContaining("data at at:"),
      requestId: "req_7",
    });
  });

  it("leaves a stub to those who complete it, whatever the schema", async () => {
    const schema = z.object({ rows: z.array(z.object({ id: z.int() })) });
    const pair = await cutPair();
    pair.given.value = { rows: Array.from({ length: 40 }, (_, id) => ({ id, text: "x ".repeat(900) })) };
    const client = pair.byTool();
    const stub = await client.call("read", {}, { schema, budget: 256 });
    expect(stub.fidelity).toMatch(/summary|reference_only/);
    const whole = await client.call("read", {}, { schema, budget: 256, complete: true });
    expect(whole.data.rows).toHaveLength(40);
  });

  it("negotiates with the server's own tool", async () => {
    const client = (await cutPair()).byTool();
    expect(await client.negotiate()).toMatchObject({
      negotiated: { response_version: "response-v2", dialect: "response-v2" },
    });
    expect(await client.negotiate({ response_contract: "v9" })).toMatchObject({
      negotiated: { response_version: "response-v2" },
    });
  });

  it("says of a call that no server took that it did not run", async () => {
    const unknown = Object.assign(new Error("MCP error -32602: Tool nope not found"), { code: -32602 });
    const { client, calls } = scripted([unknown], { retry: { repeat: "always" } });
    await expect(client.call("nope")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      type: "validation",
      details: { tool: "nope", executed: "no", json_rpc_code: -32602 },
      cause: unknown,
    });
    expect(calls).toHaveLength(1);
  });

  it("does not say so of a result that the SDK refused: the tool ran", async () => {
    const refused = Object.assign(
      new Error("Structured content does not match the tool's output schema: x"),
      {
        code: -32602,
      },
    );
    const { client } = scripted([refused]);
    const { error } = (await client.tryCall("work")) as { error: ResponseError };
    expect(error.code).toBe("INVALID_RESPONSE");
    expect(error.details).toEqual({ tool: "work" });
  });

  it("asks again about a tool that is not on the list it knows, but only once", async () => {
    let listed = 0;
    const away = failure("Away", { errorCode: "UNAVAILABLE" });
    const names = [["old"], ["old", "new"]];
    const client = contractClient(
      {
        callTool: () => Promise.resolve(away),
        listTools: () => {
          const known = names[Math.min(listed++, 1)] ?? [];
          return Promise.resolve({
            tools: known.map((name) => ({ name, annotations: { readOnlyHint: true } })),
          });
        },
      },
      { wait: async () => {} },
    );
    const seen: number[] = [];
    for (const name of ["old", "new", "none", "none"]) {
      await client.tryCall(name);
      seen.push(listed);
    }
    expect(seen).toEqual([1, 2, 3, 3]);
  });

  it("lets a tool pass on what another tool said", async () => {
    const pair = await cutPair();
    const { client } = scripted([
      failure("Gone", { errorCode: "TASK_NOT_FOUND", remediation: "List them." }),
    ]);
    pair.given.value = await client.call("work").catch((thrown: unknown) => thrown);
    await expect(pair.byTool().call("read")).rejects.toMatchObject({
      message: "Gone",
      code: "TASK_NOT_FOUND",
      type: "not_found",
      remediation: "List them.",
    });
  });
});
