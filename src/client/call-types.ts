import type { JsonValue } from "../json/json-value.ts";
import type { CallOptions } from "./client-options.ts";
import type { AnswerOf, CompleteAnswer, DataSchema } from "./tool-types.ts";

/** The options of a call, and the schema its data is read with. */
export interface TypedCallOptions extends CallOptions {
  /** A Standard Schema: `data` is what it gives, or the call fails with NOT_AS_ASKED. */
  readonly schema?: DataSchema;
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

type ReadData<Data, Options> = Options extends { readonly schema: DataSchema<infer Read> } ? Read : Data;

/** What a call gives: its schema decides the type, `complete: true` that nothing is missing. */
export type Answered<Data, Options> = Options extends { readonly complete: true }
  ? CompleteAnswer<ReadData<Data, Options>>
  : AnswerOf<ReadData<Data, Options>>;

type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;
type ListsIn<Data> = Data extends object ? ElementOf<Data[keyof Data]> : never;
type Found<Item> = [Item] extends [never] ? JsonValue : Item;

/** What stands in the list of a tool's data: under the key asked for, else in any of its lists. */
export type ItemOf<Data, Path extends string> = JsonValue extends Data
  ? JsonValue
  : [Path] extends [never]
    ? Found<ListsIn<Data>>
    : Path extends keyof Data
      ? Found<ElementOf<Data[Path]>>
      : JsonValue;
