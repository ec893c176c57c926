// The public list of `waybill/fetching`: documents from the network, without reaching into yours.

export { createFetcher } from "./create-fetcher.ts";
export type { FetchCallOptions, FetchedDocument, Fetcher, FetcherOptions } from "./fetcher.ts";
