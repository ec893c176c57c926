// The public list of `waybill/web`: a server as a function from a Request to a Response. It needs the MCP SDK at once.

export { serveFetch } from "./serve-fetch.ts";
export type { FetchOptions, FetchServer, ServeFetchOptions } from "./serve-fetch.ts";
