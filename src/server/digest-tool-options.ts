import type { Summariser } from "../digesting/summariser/summariser.ts";
import type { FetcherOptions } from "../fetching/fetcher.ts";
import type { ToolContext } from "../engine/tool-context.ts";

/** A document that an author's reader gives. */
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
  /** Gives the document of an id; the tool then takes `source_id`. Throw a fault if there is no such document. */
  readonly read?: (id: string, context: ToolContext) => ReadDocument | Promise<ReadDocument>;
  /** Writes summary and key points in place of quoted sentences. */
  readonly summariser?: Summariser;
  /** Larger documents are refused. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** Of a longer PDF only the first pages are read. Default: 2,000. */
  readonly maxPages?: number;
  /** How long one call may take. Default: 60,000. */
  readonly timeoutMs?: number;
  /** How many digests are remembered, of all tenants together. Default: 100. */
  readonly cacheEntries?: number;
}
