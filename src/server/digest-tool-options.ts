import type { Summariser } from "../digesting/summariser/summariser.ts";
import type { FetcherOptions } from "../fetching/fetcher.ts";
import type { ToolContext } from "../engine/tool-context.ts";

/** A document that an author's reader gives. */
export interface ReadDocument {
  readonly content: string | Uint8Array;
  /** Told from the content where it is left out. */
  readonly contentType?: string;
  readonly title?: string;
  readonly url?: string;
}

export interface DigestToolOptions<Name extends string = string> {
  /** `digest` unless told. */
  readonly name?: Name;
  readonly description?: string;
  /** Takes URLs of public hosts; off unless told. Options are those of the safe fetcher. */
  readonly urls?: boolean | FetcherOptions;
  /** Gives the document behind an id; the tool then takes `source_id`. Throw a fault for one that is not there. */
  readonly read?: (id: string, context: ToolContext) => ReadDocument | Promise<ReadDocument>;
  /** Writes summary and key points in place of quoted sentences. */
  readonly summariser?: Summariser;
  /** Larger documents are refused; 64 MiB unless told. */
  readonly maxBytes?: number;
  /** Of a longer PDF only the first pages are read; 2,000 unless told. */
  readonly maxPages?: number;
  /** For one call; 60,000 unless told. */
  readonly timeoutMs?: number;
  /** How many digests are remembered, over all tenants; 100 unless told. */
  readonly cacheEntries?: number;
}
