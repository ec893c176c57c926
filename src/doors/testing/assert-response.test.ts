import { describe, expect, it } from "vitest";
import { ContractError } from "../../core/contract/contract-error.ts";
import { errorResponse } from "../../core/contract/tool-fault.ts";
import { successResponse } from "../../core/contract/success-responses.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { assertResponse } from "./assert-response.ts";
import { runTool } from "./run-tool.ts";

const good = successResponse({ a: 1 }, { requestId: "req_1", warnings: ["careful"] });

function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    if (ContractError.isInstance(error)) return error.message;
    throw error;
  }
  return "";
}

describe("assertResponse", () => {
  it("takes an envelope, and the result that carries one", async () => {
    assertResponse(good);
    assertResponse(errorResponse("Gone", { errorCode: "NOT_FOUND" }), { dialect: "response-v2" });
    const warned = defineTool("t", { description: "t" }, (_, ctx) => ctx.warn("careful"));
    const { result } = await runTool(warned);
    assertResponse(result, { dialect: "response-v2", meta: ["warnings", "request_id"] });
    const lean = await runTool(warned, {}, { contract: { dialect: "scalpel" } });
    expect(() => assertResponse(lean.result, { dialect: "scalpel" })).not.toThrow();
  });

  it("lists every violation with its rule, its place and what to do", () => {
    const broken = { success: true, data: {}, error: "x", meta: { version: "v9", warnings: 7 } };
    const message = messageOf(() => assertResponse(broken, { dialect: "response-v2" }));
    expect(message).toMatch(/^The response breaks the contract:\n- /);
    const [, ...lines] = message.split("\n- ");
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^[a-z-]+\/[a-z-]+ at \S+: .+\.$/);
  });

  // shows 000.35, 001.104
  it("asks for keys of meta", () => {
    assertResponse(good, { meta: ["warnings", "request_id"] });
    expect(messageOf(() => assertResponse(good, { meta: ["pagination", "toString"] }))).toBe(
      "The response breaks the contract:\n- meta.pagination is missing\n- meta.toString is missing",
    );
  });

  it("counts SHOULD and MAY only when strict", () => {
    const untyped = {
      success: false,
      error: "Gone",
      data: { error_code: "NOT_FOUND" },
      meta: { version: "response-v2" },
    };
    assertResponse(untyped);
    expect(() => assertResponse(untyped, { strict: true })).toThrow(ContractError);
  });

  it("refuses what is no response at all", () => {
    for (const value of [null, 7, "text", []]) {
      expect(() => assertResponse(value, { dialect: "response-v2" })).toThrow(ContractError);
    }
  });
});
