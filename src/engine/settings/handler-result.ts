// What a handler may return: data, an envelope around data, a tool result, or a failure. For the compiler alone.

import type { DataOf, ResponseEnvelope } from "../../core/contract/envelope.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { AsJson } from "../../core/json/json-form.ts";
import type { InferInput, StandardSchema } from "./standard-schema.ts";
import type { PageMark } from "./tool-context.ts";

/** A tool result that a handler makes itself. Its structured content is checked at run time, not by the compiler. */
export interface ReadyResult {
  readonly content: readonly object[];
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A question to the client, which is not an answer yet. */
export interface UnfinishedResult {
  readonly resultType: "input_required";
  readonly inputRequests?: object | undefined;
  readonly requestState?: string | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A failure as many servers write it. It is read as a failure, with the code that its words mean; `errorResponse` says
 * the code itself.
 */
export interface ReportedFailure {
  readonly success: false;
  readonly error: string | object;
}

/** Handlers often return readonly data, and a schema's own type is not readonly. */
type Unchanged<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
  : Value;

/** No value counts as `{}`, so a handler may return nothing if that satisfies its schema. */
type Nothing<Data> = Data extends object ? (Partial<Data> extends Data ? undefined | void : never) : never;

/**
 * What a handler may return. Without an output schema: what JSON can carry. With one: a value that the schema accepts,
 * an envelope around it, a tool result, or a failure.
 */
export type HandlerResult<Output extends StandardSchema | undefined> = Output extends StandardSchema
  ?
      | Unchanged<InferInput<Output>>
      | Nothing<InferInput<Output>>
      | ResponseEnvelope<DataOf<Unchanged<InferInput<Output>>>>
      | ReadyResult
      | UnfinishedResult
      | ReportedFailure
      | ToolFault
  : unknown;

/** What a handler would have to return: the compiler names it where a result cannot be sent. */
export type MustReturn<Result> = (...given: never) => Result | Promise<Result>;

/** Asks nothing more of a handler whose result can be sent, and what no handler returns of any other. */
export type Checked<Output, Paging, Result> = [Result] extends [Carried<Output, Result>]
  ? [Paging, MayHoldPage<Result>] extends [true, false]
    ? MustReturn<
        NoPage<"This tool has paging: true. Return ctx.page(…) or { ...page, more }, or remove paging.">
      >
    : unknown
  : MustReturn<Carried<Output, Result>>;

/** What an output schema makes of a result is what is sent, so without a schema the result itself must be JSON. */
type Carried<Output, Result> = [Output] extends [undefined]
  ? Result extends ToolFault
    ? Result
    : AsJson<Result>
  : unknown;

/** A type that no value has. Its text is what the compiler says of a tool with `paging: true` that gives no page. */
export interface NoPage<Why extends string> {
  readonly "no page": Why;
}

/** True also where nothing is known of the result, or where a wrong one is reported by its schema. */
type MayHoldPage<Result> = unknown extends Result
  ? true
  : [Result] extends [never]
    ? true
    : true extends (Result extends unknown ? HoldsPage<Result> : never)
      ? true
      : false;

type HoldsPage<Result> = Result extends ReadyResult
  ? true
  : keyof PageMark extends keyof Result
    ? true
    : Result extends { readonly success: true; readonly data: infer Data }
      ? HoldsPage<Data>
      : false;
