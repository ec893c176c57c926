// The public list of `waybill/server`: a server you own.

export { serve } from "./serve.ts";
export type { Authenticate, HttpServeOptions, Principal, ServeOptions, Served } from "./serve-options.ts";
export { createContract, withContract } from "./create-contract.ts";
export type { Contract } from "./create-contract.ts";
export type { ConfigSource, ContractOptions, FitOptions, RedactOptions } from "../engine/contract-options.ts";
export type { ContractServer, ContractTools, McpServerLike } from "./contract-server.ts";
export { defineTool } from "../engine/tool-definition.ts";
export type {
  AnyTool,
  BreakerRule,
  CacheRule,
  RateLimitRule,
  ToolAnnotations,
  ToolConfig,
  ToolDefinition,
  ReadyResult,
  HandlerResult,
  ToolHandler,
  UnfinishedResult,
  ToolOptions,
} from "../engine/tool-definition.ts";
export type { DeclaredFault, DeclaredFaults, NoFaults } from "../engine/declared-faults.ts";
export type { PageRequest } from "../cursor/page.ts";
export type { CallAuth, ContextPageOptions, PageData, ToolContext } from "../engine/tool-context.ts";
export type { CallRequest } from "../engine/call-request.ts";
export type {
  CallFacts,
  CallListener,
  CallWatch,
  ObservedCall,
  StageEvent,
  TroubleEvent,
} from "../observe/call-facts.ts";
export type { StandardSchema } from "../engine/standard-schema.ts";
export { lintTools } from "./lint-tools.ts";
export type { LintFinding, LintOptions } from "./lint-tools.ts";
export { digestTool } from "./digest-tool.ts";
export { resourceTools } from "./resource-tools.ts";
export type { ResourceHandlers, ResourceOptions } from "./resource-tools.ts";
export type { DigestToolOptions, ReadDocument } from "./digest-session.ts";
export type { DigestArguments } from "./digest-arguments.ts";
export type { DigestAnswer, SourceFacts } from "./digest-output.ts";
export type { FetcherOptions } from "../fetching/fetcher.ts";
export { attachContract } from "./attach-contract.ts";
export { stdioTransport } from "./stdio-transport.ts";
export type { StdioTransport, StdioTransportOptions } from "./stdio-transport.ts";
export { openStore } from "../stores/open-store.ts";
export { memoryStore } from "../stores/memory-store.ts";
export type { MemoryStoreOptions } from "../stores/memory-store.ts";
export { fileStore } from "../stores/file/file-store.ts";
export type { FileStoreOptions } from "../stores/file/file-store-options.ts";
export { redisStore } from "../stores/redis/redis-store.ts";
export type { RedisStore, RedisStoreOptions } from "../stores/redis/redis-store.ts";
export { guardedStore } from "../stores/guarded-store.ts";
export type { GuardedStoreOptions } from "../stores/guarded-store.ts";
export type {
  ArchiveContent,
  ArchiveEntry,
  ArchivePut,
  ArchiveRead,
  ArchiveStore,
  ListedEntry,
  PutOptions,
  SweepReport,
} from "../stores/archive-store.ts";
export { ArchiveError } from "../stores/archive-store.ts";
export { loadCounter } from "../tokens/token-counter.ts";
export type { LoadCounterOptions, TokenCounter } from "../tokens/token-counter.ts";
export type { ClientLimit } from "../config/client-limits.ts";
export { createRedactor } from "../text/redact-secrets.ts";
export type { Redactor, RedactorOptions } from "../text/redact-secrets.ts";
