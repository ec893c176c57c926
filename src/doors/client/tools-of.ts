// What a client's types take from a server's tools. It is only types: the client contains no code of the server.

import type { ErrorEnvelope, SuccessEnvelope } from "../../core/contract/envelope.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonForm } from "../../core/json/json-form.ts";
import type { PageMark } from "../../engine/settings/tool-context.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";

/** A tool as `defineTool` makes it. */
interface NamedTool<Name extends string, Input, Output, Errors> {
  readonly name: Name;
  readonly config: {
    readonly inputSchema?: Input;
    readonly outputSchema?: Output;
    readonly errors?: Errors;
  };
  readonly handler: (...given: never) => unknown;
}

/**
 * The tools of a contract, or of a list of tools made by `defineTool`, for `contractClient<ToolsOf<typeof contract>>`:
 * by name the arguments, the data, and the faults that are declared.
 */
export type ToolsOf<Source> = Source extends { readonly tools: infer Tools }
  ? ToolsOf<Tools>
  : {
      readonly [
        One in OneOf<Source> as One extends NamedTool<infer Name, infer _I, infer _O, infer _E> ? Name : never
      ]: One extends NamedTool<infer _Name, infer Input, infer Output, infer Errors>
        ? {
            readonly args: InputOf<Input>;
            readonly data: OutputOf<Output, ReturnType<One["handler"]>>;
            readonly faults: FaultsOf<Errors>;
          }
        : never;
    };

type OneOf<Tools> = Tools extends readonly (infer One)[] ? One : never;

type InputOf<Given> = Given extends {
  readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined };
}
  ? Input extends object
    ? Input
    : JsonObject
  : JsonObject;

/** What the output schema gives; without one, what the handler returns. */
type OutputOf<Given, Returned> = Given extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? unknown extends Output
    ? JsonValue
    : Output
  : SentData<Awaited<Returned>>;

/** A handler that only fails promises nothing. */
type SentData<Result> = [DataIn<Result>] extends [never] ? JsonValue : DataIn<Result>;

/** The data in what a handler returns. Failures and questions to the client have none. */
type DataIn<Result> = unknown extends Result
  ? JsonValue
  : Result extends ToolFault | ErrorEnvelope | { readonly success: false } | { readonly resultType: string }
    ? never
    : Result extends SuccessEnvelope<infer Data>
      ? EnvelopeData<Data>
      : Result extends { readonly content: readonly object[] }
        ? JsonValue
        : Result extends null | undefined | void
          ? Record<string, never>
          : Unmarked<JsonForm<Result>>;

/** What is no object stands under `result` in an envelope, and clients take it out again. */
type EnvelopeData<Data> = Data extends { readonly result: unknown } ? JsonValue : Unmarked<JsonForm<Data>>;

/** Without the mark that `ctx.page` gives its data for the compiler. */
type Unmarked<Data> = Data extends PageMark & object
  ? "~page" extends keyof Data
    ? { [Key in keyof Data as Exclude<Key, keyof PageMark>]: Data[Key] }
    : Data
  : Data;

/** The faults of a tool by their names, with the code and the details that a client sees. */
type FaultsOf<Errors> = {
  readonly [Name in keyof Errors]: Errors[Name] extends { readonly code: infer Code }
    ? { readonly code: Code; readonly details: DetailsOf<Errors[Name]> }
    : never;
};

type DetailsOf<Fault> = Fault extends {
  readonly details: {
    readonly "~standard": { readonly types?: { readonly input: infer Given } | undefined };
  };
}
  ? JsonForm<Given>
  : JsonObject | undefined;
