import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../engine/settings/resolve-config.ts";
import { runTool } from "../testing/run-tool.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";

const echo = defineTool("echo", { description: "Echo" }, () => ({ said: "hi" }));
const settingsOf = (flags: object) =>
  resolveConfig({
    waybill: { file: "waybill.config.json", text: JSON.stringify({ flags }) },
    environment: {},
  }).settings;

describe("flags of the configuration", () => {
  // shows 000.28, 004.68
  it("turn response-v2 into the legacy form, and log each use with its sunset date", async () => {
    const lines: [object, string][] = [];
    const note = (fields: object, message: string): void => void lines.push([fields, message]);
    const { result } = await runTool(
      echo,
      {},
      {
        contract: {
          config: settingsOf({ response_contract_v2: { default: false, sunset: "2027-06-30" } }),
          logger: { info: note, warn: note, error: note },
          logLevel: "warn",
          validate: "always",
        },
      },
    );
    expect(result["structuredContent"]).toEqual({ said: "hi" });
    expect(lines).toMatchObject([
      [
        {
          request_id: expect.stringMatching(/^req_/),
          tool: "echo",
          flag: "response_contract_v2",
          sunset: "2027-06-30",
        },
        "legacy-response",
      ],
    ]);
  });

  it("gate a tool that names one", async () => {
    const gated = defineTool("gated", { description: "Gated", flag: "fast_search" }, () => ({ ok: 1 }));
    const off = await runTool(
      gated,
      {},
      { contract: { config: settingsOf({ fast_search: { default: false } }) } },
    );
    expect(off.outcome).toMatchObject({ ok: false, fault: { code: "FEATURE_DISABLED" } });
    const on = await runTool(
      gated,
      {},
      { contract: { config: settingsOf({ fast_search: { default: true } }) } },
    );
    expect(on.outcome).toMatchObject({ ok: true });
  });
});
