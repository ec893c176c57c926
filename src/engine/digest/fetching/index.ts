// The public exports of `waybill/fetching`: fetches documents without access to your own network.

export { createFetcher } from "./create-fetcher.ts";
export type { FetchCallOptions, FetchedDocument, Fetcher, FetcherOptions } from "./fetch-settings.ts";
