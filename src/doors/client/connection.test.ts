import { describe, expect, it } from "vitest";
import { ContractError } from "../../core/contract/contract-error.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { contractClient } from "./contract-client.ts";

const result = { structuredContent: successResponse({ n: 1 }, { requestId: "req_1" }) };
const never = (): Promise<never> => new Promise(() => undefined);

describe("a bare function", () => {
  it("may hand on a whole JSON-RPC message: its result is read, its error is a failure", async () => {
    const whole = contractClient(async () => ({ jsonrpc: "2.0", id: 1, result }));
    expect((await whole.call("work")).data).toEqual({ n: 1 });
    const failed = contractClient(async () => ({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: "nope" },
    }));
    await expect(failed.call("work")).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: "nope" });
  });

  it("that never answers is given up when the time is over", async () => {
    const { code, details, remediation } = await contractClient(never, { retry: false })
      .tryCall("work", {}, { timeoutMs: 20 })
      .then((tried) => (tried.ok ? ({} as never) : tried.error));
    expect(code).toBe("TIMEOUT");
    expect(details).toMatchObject({ executed: "unknown" });
    expect(remediation).toMatch(/^Check first whether the call took effect.* timeoutMs/);
  });

  it("that ignores an abort does not keep the caller waiting", async () => {
    const gone = new AbortController();
    const call = contractClient(never).call("work", {}, { signal: gone.signal });
    gone.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  });
});

describe("contractClient", () => {
  it.each([
    [{ retries: 5 }, /"retries" is 5. There is no such option: choose one of budget, dialect/],
    [{ retry: 5 }, /"retry" is 5. Write an object, or false/],
    [{ retry: null }, /"retry" is null/],
    [{ retry: { tries: 5 } }, /"retry.tries" is 5. There is no such option: choose one of attempts/],
    [{ retry: { attempts: 0 } }, /"retry.attempts" is 0. Write a number of at least 1/],
    [{ timeoutMs: -1 }, /"timeoutMs" is -1. Write a number of at least 1/],
    [{ timeoutMs: Number.NaN }, /"timeoutMs" is null/],
    [{ strict: "yes" }, /"strict" is "yes". Write a boolean/],
    [{ onCall: true }, /"onCall" is true. Write a function/],
    [{ budget: "of" }, /"budget" is "of". Write "server", "off", or a number/],
    [{ budget: 0 }, /"budget" is 0/],
  ])("refuses %j", (options, message) => {
    const refused = { code: "INVALID_OPTION", message: expect.stringMatching(message) };
    expect(() => contractClient(never, options as never)).toThrow(expect.objectContaining(refused));
  });

  it("says what complete and retrieve take", async () => {
    const client = contractClient(async () => result);
    const pending = client.call("work");
    await expect(client.complete(pending as never)).rejects.toThrow(ContractError);
    await expect(client.retrieve(await pending, "f-1" as never)).rejects.toThrow("takes a list of ids");
  });
});
