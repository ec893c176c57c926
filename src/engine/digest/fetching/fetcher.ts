/** What came back: bytes as the server meant them, unpacked but not decoded. */
export interface FetchedDocument {
  /** Where the document was in the end, after redirects, without a fragment. */
  readonly url: string;
  /** The header as it was sent, charset included. */
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
  /** The URLs that led on to another, in order; empty without a redirect. */
  readonly redirects: readonly string[];
}

export interface FetchCallOptions {
  /** Ends the fetch; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Bytes of the last answer's body as they travel, and how many its header promises. */
  readonly onProgress?: (done: number, total?: number) => void;
}

/** Gets one document, or throws a ToolFault that says why not. */
export type Fetcher = (url: string, options?: FetchCallOptions) => Promise<FetchedDocument>;

export interface FetcherOptions {
  /** The most bytes of a body, both as they travel and unpacked. */
  readonly maxBytes?: number;
  /** How many times larger than its packed form a body may become, once it is over 1 MiB. */
  readonly maxDecompressionRatio?: number;
  /** For everything: names, redirects, bodies. */
  readonly timeoutMs?: number;
  /** For one connection, TLS included. */
  readonly connectTimeoutMs?: number;
  /** How long a server may say nothing. */
  readonly idleTimeoutMs?: number;
  readonly maxRedirects?: number;
  /** Only these hosts, if given: `example.com`, or `*.example.com` for every name below it. */
  readonly allowHosts?: readonly string[];
  /** What is permitted although it is not public: `10.0.0.0/8`, `127.0.0.1:8080`, `wiki.internal:443`. */
  readonly allowPrivate?: false | readonly string[];
  /** Public ranges that are the operator's own and refused like private ones, as CIDR. */
  readonly denyAddresses?: readonly string[];
  /** The ports a URL may have. Default: 80 and 443. */
  readonly ports?: readonly number[];
  readonly userAgent?: string;
  /** Certificates to trust instead of Node's own list, as PEM. */
  readonly ca?: string;
  /** Gives every address of a host. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}
