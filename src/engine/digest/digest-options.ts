import { type DigestPolicy, digestLimits, digestPolicies } from "../../core/contract/choices.ts";
import { MAX_TIMER_MS } from "../../core/contract/contract-error.ts";
import { checkOptions } from "../../core/options/check-options.ts";
import {
  callback,
  choice,
  number,
  optionsOf,
  toggle,
  whole,
  withMethods,
} from "../../core/options/option-kinds.ts";
import * as z from "zod/mini";
import type { DigestCache } from "./digest-result.ts";
import type { OnProgress } from "./document.ts";
import type { Summariser } from "./summariser/summariser.ts";

/** How far a source is trusted, worst first. */
export const sourceQualities = ["unknown", "low", "medium", "high"] as const;
export type SourceQuality = (typeof sourceQualities)[number];

/** A text, the bytes of a file, or the URL of a document. */
export type DigestSource = string | Uint8Array | ArrayBuffer | { readonly url: string };

/** A document as it came over the network. */
export interface FetchedSource {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** The final URL, after redirects. */
  readonly url: string;
}

export type FetchSource = (
  url: string,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (done: number, total?: number) => void },
) => Promise<FetchedSource>;

/** How a document is digested; every option may be left out. */
export interface DigestOptions {
  /** The question that the digest answers; without one, the digest says what the document is about. */
  readonly query?: string | undefined;
  /** The media type, with or without a charset, if known; otherwise the content decides. */
  readonly contentType?: string | undefined;
  /** The name of the file; its ending is a hint. */
  readonly name?: string | undefined;
  /** "auto" leaves short and poor sources unchanged; "always" digests all that get smaller; "off" digests none. */
  readonly policy?: DigestPolicy | undefined;
  /** Under "auto", shorter texts are not digested. Default: 500. */
  readonly minChars?: number | undefined;
  /** Under "auto": how far this source is trusted, and the least trust for a digest ("medium"). */
  readonly quality?: SourceQuality | undefined;
  readonly minQuality?: SourceQuality | undefined;
  /** At most 10. Default: 5 for a long document, fewer for a short one. */
  readonly maxSnippets?: number | undefined;
  /** At most 500, which is the default for long documents. */
  readonly snippetChars?: number | undefined;
  /** At most 2,000. Default: 1,000 for a long document. */
  readonly summaryChars?: number | undefined;
  /** At most 10. Default: 5 for a long document. */
  readonly maxKeyPoints?: number | undefined;
  /** Evidence below this score is left out: 0 to 1. */
  readonly minScore?: number | undefined;
  /** Canonical text, offsets and the payload's text in the form of the seed's system. */
  readonly compat?: "foundry" | undefined;
  /** Writes summary and key points instead of quoted sentences; if it fails, quotes are used. */
  readonly summariser?: Summariser | undefined;
  readonly cache?: DigestCache | undefined;
  /** Fetches the document of a `{ url }`. Default: the safe fetcher of this package. */
  readonly fetch?: FetchSource | undefined;
  /** Larger documents are refused. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Only the first pages of a longer PDF are read. Default: 2,000. */
  readonly maxPages?: number | undefined;
  /** The time for reading a PDF or a page, once reading has begun; then it is a `TIMEOUT`. Default: 60,000. */
  readonly readTimeoutMs?: number | undefined;
  /** Whether PDF and HTML are read in a worker thread, if the runtime has threads. Default: true. */
  readonly isolate?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

const anyText = z.string("Write a string.");

/** The limits that `digestTool` shares with `digest`. */
export const documentLimits = {
  maxBytes: whole({ min: 1, unit: "bytes" }),
  maxPages: whole({ min: 1, unit: "pages" }),
  summariser: withMethods(["summarise"], "give what openAiSummariser() returns, or an object { summarise }"),
};

const digestOptions = optionsOf<DigestOptions>({
  ...documentLimits,
  query: anyText,
  contentType: anyText,
  name: anyText,
  policy: choice(digestPolicies),
  minChars: whole({ min: 0 }),
  quality: choice(sourceQualities),
  minQuality: choice(sourceQualities),
  maxSnippets: whole({ min: 0, max: digestLimits.snippets }),
  snippetChars: whole({ min: 40, max: digestLimits.snippet }),
  summaryChars: whole({ min: 0, max: digestLimits.summary }),
  maxKeyPoints: whole({ min: 0, max: digestLimits.keyPoints }),
  minScore: number({ min: 0, max: 1 }),
  compat: choice(["foundry"]),
  cache: withMethods(["get", "set"], "give what memoryDigestCache() returns, or an object { get, set }"),
  fetch: callback,
  readTimeoutMs: whole({ min: 1, max: MAX_TIMER_MS }),
  isolate: toggle,
  signal: withMethods(["throwIfAborted"], "give an AbortSignal"),
  onProgress: callback,
});

/** Options are checked before anything is read: a mistyped number must not cost a download. */
export function checkDigestOptions(options: DigestOptions): void {
  checkOptions("digest", digestOptions, options);
}
