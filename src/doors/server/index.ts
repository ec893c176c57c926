// The public list of `waybill/server`: a server you own.

export { serve } from "./serve.ts";
export type { HttpServeOptions, ServeOptions, Served, ServerIcon } from "./serve-options.ts";
export type { JwtAuth } from "../../engine/request/sign-in/bearer-auth.ts";
export type { Authenticate, Principal, ServeAuth, TokenAuth } from "./sign-in-options.ts";
export { createContract, withContract } from "./create-contract.ts";
export type { Contract } from "./create-contract.ts";
export type {
  ConfigSource,
  ContractOptions,
  FitOptions,
  RedactOptions,
} from "../../engine/settings/contract-options.ts";
export type { ContractServer, ContractTools, McpServerLike } from "./contract-server.ts";
export { defineTool } from "../../engine/settings/tool-definition.ts";
export type {
  AnyTool,
  BreakerRule,
  CacheRule,
  RateLimitRule,
  ToolAnnotations,
  ToolConfig,
  ToolDefinition,
  ToolHandler,
  ToolOptions,
  WrittenHandler,
} from "../../engine/settings/tool-definition.ts";
export type {
  Checked,
  HandlerResult,
  MustReturn,
  NoPage,
  ReadyResult,
  ReportedFailure,
  UnfinishedResult,
} from "../../engine/settings/handler-result.ts";
export type { NotJson } from "../../core/json/json-form.ts";
export type { DeclaredFault, DeclaredFaults, NoFaults } from "../../engine/settings/declared-faults.ts";
export type { PageRequest } from "../../engine/retrieve/cursor/page.ts";
export type {
  ClientLogLevel,
  ContextPageOptions,
  PageData,
  ToolContext,
} from "../../engine/settings/tool-context.ts";
export type { CallAuth, CallRequest } from "../../engine/request/call-request.ts";
export type {
  CallFacts,
  CallListener,
  CallWatch,
  ObservedCall,
  StageEvent,
  TroubleEvent,
} from "../../engine/observe/call-facts.ts";
export type { StandardSchema } from "../../engine/settings/standard-schema.ts";
export { lintTools } from "./lint-tools.ts";
export type { LintFinding, LintOptions } from "./lint-tools.ts";
export { digestTool } from "./digest-tool.ts";
export { resourceTools } from "./resource-tools.ts";
export type { ResourceHandlers, ResourceOptions } from "./resource-tools.ts";
export type { DigestToolOptions, ReadDocument } from "./digest-session.ts";
export type { DigestArguments } from "./digest-arguments.ts";
export type { DigestAnswer, SourceFacts } from "./digest-output.ts";
export type { FetcherOptions } from "../../engine/digest/fetching/fetch-settings.ts";
export { attachContract } from "./attach-contract.ts";
export { stdioTransport } from "./stdio-transport.ts";
export type { StdioTransport, StdioTransportOptions } from "./stdio-transport.ts";
export { openStore } from "../../engine/archive/open-store.ts";
export { memoryStore } from "../../engine/archive/memory-store.ts";
export type { MemoryStoreOptions } from "../../engine/archive/memory-store.ts";
export { fileStore } from "../../engine/archive/file/file-store.ts";
export type { FileStoreOptions } from "../../engine/archive/file/file-store-options.ts";
export { redisStore } from "../../engine/archive/redis/redis-store.ts";
export type { RedisStore, RedisStoreOptions } from "../../engine/archive/redis/redis-store.ts";
export { postgresStore } from "../../engine/archive/postgres/postgres-store.ts";
export type { PostgresStoreOptions } from "../../engine/archive/postgres/postgres-store.ts";
export { guardedStore } from "../../engine/archive/guarded-store.ts";
export type { GuardedStoreOptions } from "../../engine/archive/guarded-store.ts";
export type {
  ArchiveContent,
  ArchiveEntry,
  ArchivePut,
  ArchiveRead,
  ArchiveStore,
  ListedEntry,
  PutOptions,
  SweepReport,
} from "../../engine/archive/archive-store.ts";
export { ArchiveError } from "../../engine/archive/archive-store.ts";
export { loadCounter } from "../../core/tokens/token-counter.ts";
export type { LoadCounterOptions, TokenCounter } from "../../core/tokens/token-counter.ts";
export type { ClientLimit } from "../../engine/settings/call-budget.ts";
export { createRedactor } from "../../core/text/redact/redact-secrets.ts";
export type { Redactor, RedactorOptions } from "../../core/text/redact/redact-secrets.ts";
