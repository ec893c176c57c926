// The public list of `waybill/client`: reads results. Runs in any JavaScript runtime.

export { contractClient } from "./contract-client.ts";
export type { ContractClient } from "./contract-client.ts";
export { ResponseError, hasCode } from "../../core/contract/response-error.ts";
export type {
  ErrorWithCode,
  KnownErrorCode,
  Progress,
  ToolError,
} from "../../core/contract/response-error.ts";
export type { Answer, Called, Tried } from "./answer.ts";
export type { Asked } from "./ask-answer.ts";
export type { AskOptions, CallLog, CallOptions, ClientOptions, CompleteOptions } from "./client-options.ts";
export type { CallFunction, CallParams, SdkClientLike, SendOptions } from "./connection.ts";
export type { RetryOptions } from "./retry-policy.ts";
export type {
  AnswerOf,
  AnyTools,
  CallPromise,
  CompleteAnswer,
  DataSchema,
  FailedCall,
  Stub,
  StubAnswer,
  ToolErrorOf,
  ToolMap,
  ToolTypes,
  TypedCallOptions,
} from "./tool-types.ts";
export type { ToolsOf } from "./tools-of.ts";
export type { ItemOptions } from "./walk-items.ts";
export type { PageWalkOptions } from "./walk-pages.ts";
export { isDigest, readSource } from "../../core/contract/response-error.ts";
export type { Citation, ReadDigest, ReadText, Source } from "../../core/contract/response-error.ts";
export type { SaidBy } from "../../core/contract/contract-mark.ts";
export type { HeardWarning } from "./answer.ts";
export type { Retrieved } from "./pick-dropped.ts";
export { decodeTables } from "../../core/json/table/decode-tables.ts";
