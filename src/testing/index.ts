// The public list of `waybill/testing`: tools without a server, responses against the contract.

export { runTool } from "./run-tool.ts";
export type { RunToolOptions, ToolRun } from "./run-tool.ts";
export { assertResponse } from "./assert-response.ts";
export type { AssertOptions } from "./assert-response.ts";
