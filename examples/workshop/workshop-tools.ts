import type { Tiers } from "waybill";
import type { AnyTool, CallRequest } from "waybill/server";
import type { KeptData } from "./kept-data.ts";
import { analyzeCodeTool, extractCodeTool, securityScanTool } from "./tools/code.ts";
import { customersDestroyTool, customersListTool, customersRetrieveTool } from "./tools/customers.ts";
import { researchTool } from "./tools/research.ts";
import { specTool } from "./tools/spec.ts";
import { taskTool } from "./tools/task.ts";

export const workshopInfo = { name: "workshop", version: "1.0.0" } as const;

/** The tools, wherever they run: nothing here needs Node. */
export function workshopTools(
  data: KeptData,
  tiers: Tiers<CallRequest>,
  environment: Readonly<Record<string, string | undefined>> = {},
): readonly AnyTool[] {
  return [
    specTool(data),
    taskTool(data),
    researchTool(data, environment),
    customersListTool(data),
    customersRetrieveTool(data),
    customersDestroyTool(data),
    analyzeCodeTool(data),
    securityScanTool(data, tiers),
    extractCodeTool(data),
  ];
}
