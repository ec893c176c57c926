import { describe, expect, it } from "vitest";
import { createContract } from "waybill/server";
import type { AnyTool } from "waybill/server";
import { fuzzTool } from "waybill/testing";
import { workshopTiers } from "../../examples/workshop/callers.ts";
import { DataFiles } from "../../examples/workshop/data-files.ts";
import { workshopFlags } from "../../examples/workshop/flags.ts";
import { analyzeCodeTool, extractCodeTool, securityScanTool } from "../../examples/workshop/tools/code.ts";
import {
  customersDestroyTool,
  customersListTool,
  customersRetrieveTool,
} from "../../examples/workshop/tools/customers.ts";
import { researchTool } from "../../examples/workshop/tools/research.ts";
import { specTool } from "../../examples/workshop/tools/spec.ts";
import { taskTool } from "../../examples/workshop/tools/task.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";

const data = new DataFiles();
const tiers = workshopTiers({});
const contract = createContract({ tiers, flags: workshopFlags({}), logLevel: "silent" });

/** Each tool with arguments that lead somewhere. */
const tools: readonly (readonly [tool: AnyTool, args: readonly Record<string, string>[]])[] = [
  [specTool(data), [{ action: "get", spec_id: "auth-flow" }]],
  [taskTool(data), [{ action: "query", spec_id: "auth-flow" }]],
  [researchTool(data), [{ action: "search", query: "cache" }]],
  [customersListTool(data), []],
  [customersRetrieveTool(data), []],
  [customersDestroyTool(data), []],
  [analyzeCodeTool(data), [{ path: "/store.py" }]],
  [securityScanTool(data, tiers), [{ path: "/store.py" }]],
  [extractCodeTool(data), [{ path: "/store.py", symbol: "Store" }]],
];

describe("the workshop's tools under fuzzTool", () => {
  it.each(someOf(tools, 2).map(([tool, args]) => [tool.name, tool, args] as const))(
    "%s has no findings",
    async (_, tool, args) => {
      // Time enough on a busy machine: what matters here is what the tools do.
      const limits = { runs: isFullRun ? 300 : 25, totalMs: 120_000, timeoutMs: 30_000 };
      const { findings, reached } = await fuzzTool(tool, { args, contract, ...limits });
      expect(findings).toEqual([]);
      expect(reached).toBeGreaterThan(5);
    },
  );
});
