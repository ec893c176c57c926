import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { codeOfStatus } from "../pipeline/outcome/failure-words.ts";
import { connectionCodes } from "../pipeline/outcome/known-error.ts";
import { faults } from "./faults.ts";

const SECRET = "sk-live-0123456789abcdef";
const leaky = { error: `key ${SECRET} at /srv/app` };

function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(leaky), { status, statusText: SECRET, headers });
}

describe("faults.fromResponse", () => {
  it("says who answered what, with code, type and details, and nothing that the service wrote", () => {
    const fault = faults.fromResponse(answer(404), { service: "GitHub", resource: "issue 17" });
    expect(fault.fault).toEqual({
      message: "GitHub answered with HTTP 404 for issue 17: The resource does not exist",
      code: "NOT_FOUND",
      type: "not_found",
      remediation: "Check the identifier, or list what exists.",
      details: { service: "GitHub", downstream_status: 404 },
    });
  });

  it.each([
    [400, "VALIDATION_ERROR"],
    [401, "UNAUTHORIZED"],
    [403, "FORBIDDEN"],
    [409, "CONFLICT"],
    [418, "OPERATION_FAILED"],
    [422, "VALIDATION_ERROR"],
    [429, "RATE_LIMIT_EXCEEDED"],
    [500, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
    [504, "TIMEOUT"],
    [520, "UNAVAILABLE"],
  ])("reads HTTP %i as %s", (status, code) => {
    const { fault } = faults.fromResponse(answer(status), { service: "GitHub" });
    expect(fault.code).toBe(code);
    expect(JSON.stringify(fault)).not.toContain("sk-live");
  });

  it("reads a status as the rules for other servers' failures do", () => {
    const statuses = Array.from({ length: 200 }, (_, index) => index + 400);
    const known = statuses.flatMap((status) => {
      const { code } = codeOfStatus(String(status)) ?? {};
      return code === undefined ? [] : [[status, code]];
    });
    const read = known.map(([status]) => [status, faults.fromResponse(answer(Number(status))).code]);
    expect(read).toEqual(known);
  });

  it.each([
    [429, { "retry-after": "30" }, 30],
    [503, { "retry-after": "1.2" }, 2],
    [429, { ratelimit: '"default";r=0;t=45' }, 45],
    [429, { ratelimit: "limit=100, remaining=0, reset=50" }, 50],
    [429, { "ratelimit-reset": "12" }, 12],
    [429, { "x-ratelimit-reset": "1767225660" }, 60],
    [429, { "retry-after": "Thu, 01 Jan 2026 00:02:00 GMT" }, 120],
    [403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225690" }, 90],
    // Neither these words nor more than a day are a time to wait.
    [429, { "retry-after": "0" }, undefined],
    [429, { "retry-after": "-5" }, undefined],
    [429, { "retry-after": "soon" }, undefined],
    [429, { "retry-after": "90000" }, undefined],
    [429, { "retry-after": "Thu, 01 Jan 2020 00:00:00 GMT" }, undefined],
    // A missing resource does not come back by waiting.
    [404, { "retry-after": "30", "x-ratelimit-reset": "1767225660" }, undefined],
    [503, { "x-ratelimit-reset": "1767225660" }, undefined],
  ])("reads how long to wait from HTTP %i with %j", (status, headers, seconds) => {
    vi.useFakeTimers({ now: new Date("2026-01-01T00:00:00Z"), toFake: ["Date"] });
    try {
      const { fault } = faults.fromResponse(answer(status, headers));
      expect(fault.data?.["retry_after_seconds"]).toBe(seconds);
    } finally {
      vi.useRealTimers();
    }
  });

  it("takes a 403 of a service whose limit is reached for what it is", () => {
    const fault = faults.fromResponse(answer(403, { "x-ratelimit-remaining": "0" }), { service: "GitHub" });
    expect(fault.fault).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", details: { executed: "unknown" } });
  });

  it("lets options override what it reads", () => {
    const fault = faults.fromResponse(answer(401), {
      service: "The ledger",
      errorCode: "INTERNAL_ERROR",
      remediation: "Tell the operator.",
      details: { region: "eu" },
    });
    expect(fault.fault).toMatchObject({
      message: "The ledger answered with HTTP 401",
      code: "INTERNAL_ERROR",
      type: "internal",
      remediation: "Tell the operator.",
      details: { service: "The ledger", downstream_status: 401, region: "eu" },
    });
  });

  it.each([
    ["-5", "Retry later, and less often."],
    ["soon", "Retry later, and less often."],
    ["999999", "Do not retry today."],
    ["30", "Wait for the time given, then retry; batch requests where possible."],
  ])("advises what fits a limit with Retry-After %s", (after, remediation) => {
    expect(faults.fromResponse(answer(429, { "retry-after": after })).remediation).toBe(remediation);
  });

  it("takes the time to wait from its author", () => {
    const headers = { "retry-after": "999999" };
    const { fault } = faults.fromResponse(answer(429, headers), { retryAfterSeconds: 7 });
    expect(fault.data?.["retry_after_seconds"]).toBe(7);
    expect(fault.remediation).toMatch(/^Wait for the time given/);
    const read = faults.fromError({ response: { status: 503 } }, { retryAfterSeconds: 9 });
    expect(read.fault.data?.["retry_after_seconds"]).toBe(9);
  });

  it.each([200, 302, 418])("says of HTTP %i what is known of it", (status) => {
    const { fault } = faults.fromResponse(new Response(null, { status }), { service: "GitHub" });
    expect(fault).toMatchObject({
      message: `GitHub answered with HTTP ${status}`,
      code: "OPERATION_FAILED",
      remediation: "Change the request.",
    });
  });

  it("lets go of the body, also of one that somebody reads", async () => {
    const whole = answer(500);
    faults.fromResponse(whole);
    await expect(whole.text()).rejects.toThrow(TypeError);
    const read = answer(500);
    const text = read.text();
    faults.fromResponse(read);
    expect(await text).toContain("key");
    expect(faults.fromResponse(new Response(null, { status: 500 })).code).toBe("UNAVAILABLE");
  });

  it("refuses what is no response, in a sentence", () => {
    for (const wrong of [undefined, null, "404", { status: 404 }, { headers: new Headers() }])
      expect(() => faults.fromResponse(wrong as never)).toThrow(
        "faults.fromResponse takes the Response that fetch gives.",
      );
  });
});

/** The error of a real connection: no server listens at the address. */
async function refusedConnection(): Promise<unknown> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
}

describe("faults.fromError", () => {
  it("reads the code behind fetch's own error", async () => {
    const error = await refusedConnection();
    const fault = faults.fromError(error, { service: "GitHub" });
    expect(fault.fault).toMatchObject({
      message: "GitHub failed: The service or something it needs is away for now",
      code: "UNAVAILABLE",
      details: { service: "GitHub", reason: "ECONNREFUSED" },
    });
    expect(fault.cause).toBe(error);
  });

  it.each([
    ["an abort", new DOMException(SECRET, "AbortError"), "UNAVAILABLE", undefined],
    ["a time limit", new DOMException(SECRET, "TimeoutError"), "TIMEOUT", undefined],
    ["fetch of a browser", new TypeError("Failed to fetch"), "UNAVAILABLE", undefined],
    ["several addresses", new AggregateError([{ code: "ETIMEDOUT" }]), "TIMEOUT", undefined],
    ["axios", { response: { status: 429, headers: { "retry-after": "7" } } }, "RATE_LIMIT_EXCEEDED", 7],
    ["axios without an answer", { name: "AxiosError", code: "ERR_NETWORK" }, "UNAVAILABLE", undefined],
    ["got", { response: { statusCode: 503, headers: { "retry-after": "9" } } }, "UNAVAILABLE", 9],
    ["ky", { response: new Response(null, { status: 404 }) }, "NOT_FOUND", undefined],
    ["octokit", { status: 403, message: SECRET }, "FORBIDDEN", undefined],
    ["the AWS SDK", { $metadata: { httpStatusCode: 409 } }, "CONFLICT", undefined],
    ["undici", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } }, "TIMEOUT", undefined],
    ["anything else", new Error(SECRET), "INTERNAL_ERROR", undefined],
    ["a text", SECRET, "INTERNAL_ERROR", undefined],
    ["nothing", undefined, "INTERNAL_ERROR", undefined],
  ])("reads the error of %s", (_, error, code, seconds) => {
    const { fault } = faults.fromError(error, { service: "GitHub" });
    expect([fault.code, fault.data?.["retry_after_seconds"]]).toEqual([code, seconds]);
    expect(JSON.stringify(fault)).not.toContain("sk-live");
  });

  it("gives every code of a connection the code that a thrown error gets", () => {
    for (const [code, [expected]] of Object.entries(connectionCodes))
      expect([code, faults.fromError({ code }).code]).toEqual([code, expected]);
  });

  it("gives a fault back as it is, also one that is the cause", () => {
    const fault = faults.conflict("The task is done already");
    expect(faults.fromError(fault)).toBe(fault);
    expect(faults.fromError(new Error("wrapped", { cause: fault }))).toBe(fault);
  });

  it("knows nothing of an error that cannot be read, and comes to an end with one that is its own cause", () => {
    const hostile = {
      get response(): never {
        throw new Error(SECRET);
      },
    };
    expect(faults.fromError(hostile).code).toBe("INTERNAL_ERROR");
    const round: { cause?: unknown } = {};
    round.cause = round;
    expect(faults.fromError(round).code).toBe("INTERNAL_ERROR");
  });
});
