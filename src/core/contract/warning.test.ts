import { describe, expect, it } from "vitest";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { validateResponse } from "../pipeline/dialect/validate-response.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { successResponse } from "./success-responses.ts";
import { orderWarnings } from "./warning.ts";
import { warningRows } from "./warning-rows.ts";

describe("the severity of a warning that its author left out", () => {
  // shows 001.44
  it.each(warningRows)("of $code is $severity on the wire, as the registry has it", ({ code, severity }) => {
    const built = successResponse({}, { requestId: "req_1", warningDetails: [{ code, message: "m" }] });
    expect(built.meta.warning_details).toEqual([{ code, severity, message: "m" }]);
    expect(validateResponse(built).violations).toEqual([]);
  });

  it("is written for what a handler notes", async () => {
    const tool = defineTool("t", { description: "T" }, (_args, ctx) =>
      ctx.warn({ code: "STALE_CACHE", message: "Old", context: { age: 2 } }),
    );
    const { envelope } = await runTool(tool);
    expect(envelope).toMatchObject({
      meta: {
        warning_details: [{ code: "STALE_CACHE", severity: "warning", message: "Old", context: { age: 2 } }],
      },
    });
  });

  it("stays as the author gave it, and counts as warning where no registry knows the code", () => {
    const given = [
      { code: "STALE_CACHE", severity: "error", message: "a" },
      { code: "OF_MY_OWN", message: "b" },
      { message: "c" },
    ] as const;
    const [first, second, third] = given;
    expect(orderWarnings(given)).toEqual([first, { ...second, severity: "warning" }, third]);
  });

  it("leaves nothing for our own validator to report", () => {
    const envelope = successResponse(
      {},
      { requestId: "req_1", warningDetails: [{ code: "OF_MY_OWN", message: "b" }] },
    );
    expect(validateResponse(envelope).violations).toEqual([]);
  });

  it("makes equal what only lacked it", () => {
    const said = { code: "FALLBACK_USED", message: "m" };
    expect(orderWarnings([said, { ...said, severity: "info" }])).toHaveLength(1);
  });
});
