import type { DigestCache } from "../digesting/digest-cache.ts";
import type { DigestResult } from "../digesting/digest-result.ts";
import type { OnProgress } from "../digesting/document.ts";
import type { FetchedDocument, Fetcher } from "../fetching/fetcher.ts";
import type { DigestLimits } from "../pipeline/parcel.ts";
import { smallerDigest } from "./digest-room.ts";
import type { DigestArguments, SourceArgument } from "./digest-arguments.ts";
import type { DigestToolOptions, ReadDocument } from "./digest-tool-options.ts";
import type { ToolContext } from "../engine/tool-context.ts";

/** A document that is at hand. */
export interface OpenedDocument extends ReadDocument {
  /** The file's name, whose ending is a hint. */
  readonly name?: string;
}

interface DigestCall {
  readonly context: ToolContext;
  readonly onProgress: OnProgress;
}

/** What a digest tool keeps from call to call; loaded by the first call. */
export class DigestSession {
  readonly #options: DigestToolOptions;
  #fetcher: Promise<Fetcher> | undefined;
  #cache: Promise<DigestCache> | undefined;

  constructor(options: DigestToolOptions) {
    this.#options = options;
  }

  async #fetch(url: string, { context, onProgress }: DigestCall): Promise<FetchedDocument> {
    const { urls } = this.#options;
    this.#fetcher ??= import("../fetching/create-fetcher.ts").then(({ createFetcher }) =>
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

  /** One tenant must not learn anything of another's documents, not even from the time an answer takes. */
  async #cacheOf({ tenant, isAnonymous }: ToolContext): Promise<DigestCache | undefined> {
    // Anonymous callers share the name of one tenant.
    if (isAnonymous) return undefined;
    const { cacheEntries } = this.#options;
    this.#cache ??= import("../digesting/digest-cache.ts").then(({ memoryDigestCache }) =>
      memoryDigestCache(cacheEntries === undefined ? {} : { maxEntries: cacheEntries }),
    );
    const cache = await this.#cache;
    return {
      get: (key) => cache.get(`${tenant}\n${key}`),
      set: (key, digest) => cache.set(`${tenant}\n${key}`, digest),
    };
  }

  /** A digest with room in the call's budget, as far as can be told before it is counted. */
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
    const { digestDocument } = await import("../digesting/digest-document.ts");
    const cache = await this.#cacheOf(context);
    return digestDocument(opened.content, {
      ...(cache === undefined ? {} : { cache }),
      signal: context.signal,
      onProgress,
      ...(opened.contentType === undefined ? {} : { contentType: opened.contentType }),
      ...(opened.name === undefined || opened.name === "" ? {} : { name: opened.name }),
      ...(args.query === undefined ? {} : { query: args.query }),
      ...(args.policy === undefined ? {} : { policy: args.policy }),
      ...(args.max_snippets === undefined ? {} : { maxSnippets: args.max_snippets }),
      ...(args.max_summary_chars === undefined ? {} : { summaryChars: args.max_summary_chars }),
      ...(args.max_key_points === undefined ? {} : { maxKeyPoints: args.max_key_points }),
      ...(summariser === undefined ? {} : { summariser }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
      ...(maxPages === undefined ? {} : { maxPages }),
      ...limits,
    });
  }
}
