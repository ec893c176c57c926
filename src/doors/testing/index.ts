// The public list of `waybill/testing`: runs tools without a server, judges responses, and checks whole servers.

export { runTool } from "./run-tool.ts";
export type { RunToolOptions, ToolRun } from "./run-tool.ts";
export { assertResponse } from "./assert-response.ts";
export type { AssertOptions } from "./assert-response.ts";
export { expectServer } from "./expect-server.ts";
export type { ExpectOptions } from "./expect-server.ts";
export { fuzzTool } from "./fuzz/fuzz-tool.ts";
export type { FuzzOptions } from "./fuzz/fuzz-report.ts";
export type { FuzzFinding, FuzzKind, FuzzOrigin, FuzzReport } from "./fuzz/fuzz-report.ts";
