import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { Answer, Called } from "./answer.ts";
import type { CallOptions } from "./client-options.ts";
import type { ResponseError, ToolError } from "../../core/contract/response-error.ts";

/** What a client knows of one tool at compile time. */
export interface ToolTypes {
  readonly args: object;
  readonly data: unknown;
  /** The faults that it declares, by name: each with its code and its details. */
  readonly faults?: object;
}

/** Arguments, data and faults by tool name. It refers to itself, so that interfaces, which have no index signature, fit too. */
export type ToolMap<Tools> = { readonly [Name in keyof Tools]: ToolTypes };

/** Without type information: any name, any arguments, any JSON. */
export interface AnyTools {
  readonly [name: string]: { readonly args: JsonObject; readonly data: JsonValue };
}

/** Replaces data that was left out as a whole. */
export interface Stub {
  readonly omitted: {
    readonly count: number;
    readonly keys: readonly string[];
    readonly sample?: JsonValue;
    readonly bytes: number;
    /** For data that is mostly one long text: a digest of the text, and where the text is in the whole. */
    readonly digest?: DigestPayload;
    readonly pointer?: string;
  };
}

/** A schema of any library that implements Standard Schema. */
export interface DataSchema<Output = unknown> {
  readonly "~standard": {
    readonly types?: { readonly output: Output } | undefined;
    readonly validate: (value: unknown) => unknown;
  };
}

declare const whole: unique symbol;

/** An answer with a stub. It carries, for the compiler only, the type that completing it gives. */
export type StubAnswer<Data, Level extends "summary" | "reference_only" = "summary" | "reference_only"> = {
  readonly fidelity: Level;
  readonly [whole]?: Data;
} & Answer<Stub>;

/**
 * The answer to a call that may have been cut: the tool's type holds if only items are missing. The union has one
 * member for each level, because a check of `fidelity` rules out whole members only.
 */
export type AnswerOf<Data> =
  | CompleteAnswer<Data>
  | (Answer<Data> & { readonly fidelity: "partial" })
  | StubAnswer<Data, "summary">
  | StubAnswer<Data, "reference_only">;

/** The answer to a call that was completed. */
export type CompleteAnswer<Data> = Answer<Data> & { readonly fidelity: "full" };

/** A call that failed, as a value. */
export interface FailedCall<Failure extends ResponseError = ResponseError> {
  readonly ok: false;
  readonly error: Failure;
  readonly called: Called;
}

/** The promise of a call. It rejects with a failure, or with the reason for which the caller aborted. */
export interface CallPromise<Value, Failure extends ResponseError = ResponseError> extends Promise<Value> {
  catch<Other = never>(
    onRejected?: ((reason: Failure | Error) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other>;
}

/** The options of a call, with a schema for its data. */
export interface TypedCallOptions extends CallOptions {
  /** A Standard Schema: `data` is its output, or the call fails with NOT_AS_ASKED. */
  readonly schema?: DataSchema;
  /**
   * A question sent with the call: `data` holds the answer instead of the result, as the tool's server places it. Only
   * for tools that take questions (`select: true`); other tools ignore it.
   */
  readonly select?: string;
}

export type NameOf<Tools> = keyof Tools & string;
export type ArgsOf<Tools, Name extends keyof Tools> = Tools[Name] extends { readonly args: infer Args }
  ? Args
  : never;
/** What a call of a tool fails with. */
export type ToolErrorOf<Tools, Name extends keyof Tools> = Tools[Name] extends {
  readonly faults: infer Faults;
}
  ? ToolError<Faults>
  : ResponseError;
export type ToolDataOf<Tools, Name extends keyof Tools> = Tools[Name] extends { readonly data: infer Data }
  ? Data
  : never;

/** True if every key is optional, or no key is known. */
type IsOptional<Args> = string extends keyof Args ? true : Partial<Args> extends Args ? true : false;

/** Arguments may be omitted only if the tool requires none. */
export type Given<Args, Options> =
  IsOptional<Args> extends true ? [args?: Args, options?: Options] : [args: Args, options?: Options];

type ReadData<Data, Options> = Options extends { readonly schema: DataSchema<infer Read> }
  ? Read
  : Options extends { readonly select: string }
    ? JsonValue
    : Data;

/** The result type of a call: the schema decides the type, and `complete: true` means that nothing is missing. */
export type AnsweredBy<Data, Options> = Options extends { readonly complete: true }
  ? CompleteAnswer<ReadData<Data, Options>>
  : AnswerOf<ReadData<Data, Options>>;

/** The result type of a question: JSON, or the output of the schema. */
export type AskedData<Options> = ReadData<JsonValue, Options>;

type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;
/** The items of the list if the data is a list, else of any list in it. */
type ListsIn<Data> = Data extends readonly (infer Item)[]
  ? Item
  : Data extends object
    ? ElementOf<Data[keyof Data]>
    : never;
type Found<Item> = [Item] extends [never] ? JsonValue : Item;

/** The type of an item in a tool's data: of the list under the given key, else of any list. */
export type ItemOf<Data, Path extends string> = JsonValue extends Data
  ? JsonValue
  : [Path] extends [never]
    ? Found<ListsIn<Data>>
    : Path extends keyof Data
      ? Found<ElementOf<Data[Path]>>
      : JsonValue;
