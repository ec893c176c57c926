// The public list of `waybill/digest`: a document becomes a digest.

export { digestDocument } from "../digesting/digest-document.ts";
export type {
  DigestOptions,
  DigestPolicy,
  DigestSource,
  FetchSource,
  FetchedSource,
  SourceQuality,
} from "../digesting/digest-options.ts";
export type {
  DigestResult,
  DigestSpans,
  Digested,
  LeftAsItIs,
  Skip,
  SkipReason,
} from "../digesting/digest-result.ts";
export type { CanonicalDocument, DocumentType, OnProgress, Page } from "../digesting/document.ts";
export { digestSources } from "../digesting/digest-sources.ts";
export type { DigestSourcesOptions, DigestedSource } from "../digesting/digest-sources.ts";
export { memoryDigestCache } from "../digesting/digest-cache.ts";
export type { CachedDigest, DigestCache } from "../digesting/digest-cache.ts";
export { canonicalText } from "../digesting/canonical-text.ts";
export type { CanonicalOptions } from "../digesting/canonical-text.ts";
export { readDocument } from "../digesting/sources/read-document.ts";
export type { ReadDocumentOptions } from "../digesting/sources/read-document.ts";
export {
  PayloadError,
  deserializePayload,
  serializePayload,
  validatePayload,
} from "../digesting/payload/serialize-payload.ts";
export type { PayloadIssue, SerializeOptions } from "../digesting/payload/serialize-payload.ts";
export { verifyDigest } from "../digesting/verify-digest.ts";
export type { VerifyCheck, VerifyProblem, VerifyReport } from "../digesting/verify-digest.ts";
export type { VerifySource } from "../digesting/verified-form.ts";
export { openAiSummariser } from "../digesting/summariser/open-ai-summariser.ts";
export { guardSummariser } from "../digesting/summariser/guard-summariser.ts";
export type { Summariser, SummariseRequest, Summary } from "../digesting/summariser/summariser.ts";
export type { DigestPayload, EvidenceSnippet } from "../contract/digest-payload.ts";
// One reader for both doors: whoever makes digests reads them too.
export { isDigest, readSource } from "../contract/read-source.ts";
export type { Citation, ReadDigest, ReadText, Source } from "../contract/read-source.ts";
