import { describe, expect, it } from "vitest";
import { ContractError } from "./contract-error.ts";
import { errorResponse, ToolFault } from "./tool-fault.ts";
import { batchResponse, blockedResponse, successResponse } from "./success-responses.ts";
import { faults } from "./faults.ts";

function refusal(build: () => unknown): ContractError {
  try {
    build();
  } catch (error) {
    if (ContractError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("Nothing was refused");
}

/** As a program without types would write it. */
const loose = (options: Record<string, unknown>): never => options as never;

const wrong: readonly (readonly [() => unknown, option: string, meant: string])[] = [
  [() => errorResponse("x", loose({ error_code: "MISSING_REQUIRED" })), "error_code", "errorCode"],
  [() => errorResponse("x", loose({ error_type: "validation" })), "error_type", "errorType"],
  [() => errorResponse("x", loose({ request_id: "req_1" })), "request_id", "requestId"],
  [() => errorResponse("x", loose({ remediaton: "Wait" })), "remediaton", "remediation"],
  [() => successResponse({}, loose({ content_fidelity: "partial" })), "content_fidelity", "contentFidelity"],
  [() => successResponse({}, loose({ rate_limit: {} })), "rate_limit", "rateLimit"],
  [() => batchResponse([], loose({ id_key: "task_id" })), "id_key", "idKey"],
  [() => blockedResponse(loose({ id: "a", blocker: "b", idkey: "c" })), "idkey", "idKey"],
  [() => new ToolFault("x", loose({ error_code: "NOT_FOUND" })), "error_code", "errorCode"],
  [() => faults.validation("x", loose({ detail: {} })), "detail", "details"],
  [() => faults.notFound("a", "b", loose({ rate_limit: {} })), "rate_limit", "rateLimit"],
  [() => faults.forbidden("x", loose({ permision: "write" })), "permision", "permission"],
  [
    () => faults.unavailable("x", loose({ retry_after_seconds: 3 })),
    "retry_after_seconds",
    "retryAfterSeconds",
  ],
  [() => faults.rateLimited(loose({ retryAfterSeconds: 3, reset_at: 1 })), "reset_at", "resetAt"],
  [() => faults.fromError(new Error("x"), loose({ servise: "Billing" })), "servise", "service"],
  [() => faults.fromResponse(new Response(), loose({ resourse: "Billing" })), "resourse", "resource"],
];

describe("builders and faults", () => {
  // shows 000.20
  it.each(wrong)(
    "refuse an option that they do not know, and say which was meant (%#)",
    (build, option, meant) => {
      const error = refusal(build);
      expect(error).toMatchObject({ code: "INVALID_OPTION", details: { option } });
      expect(error.message).toContain(`"${option}" is not a known option. Did you mean "${meant}"?`);
    },
  );

  it.each([
    [faults.notFound, 'faults.notFound: give what was not found, as in ("task", id), and got undefined.'],
    [faults.upgradeRequired, "faults.upgradeRequired: give { feature, tier, reason }, and got undefined."],
    [batchResponse, "batchResponse: give a list of items, and got undefined."],
    [
      (): unknown => successResponse({}, null as never),
      "successResponse: its options must be an object such as { warnings, warningDetails, pagination }, and got null.",
    ],
  ])("say what they need where they are called without it (%#)", (build, message) => {
    const error = refusal(build as () => unknown);
    expect(error).toMatchObject({ code: "INVALID_OPTION", message });
  });

  it.each([
    [() => successResponse({}, loose({ warnings: "disk full" })), "warnings"],
    [() => successResponse({}, loose({ warnings: [{ code: "A", message: "m" }] })), "warnings"],
    [() => successResponse({}, loose({ warningDetails: { message: "m" } })), "warningDetails"],
    [() => successResponse({}, loose({ warningDetails: [{ code: "A" }] })), "warningDetails"],
  ])("refuse warnings of another form, which no reader knows (%#)", (build, option) => {
    const error = refusal(build);
    expect(error).toMatchObject({ code: "INVALID_OPTION", details: { option } });
    expect(error.message).toMatch(/^warning\w+ must be a list of /);
  });

  it("say what options are where they get something else", () => {
    expect(refusal(() => errorResponse("x", "NOT_FOUND" as never)).message).toBe(
      "errorResponse: its options must be an object such as { errorCode, errorType, remediation }, and got string.",
    );
  });

  it("name all options where none is close", () => {
    expect(refusal(() => successResponse({}, loose({ zzzzzzz: 1 }))).message).toMatch(
      /^successResponse: "zzzzzzz" is not a known option\. Choose one of warnings, warningDetails, /,
    );
  });

  it("take what they always took: a cause, and options that are undefined", () => {
    expect(faults.internal("x", { cause: new Error("why") }).cause).toBeInstanceOf(Error);
    expect(faults.rateLimited({ retryAfterSeconds: 1, limit: 3, period: "minute" }).code).toBe(
      "RATE_LIMIT_EXCEEDED",
    );
    expect(successResponse({}, loose({ nothing: undefined })).success).toBe(true);
  });
});
