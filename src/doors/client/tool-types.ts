import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { Answer, Called } from "./answer.ts";
import type { CallOptions } from "./client-options.ts";
import type { ResponseError } from "../../core/contract/response-error.ts";

/** What a client knows of one tool at compile time. */
export interface ToolTypes {
  readonly args: object;
  readonly data: unknown;
}

/** Arguments and data by name. It looks at itself, so that interfaces, which have no index signature, fit too. */
export type ToolMap<Tools> = { readonly [Name in keyof Tools]: ToolTypes };

/** Nothing is known: any name, any arguments, any JSON. */
export interface AnyTools {
  readonly [name: string]: { readonly args: JsonObject; readonly data: JsonValue };
}

/** What stands for data that was left out whole. */
export interface Stub {
  readonly omitted: {
    readonly count: number;
    readonly keys: readonly string[];
    readonly sample?: JsonValue;
    readonly bytes: number;
    /** Of data that is mostly one long text: a digest of it, and where the text stands in the whole. */
    readonly digest?: DigestPayload;
    readonly pointer?: string;
  };
}

/** A schema of any library that follows Standard Schema. */
export interface DataSchema<Output = unknown> {
  readonly "~standard": {
    readonly types?: { readonly output: Output } | undefined;
    readonly validate: (value: unknown) => unknown;
  };
}

declare const whole: unique symbol;

/** A stub's answer. It remembers, for the compiler alone, what completing it will give. */
export type StubAnswer<Data, Level extends "summary" | "reference_only" = "summary" | "reference_only"> = {
  readonly fidelity: Level;
  readonly [whole]?: Data;
} & Answer<Stub>;

/**
 * The answer to a call that may have been cut: the tool's type holds while only items are missing. One member for each level,
 * because a check of `fidelity` rules out whole members only.
 */
export type AnswerOf<Data> =
  | CompleteAnswer<Data>
  | (Answer<Data> & { readonly fidelity: "partial" })
  | StubAnswer<Data, "summary">
  | StubAnswer<Data, "reference_only">;

/** The answer to a call that was completed. */
export type CompleteAnswer<Data> = Answer<Data> & { readonly fidelity: "full" };

/** A call that failed, as a value. */
export interface FailedCall {
  readonly ok: false;
  readonly error: ResponseError;
  readonly called: Called;
}

interface NamedTool<Name extends string, Input, Output> {
  readonly name: Name;
  readonly config: { readonly inputSchema?: Input; readonly outputSchema?: Output };
}

type InputOf<Given> = Given extends {
  readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined };
}
  ? Input extends object
    ? Input
    : JsonObject
  : JsonObject;

type OutputOf<Given> = Given extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? unknown extends Output
    ? JsonValue
    : Output
  : JsonValue;

type OneOf<Tools> = Tools extends readonly (infer One)[] ? One : never;

/**
 * The tools of a contract, or of a list of tools made by `defineTool`, for `contractClient<ToolsOf<typeof contract>>`.
 * It is a type only: nothing of the server reaches the client.
 */
export type ToolsOf<Source> = Source extends { readonly tools: infer Tools }
  ? ToolsOf<Tools>
  : {
      readonly [
        One in OneOf<Source> as One extends NamedTool<infer Name, infer _I, infer _O> ? Name : never
      ]: One extends NamedTool<infer _Name, infer Input, infer Output>
        ? { readonly args: InputOf<Input>; readonly data: OutputOf<Output> }
        : never;
    };

/** The options of a call, and the schema its data is read with. */
export interface TypedCallOptions extends CallOptions {
  /** A Standard Schema: `data` is what it gives, or the call fails with NOT_AS_ASKED. */
  readonly schema?: DataSchema;
  /**
   * A question that goes with the call: `data` holds the answer in place of the result, as the tool's server places it. Only
   * for tools that take questions (`select: true`); another ignores it.
   */
  readonly select?: string;
}

export type NameOf<Tools> = keyof Tools & string;
export type ArgsOf<Tools, Name extends keyof Tools> = Tools[Name] extends { readonly args: infer Args }
  ? Args
  : never;
export type DataOf<Tools, Name extends keyof Tools> = Tools[Name] extends { readonly data: infer Data }
  ? Data
  : never;

/** True where every key may be left out, or none is known. */
type IsOptional<Args> = string extends keyof Args ? true : Partial<Args> extends Args ? true : false;

/** Arguments may be left out only where the tool needs none. */
export type Given<Args, Options> =
  IsOptional<Args> extends true ? [args?: Args, options?: Options] : [args: Args, options?: Options];

type ReadData<Data, Options> = Options extends { readonly schema: DataSchema<infer Read> }
  ? Read
  : Options extends { readonly select: string }
    ? JsonValue
    : Data;

/** What a call gives: its schema decides the type, `complete: true` that nothing is missing. */
export type Answered<Data, Options> = Options extends { readonly complete: true }
  ? CompleteAnswer<ReadData<Data, Options>>
  : AnswerOf<ReadData<Data, Options>>;

/** What a question gives: JSON, or what the schema makes of it. */
export type AskedData<Options> = ReadData<JsonValue, Options>;

type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;
/** The items of a list that is all of the data, else of any list in it. */
type ListsIn<Data> = Data extends readonly (infer Item)[]
  ? Item
  : Data extends object
    ? ElementOf<Data[keyof Data]>
    : never;
type Found<Item> = [Item] extends [never] ? JsonValue : Item;

/** What stands in the list of a tool's data: under the key asked for, else in any of its lists. */
export type ItemOf<Data, Path extends string> = JsonValue extends Data
  ? JsonValue
  : [Path] extends [never]
    ? Found<ListsIn<Data>>
    : Path extends keyof Data
      ? Found<ElementOf<Data[Path]>>
      : JsonValue;
