/** The fetched document: decompressed bytes, not decoded into text. */
export interface FetchedDocument {
  /** The final URL, after redirects, without a fragment. */
  readonly url: string;
  /** The header as it was sent, charset included. */
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
  /** The URLs that redirected, in order; empty without a redirect. */
  readonly redirects: readonly string[];
}

export interface FetchCallOptions {
  /** Ends the fetch; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Transferred bytes of the last answer's body, and its announced length. */
  readonly onProgress?: (done: number, total?: number) => void;
}

/** Fetches one document, or throws a ToolFault with the reason. */
export type Fetcher = (url: string, options?: FetchCallOptions) => Promise<FetchedDocument>;

export interface FetcherOptions {
  /** The most bytes of a body, both compressed and decompressed. */
  readonly maxBytes?: number;
  /** How many times larger than its compressed form a body may become, once it is over 1 MiB. */
  readonly maxDecompressionRatio?: number;
  /** The limit for the whole fetch: look-ups, redirects, bodies. */
  readonly timeoutMs?: number;
  /** The limit for one connection, including TLS. */
  readonly connectTimeoutMs?: number;
  /** How long a server may be silent. */
  readonly idleTimeoutMs?: number;
  readonly maxRedirects?: number;
  /** Only these hosts, if given: `example.com`, or `*.example.com` for every name below it. */
  readonly allowHosts?: readonly string[];
  /** Places that are allowed although they are not public: `10.0.0.0/8`, `127.0.0.1:8080`, `wiki.internal:443`. */
  readonly allowPrivate?: false | readonly string[];
  /** The operator's own public ranges, which are refused like private ones, as CIDR. */
  readonly denyAddresses?: readonly string[];
  /** The ports a URL may have. Default: 80 and 443. */
  readonly ports?: readonly number[];
  readonly userAgent?: string;
  /** Certificates to trust instead of Node's own list, as PEM. */
  readonly ca?: string;
  /** Returns every address of a host. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}
