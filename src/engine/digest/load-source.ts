import { ContractError } from "../../core/contract/contract-error.ts";
import type { DigestOptions, DigestSource, FetchSource } from "./digest-options.ts";
import type { CanonicalDocument } from "./document.ts";
import { readDocument } from "./sources/read-document.ts";

/** Loaded by the first URL: it needs Node, and most documents are at hand. */
async function safeFetcher(maxBytes: number | undefined): Promise<FetchSource> {
  const { createFetcher } = await import("./fetching/create-fetcher.ts");
  return createFetcher(maxBytes === undefined ? {} : { maxBytes });
}

/** A text or bytes; undefined for a URL. Anything else is a mistake of the caller's. */
function atHand(source: DigestSource): string | Uint8Array | undefined {
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (typeof source === "object" && source !== null && typeof source.url === "string") return undefined;
  const kind = source === null ? "null" : typeof source;
  throw new ContractError(
    "INVALID_OPTION",
    `The source is ${kind === "object" ? "an object without a url" : kind}: give a text, bytes, or { url }.`,
  );
}

/** The canonical text of a source, wherever it is. */
export async function loadSource(
  source: DigestSource,
  options: DigestOptions,
): Promise<{ readonly document: CanonicalDocument; readonly url?: string }> {
  const { contentType, name, signal, onProgress, maxBytes, maxPages, compat, readTimeoutMs, isolate } =
    options;
  const common = {
    readTimeoutMs,
    isolate,
    signal,
    maxBytes,
    maxPages,
    compat,
    name,
    onProgress:
      onProgress && ((done: number, total: number): void => onProgress({ stage: "read", done, total })),
  };
  const given = atHand(source);
  if (given !== undefined) {
    const document = await readDocument(given, { ...common, contentType });
    return { document };
  }
  const { url } = source as { readonly url: string };
  const fetch = options.fetch ?? (await safeFetcher(maxBytes));
  const fetched = await fetch(url, {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: (done, total) => onProgress({ stage: "fetch", done, total: total ?? done }) }),
  });
  const document = await readDocument(fetched.bytes, {
    ...common,
    contentType: contentType ?? fetched.contentType,
    name: name ?? new URL(fetched.url).pathname.split("/").at(-1),
  });
  return { document, url: fetched.url };
}
