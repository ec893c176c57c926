/** How a document is found and read; the same for `digest` and `verify`, since both must see the same text. */
export interface SourceOptions {
  readonly type?: string | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxPages?: number | undefined;
  /** For a URL, in seconds. */
  readonly timeout?: number | undefined;
  readonly allowPrivate?: readonly string[] | undefined;
}
