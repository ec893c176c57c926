// The public list of `waybill/client`: read what came back. Runs in any JavaScript runtime.

export { contractClient } from "./contract-client.ts";
export type { ContractClient } from "./contract-client.ts";
export { ResponseError } from "./response-error.ts";
export type { Progress } from "./response-error.ts";
export type { Answer, Called, Tried } from "./answer.ts";
export type { CallLog, CallOptions, ClientOptions } from "./client-options.ts";
export type { CallFunction, CallParams, SdkClientLike } from "./connection.ts";
export type { RetryOptions } from "./retry-policy.ts";
export type { AnswerOf, AnyTools, CompleteAnswer, DataSchema, Stub, ToolsOf } from "./tool-types.ts";
export type { ItemOptions, PageOptions } from "./walk-pages.ts";
export type { Retrieved } from "./pick-dropped.ts";
export { decodeTables } from "../json/decode-tables.ts";
