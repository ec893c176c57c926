// The public exports of `waybill/digest`: turns a document into a digest.

export { digestDocument } from "./digest-document.ts";
export type {
  DigestOptions,
  DigestSource,
  FetchSource,
  FetchedSource,
  SourceQuality,
} from "./digest-options.ts";
export type { DigestPolicy } from "../../core/contract/choices.ts";
export type {
  DigestResult,
  DigestSpans,
  Digested,
  LeftAsItIs,
  OutlineSection,
  Skip,
  SkipReason,
} from "./digest-result.ts";
export type { CanonicalDocument, DocumentType, OnProgress, DocumentPage } from "./document.ts";
export { digestSources } from "./digest-sources.ts";
export type { DigestSourcesOptions, DigestedSource } from "./digest-sources.ts";
export { memoryDigestCache } from "./digest-result.ts";
export type { CachedDigest, DigestCache } from "./digest-result.ts";
export { canonicalText } from "./canonical-text.ts";
export type { CanonicalOptions } from "./canonical-text.ts";
export { readDocument } from "./sources/read-document.ts";
export type { ReadDocumentOptions } from "./sources/read-document.ts";
export {
  PayloadError,
  deserializePayload,
  serializePayload,
  validatePayload,
} from "./payload/serialize-payload.ts";
export type { PayloadIssue, SerializeOptions } from "./payload/serialize-payload.ts";
export { verifyDigest } from "./verify-digest.ts";
export type { VerifyCheck, VerifyProblem, VerifyReport } from "./verify-digest.ts";
export type { VerifySource } from "./verify-digest.ts";
export { openAiSummariser } from "./summariser/open-ai-summariser.ts";
export { guardSummariser } from "./summariser/summariser.ts";
export type { Summariser, SummariseRequest, Summary } from "./summariser/summariser.ts";
export type { DigestPayload, EvidenceSnippet } from "../../core/contract/digest-payload.ts";
// The same reader as in the core: code that makes digests also reads them.
export { isDigest, readSource } from "../../core/contract/response-error.ts";
export type { Citation, ReadDigest, ReadText, Source } from "../../core/contract/response-error.ts";
