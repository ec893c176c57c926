import { ContractError } from "../contract/contract-error.ts";
import { digestLimits } from "../contract/digest-payload.ts";
import type { DigestCache } from "./digest-cache.ts";
import type { OnProgress } from "./document.ts";
import type { Summariser } from "./summariser/summariser.ts";

export const digestPolicies = ["off", "auto", "always"] as const;
export type DigestPolicy = (typeof digestPolicies)[number];

/** How far a source is trusted, worst first. */
export const sourceQualities = ["unknown", "low", "medium", "high"] as const;
export type SourceQuality = (typeof sourceQualities)[number];

/** A text, the bytes of a file, or where to get them. */
export type DigestSource = string | Uint8Array | { readonly url: string };

/** A document as it came over the network. */
export interface FetchedSource {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** Where it was found in the end. */
  readonly url: string;
}

export type FetchSource = (
  url: string,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (done: number, total?: number) => void },
) => Promise<FetchedSource>;

/** How a document is digested; all of it may be left out. */
export interface DigestOptions {
  /** What the digest is to answer; without it, it says what the document is about. */
  readonly query?: string;
  /** The media type, with or without a charset, where it is known; otherwise the content tells. */
  readonly contentType?: string;
  /** The file's name, whose ending is a hint. */
  readonly name?: string;
  /** "auto" leaves short and poor sources as they are; "always" digests all that get smaller; "off" none. */
  readonly policy?: DigestPolicy;
  /** Under "auto": shorter texts are left as they are; 500 unless told. */
  readonly minChars?: number;
  /** Under "auto": how far this source is trusted, and how far it must be to be digested ("medium"). */
  readonly quality?: SourceQuality;
  readonly minQuality?: SourceQuality;
  /** At most 10; 5 for a long document unless told, fewer for a short one. */
  readonly maxSnippets?: number;
  /** At most 500, which is the default for long documents. */
  readonly snippetChars?: number;
  /** At most 2,000; 1,000 for a long document unless told. */
  readonly summaryChars?: number;
  /** At most 10; 5 for a long document unless told. */
  readonly maxKeyPoints?: number;
  /** Evidence below this score is left out: 0 to 1. */
  readonly minScore?: number;
  /** Canonical text, offsets and the payload's text as the system of the seed has them. */
  readonly compat?: "foundry";
  /** Writes summary and key points in place of quoted sentences; they are quotes again whenever it fails. */
  readonly summariser?: Summariser;
  readonly cache?: DigestCache;
  /** Gets a `{ url }`; the safe fetcher of this package unless told. */
  readonly fetch?: FetchSource;
  /** Larger documents are refused; 64 MiB unless told. */
  readonly maxBytes?: number;
  /** Of a longer PDF only the first pages are read; 2,000 unless told. */
  readonly maxPages?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

const limits = {
  minChars: [0, Number.MAX_SAFE_INTEGER],
  maxSnippets: [0, digestLimits.snippets],
  snippetChars: [40, digestLimits.snippet],
  summaryChars: [0, digestLimits.summary],
  maxKeyPoints: [0, digestLimits.keyPoints],
  minScore: [0, 1],
  maxBytes: [1, Number.MAX_SAFE_INTEGER],
  maxPages: [1, Number.MAX_SAFE_INTEGER],
} as const satisfies Partial<Record<keyof DigestOptions, readonly [number, number]>>;

const choices = {
  policy: digestPolicies,
  quality: sourceQualities,
  minQuality: sourceQualities,
  compat: ["foundry"],
} as const satisfies Partial<Record<keyof DigestOptions, readonly string[]>>;

function refuse(says: string): never {
  throw new ContractError("INVALID_OPTION", `${says} Correct the digest's options.`);
}

/** Options are checked before anything is read: a mistyped number must not cost a download. */
export function checkDigestOptions(options: DigestOptions): void {
  for (const [name, [min, max]] of Object.entries(limits)) {
    const value: unknown = options[name as keyof typeof limits];
    if (value === undefined) continue;
    const isWhole = name === "minScore" || Number.isInteger(value);
    if (typeof value !== "number" || !isWhole || !(value >= min && value <= max)) {
      refuse(
        `${name} is ${typeof value === "number" ? value : typeof value}, not a number from ${min} to ${max}.`,
      );
    }
  }
  for (const [name, allowed] of Object.entries(choices)) {
    const value: unknown = options[name as keyof typeof choices];
    if (value === undefined || allowed.some((one) => one === value)) continue;
    refuse(`${name} is ${JSON.stringify(value)}, not one of ${allowed.join(", ")}.`);
  }
  if (options.query !== undefined && typeof options.query !== "string") refuse("query is no string.");
}
