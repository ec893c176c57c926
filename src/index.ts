// The public list of the root entry: envelopes, faults, registry, schemas. It runs in any JavaScript runtime.

export { batchResponse, blockedResponse, successResponse } from "./contract/success-responses.ts";
export type {
  BatchData,
  BatchItem,
  BatchOptions,
  BlockedOptions,
  Noun,
  SuccessOptions,
} from "./contract/success-responses.ts";
export { errorResponse } from "./contract/error-response.ts";
export type { ErrorOptions } from "./contract/error-response.ts";
export type {
  DataOf,
  EnvelopeMeta,
  ErrorData,
  ErrorEnvelope,
  ResponseEnvelope,
  SuccessEnvelope,
} from "./contract/envelope.ts";
export type { NoteOptions } from "./contract/note-options.ts";

export { ToolFault } from "./contract/tool-fault.ts";
export { faults } from "./contract/faults.ts";
export type { UpstreamOptions, UpstreamResponse } from "./contract/upstream-faults.ts";
export { ContractError } from "./contract/contract-error.ts";
export type { ContractErrorCode } from "./contract/contract-error.ts";
export { createErrorRegistry, errorRegistry } from "./contract/error-registry.ts";
export type { ErrorEntry, ErrorRegistry } from "./contract/error-registry.ts";
export type { ErrorCode, ErrorRow } from "./contract/error-rows.ts";
export { errorTypes, retryRules } from "./contract/error-types.ts";
export type { ErrorType, RetryRule } from "./contract/error-types.ts";

export { newRequestId, setRequestIdSource } from "./contract/request-id.ts";
export type { RequestIdOption } from "./contract/request-id.ts";

export type {
  Failure,
  Fault,
  Fidelity,
  FidelityLevel,
  Notes,
  Outcome,
  Success,
  UpgradeHint,
} from "./contract/outcome.ts";
export { severities } from "./contract/warning.ts";
export { warningRows } from "./contract/warning-rows.ts";
export type { Severity, WarningDetail } from "./contract/warning.ts";
export type { WarningRow } from "./contract/warning-rows.ts";
export { fidelityLevels } from "./contract/outcome.ts";
export type { Pagination } from "./contract/pagination.ts";
export type { RateLimit } from "./contract/rate-limit.ts";
export type { Telemetry } from "./contract/meta-fields.ts";
export {
  digestLimits,
  digestPayloadSchema,
  evidenceSnippetSchema,
  formatLocator,
  parseLocator,
} from "./contract/digest-payload.ts";
export type { DigestPayload, EvidenceSnippet, Locator } from "./contract/digest-payload.ts";
export { envelopeSchema, errorEnvelopeSchema, successEnvelopeSchema } from "./contract/envelope.ts";
export { metaSchema } from "./contract/meta.ts";

export { dialectIds } from "./contract/dialect-id.ts";
export type { DialectId } from "./contract/dialect-id.ts";
export { profiles } from "./contract/profile.ts";
export type { Presence, Profile } from "./contract/profile.ts";
export type { Rule, RuleSeverity, Violation } from "./contract/rule.ts";
export { dialects } from "./pipeline/dialect/dialects.ts";
export type { Dialect, Loss, RenderOptions } from "./pipeline/dialect/dialect.ts";
export { detectDialect } from "./pipeline/dialect/detect-dialect.ts";
export type { Detection } from "./pipeline/dialect/detect-dialect.ts";
export { validateResponse, validateText } from "./pipeline/dialect/validate-response.ts";
export type { ValidateOptions, Verdict } from "./pipeline/dialect/validate-response.ts";
export { lossesOf, readResponse, translate } from "./pipeline/dialect/translate.ts";
export type { TranslateOptions } from "./pipeline/dialect/translate.ts";

export { compileFilter, filterData } from "./pipeline/shape/compile-filter.ts";
export type { CompiledFilter, FieldFilter, FilterFacts } from "./pipeline/shape/compile-filter.ts";

export { decodeCursor, encodeCursor } from "./cursor/cursor.ts";
export type {
  CursorBinding,
  CursorKeyRing,
  CursorKeys,
  DecodeCursorOptions,
  EncodeCursorOptions,
} from "./cursor/cursor-options.ts";
export { page, shrinkPage } from "./cursor/page.ts";
export type { Page, PageOptions, PageRequest } from "./cursor/page.ts";
export { defineTiers } from "./gates/define-tiers.ts";
export type { TierOptions, Tiers } from "./gates/define-tiers.ts";
export { defineFlags, legacyDialect } from "./gates/define-flags.ts";
export type { FlagOptions, Flags } from "./gates/define-flags.ts";
export { negotiate, negotiateResponse } from "./negotiation/negotiate.ts";
export type { Negotiation } from "./negotiation/negotiate.ts";
export type { ContractOffer } from "./negotiation/contract-offer.ts";
export { resolveContract } from "./negotiation/resolve-contract.ts";
export type { ResolvedContract } from "./negotiation/resolve-contract.ts";

export { initializeResult, jsonRpcResult, toolResult, toolsListResult } from "./jsonrpc/build-results.ts";
export {
  answerTo,
  internalError,
  invalidParams,
  invalidRequest,
  jsonRpcCodes,
  jsonRpcError,
  methodNotFound,
  parseError,
} from "./jsonrpc/json-rpc-error.ts";
export { validateMessage } from "./jsonrpc/validate-message.ts";
export type { MessageVerdict, ValidateMessageOptions } from "./jsonrpc/validate-message.ts";

export type { JsonObject, JsonValue } from "./json/json-value.ts";
