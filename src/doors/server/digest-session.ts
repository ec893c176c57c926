import type { DigestCache, DigestResult } from "../../engine/digest/digest-result.ts";
import type { OnProgress } from "../../engine/digest/document.ts";
import type { Summariser } from "../../engine/digest/summariser/summariser.ts";
import type { ToolContext } from "../../engine/settings/tool-context.ts";
import type {
  FetchedDocument,
  Fetcher,
  FetcherOptions,
} from "../../engine/digest/fetching/fetch-settings.ts";
import type { DigestLimits } from "../../core/pipeline/pipeline-context.ts";
import type { DigestArguments, SourceArgument } from "./digest-arguments.ts";
import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import { byteLength } from "../../engine/runtime/byte-length.ts";
import { shareDigestLimits } from "../../core/pipeline/fit/digest-source.ts";

/** A document whose content is loaded. */
export interface OpenedDocument extends ReadDocument {
  /** The file's name; its extension is a hint. */
  readonly name?: string;
}

interface DigestCall {
  readonly context: ToolContext;
  readonly onProgress: OnProgress;
}

/** What a digest tool keeps between calls; loaded by the first call. */
export class DigestSession {
  readonly #options: DigestToolOptions;
  #fetcher: Promise<Fetcher> | undefined;
  #cache: Promise<DigestCache> | undefined;

  constructor(options: DigestToolOptions) {
    this.#options = options;
  }

  async #fetch(url: string, { context, onProgress }: DigestCall): Promise<FetchedDocument> {
    const { urls } = this.#options;
    this.#fetcher ??= import("../../engine/digest/fetching/create-fetcher.ts").then(({ createFetcher }) =>
      createFetcher(typeof urls === "object" ? urls : {}),
    );
    const fetcher = await this.#fetcher;
    return fetcher(url, {
      signal: context.signal,
      onProgress: (done, total = done) => onProgress({ stage: "fetch", done, total }),
    });
  }

  async open(args: DigestArguments, from: SourceArgument, call: DigestCall): Promise<OpenedDocument> {
    const { text = "", url = "", source_id: id = "", content_type: contentType } = args;
    const typed = contentType === undefined ? {} : { contentType };
    if (from === "text") return { content: text, ...typed };
    if (from === "url") {
      const { bytes, ...found } = await this.#fetch(url, call);
      return {
        content: bytes,
        url: found.url,
        name: new URL(found.url).pathname.split("/").at(-1) ?? "",
        ...(found.contentType === undefined ? typed : { contentType: found.contentType }),
      };
    }
    return (await this.#options.read?.(id, call.context)) ?? { content: "" };
  }

  /** A tenant must not learn anything about the documents of another, not even from the time an answer takes. */
  async #cacheOf({ tenant, isAnonymous }: ToolContext): Promise<DigestCache | undefined> {
    // All anonymous callers share one tenant name.
    if (isAnonymous) return undefined;
    const { cacheEntries } = this.#options;
    this.#cache ??= import("../../engine/digest/digest-result.ts").then(({ memoryDigestCache }) =>
      memoryDigestCache(cacheEntries === undefined ? {} : { maxEntries: cacheEntries }),
    );
    const cache = await this.#cache;
    return {
      get: (key) => cache.get(`${tenant}\n${key}`),
      set: (key, digest) => cache.set(`${tenant}\n${key}`, digest),
    };
  }

  /** A digest that fits the call's budget, as far as can be known before tokens are counted. */
  async digest(opened: OpenedDocument, args: DigestArguments, call: DigestCall): Promise<DigestResult> {
    const first = await this.#digest(opened, args, call);
    const { payload } = first;
    const limits = payload && smallerDigest(payload, call.context.budget, args);
    if (limits === undefined) return first;
    const second = await this.#digest(opened, args, call, limits);
    return second.payload === undefined ? first : second;
  }

  async #digest(
    opened: OpenedDocument,
    args: DigestArguments,
    { context, onProgress }: DigestCall,
    limits: Partial<DigestLimits> = {},
  ): Promise<DigestResult> {
    const { summariser, maxBytes, maxPages } = this.#options;
    const { digestDocument } = await import("../../engine/digest/digest-document.ts");
    const cache = await this.#cacheOf(context);
    return digestDocument(opened.content, {
      cache,
      signal: context.signal,
      onProgress,
      contentType: opened.contentType,
      name: opened.name === "" ? undefined : opened.name,
      query: args.query,
      policy: args.policy,
      maxSnippets: args.max_snippets,
      summaryChars: args.max_summary_chars,
      maxKeyPoints: args.max_key_points,
      summariser,
      maxBytes,
      maxPages,
      ...limits,
    });
  }
}

export type DigestStage = Parameters<OnProgress>[0]["stage"];

/** Clients get progress for every twentieth of a stage, however many pages it has. */
const STEP = 0.05;

/** Turns the stages of a digest into one progress value that only grows and ends with the last stage. */
export function digestProgress(
  { progress }: Pick<ToolContext, "progress">,
  stages: readonly DigestStage[],
): OnProgress {
  let last = -1;
  return ({ stage, done, total }) => {
    const part = total > 0 ? Math.min(1, done / total) : 1;
    const now = stages.indexOf(stage) + part;
    if (now <= last || (now < last + STEP && part < 1)) return;
    last = now;
    void progress(now, stages.length, stage);
  };
}

/** A document as the author's `read` function returns it. */
export interface ReadDocument {
  readonly content: string | Uint8Array;
  /** Default: detected from the content. */
  readonly contentType?: string;
  readonly title?: string;
  readonly url?: string;
}

export interface DigestToolOptions<Name extends string = string> {
  /** Default: `digest`. */
  readonly name?: Name;
  readonly description?: string;
  /** Whether URLs of public hosts are fetched, or options of the safe fetcher. Default: false. */
  readonly urls?: boolean | FetcherOptions;
  /** Returns the document with an id; the tool then takes `source_id`. Throw a fault if there is no such document. */
  readonly read?: (id: string, context: ToolContext) => ReadDocument | Promise<ReadDocument>;
  /** Writes the summary and key points instead of quoted sentences. */
  readonly summariser?: Summariser;
  /** Larger documents are refused. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** Only this many pages of a longer PDF are read. Default: 2,000. */
  readonly maxPages?: number;
  /** How long one call may take. Default: 60,000. */
  readonly timeoutMs?: number;
  /** How many digests are cached, for all tenants together. Default: 100. */
  readonly cacheEntries?: number;
}

/** In any script, a token of JSON text is rarely shorter. */
const BYTES_PER_TOKEN = 3;
/** The envelope, source and hashes around a digest. */
const FRAME_BYTES = 1_800;
/** The smallest useful digest; used even if the budget has no room for it. */
const LEAST_BYTES = 600;
/** If the whole answer has less room, LEAST_BYTES does not fit beside the hashes; one short quote is used instead. */
const TIGHT_BYTES = 1_500;
const shortest: DigestLimits = { maxSnippets: 1, snippetChars: 80, summaryChars: 80, maxKeyPoints: 0 };
/** Most of these bytes are the keys, counts and hash of a digest. */
const SHORTEST_BYTES = 450;

function bytesFor({ tokens, bytes }: ToolContext["budget"]): number {
  const byTokens = tokens === "off" ? Number.POSITIVE_INFINITY : tokens * BYTES_PER_TOKEN;
  return Math.min(bytes === "off" ? Number.POSITIVE_INFINITY : bytes, byTokens);
}

/**
 * The limits for a second, smaller digest if the budget would cut the first; undefined if the first fits. A cut digest
 * contradicts its own counts, so a smaller one is made instead.
 */
function smallerDigest(
  payload: DigestPayload,
  budget: ToolContext["budget"],
  args: DigestArguments,
): DigestLimits | undefined {
  const all = bytesFor(budget);
  const isTight = all < TIGHT_BYTES;
  const room = isTight ? SHORTEST_BYTES : Math.max(LEAST_BYTES, all - FRAME_BYTES);
  const bytes = byteLength(JSON.stringify(payload));
  if (bytes <= room) return undefined;
  const limits = isTight ? shortest : shareDigestLimits((room * payload.digest_chars) / bytes);
  const { max_snippets = 5, max_summary_chars = 1_000, max_key_points = 5 } = args;
  return {
    snippetChars: limits.snippetChars,
    maxSnippets: Math.min(max_snippets, limits.maxSnippets),
    summaryChars: Math.min(max_summary_chars, limits.summaryChars),
    maxKeyPoints: Math.min(max_key_points, limits.maxKeyPoints),
  };
}
