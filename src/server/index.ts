// The public list of `waybill/server`: a server you own.

export { createContract, withContract } from "./create-contract.ts";
export type { Contract } from "./create-contract.ts";
export type { ConfigSource, ContractOptions, RedactOptions } from "./contract-options.ts";
export type { ContractServer, ContractTools, McpServerLike } from "./contract-server.ts";
export { defineTool } from "./tool-definition.ts";
export type {
  AnyTool,
  BreakerRule,
  CacheRule,
  RateLimitRule,
  ToolConfig,
  ToolDefinition,
  ToolHandler,
} from "./tool-definition.ts";
export type { CallAuth, ContextPageOptions, ToolContext } from "./tool-context.ts";
export type { CallRequest } from "./call-request.ts";
export type { StandardSchema } from "./standard-schema.ts";
export { attachContract } from "./attach-contract.ts";
export { createRedactor } from "../text/redact-secrets.ts";
export type { Redactor, RedactorOptions } from "../text/redact-secrets.ts";
