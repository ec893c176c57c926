// The public list of the root entry: envelopes, faults, registry, schemas. It runs in any JavaScript runtime.

export { batchResponse, blockedResponse, successResponse } from "./core/contract/success-responses.ts";
export type {
  BatchData,
  BatchItem,
  BatchOptions,
  BlockedOptions,
  Noun,
  SuccessOptions,
} from "./core/contract/success-responses.ts";
export { errorResponse } from "./core/contract/tool-fault.ts";
export type { ErrorOptions } from "./core/contract/tool-fault.ts";
export type {
  DataOf,
  EnvelopeMeta,
  ErrorData,
  ErrorEnvelope,
  ResponseEnvelope,
  SuccessEnvelope,
} from "./core/contract/envelope.ts";
export type { NoteOptions } from "./core/contract/note-options.ts";

export { ToolFault } from "./core/contract/tool-fault.ts";
export { faults } from "./core/contract/faults.ts";
export type { UpstreamFaultOptions, UpstreamResponse } from "./core/contract/faults.ts";
export { ContractError } from "./core/contract/contract-error.ts";
export type { ContractErrorCode } from "./core/contract/contract-error.ts";
export { createErrorRegistry, errorRegistry } from "./core/contract/error-registry.ts";
export type { ErrorEntry, ErrorRegistry } from "./core/contract/error-registry.ts";
export type { ErrorCode, ErrorRow } from "./core/contract/error-registry.ts";
export { errorTypes, retryRules } from "./core/contract/error-data.ts";
export type { ErrorType, RetryRule } from "./core/contract/error-data.ts";

export { newRequestId, setRequestIdSource } from "./core/contract/request-id.ts";
export type { RequestIdOption } from "./core/contract/request-id.ts";

export type {
  Failure,
  Fault,
  Fidelity,
  FidelityLevel,
  Notes,
  Outcome,
  Success,
  UpgradeHint,
} from "./core/contract/outcome.ts";
export { severities } from "./core/contract/warning.ts";
export { warningRows } from "./core/contract/warning-rows.ts";
export type { Severity, WarningDetail } from "./core/contract/warning.ts";
export type { WarningRow } from "./core/contract/warning-rows.ts";
export { fidelityLevels } from "./core/contract/outcome.ts";
export type { Pagination } from "./core/contract/meta.ts";
export type { RateLimit } from "./core/contract/meta.ts";
export type { Telemetry } from "./core/contract/meta.ts";
export {
  digestPayloadSchema,
  evidenceSnippetSchema,
  formatLocator,
  parseLocator,
} from "./core/contract/digest-payload.ts";
export { digestLimits } from "./core/contract/choices.ts";
export type { DigestPayload, EvidenceSnippet, Locator } from "./core/contract/digest-payload.ts";
export { envelopeSchema, errorEnvelopeSchema, successEnvelopeSchema } from "./core/contract/envelope.ts";
export { metaSchema } from "./core/contract/meta.ts";

export { dialectIds } from "./core/contract/dialect-id.ts";
export type { DialectId } from "./core/contract/dialect-id.ts";
export { profiles } from "./core/contract/profile.ts";
export type { Presence, Profile } from "./core/contract/profile.ts";
export type { Rule, RuleSeverity, Violation } from "./core/contract/rule.ts";
export { dialects } from "./core/pipeline/dialect/dialects.ts";
export type { Dialect, Loss, RenderOptions } from "./core/pipeline/dialect/dialect.ts";
export { detectDialect } from "./core/pipeline/dialect/detect-dialect.ts";
export type { Detection } from "./core/pipeline/dialect/detect-dialect.ts";
export { validateResponse, validateText } from "./core/pipeline/dialect/validate-response.ts";
export type { ValidateOptions, Verdict } from "./core/pipeline/dialect/validate-response.ts";
export { lossesOf, readResponse, translate } from "./core/pipeline/dialect/translate.ts";
export type { TranslateOptions } from "./core/pipeline/dialect/translate.ts";

export { compileFilter, filterData } from "./core/pipeline/shape/compile-filter.ts";
export type { CompiledFilter, FieldFilter, FilterFacts } from "./core/pipeline/shape/compile-filter.ts";

export { decodeCursor, encodeCursor } from "./engine/retrieve/cursor/cursor.ts";
export type {
  CursorBinding,
  CursorKeyRing,
  CursorKeys,
  DecodeCursorOptions,
  EncodeCursorOptions,
} from "./engine/retrieve/cursor/cursor-options.ts";
export { page, shrinkPage } from "./engine/retrieve/cursor/page.ts";
export type { Page, PageOptions, PageRequest } from "./engine/retrieve/cursor/page.ts";
export { defineTiers } from "./engine/settings/flags-and-tiers/define-tiers.ts";
export type { TierOptions, Tiers } from "./engine/settings/flags-and-tiers/define-tiers.ts";
export { defineFlags, legacyDialect } from "./engine/settings/flags-and-tiers/define-flags.ts";
export type { FlagOptions, Flags } from "./engine/settings/flags-and-tiers/define-flags.ts";
export { negotiate, negotiateResponse } from "./engine/settings/negotiation/negotiate.ts";
export type { Negotiation } from "./engine/settings/negotiation/negotiate.ts";
export type { ContractOffer } from "./engine/settings/negotiation/contract-offer.ts";
export { resolveContract } from "./engine/settings/negotiation/resolve-contract.ts";
export type { ResolvedContract } from "./engine/settings/negotiation/resolve-contract.ts";

export {
  initializeResult,
  jsonRpcResult,
  toolResult,
  toolsListResult,
} from "./core/protocol/build-results.ts";
export {
  answerTo,
  internalError,
  invalidParams,
  invalidRequest,
  jsonRpcCodes,
  jsonRpcError,
  methodNotFound,
  parseError,
} from "./core/protocol/json-rpc-error.ts";
export { validateMessage } from "./core/protocol/validate-message.ts";
export type { MessageVerdict, ValidateMessageOptions } from "./core/protocol/validate-message.ts";

export type { JsonObject, JsonValue } from "./core/json/json-value.ts";
