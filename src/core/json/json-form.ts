// What a type becomes in JSON, and why a type has no form there. For the compiler alone: `find-non-json.ts` judges values,
// and refuses what these types cannot see, such as an instance without methods.

import type { JsonValue } from "./json-value.ts";

/** The type of a value that was written as JSON and read back: a date is a text, and what is undefined is absent. */
export type JsonForm<Value> = unknown extends Value
  ? JsonValue
  : JsonValue extends Value
    ? JsonValue
    : Value extends string | number | boolean | null
      ? Value
      : Value extends { readonly toJSON: (...given: never) => infer Written }
        ? JsonForm<Written>
        : Value extends (...given: never) => unknown
          ? never
          : Value extends readonly (infer Item)[]
            ? number extends Value["length"]
              ? JsonForm<Item>[]
              : { -readonly [Index in keyof Value]: JsonForm<Value[Index]> }
            : Value extends object
              ? Members<Value> & MaybeMembers<Value> extends infer All
                ? { [Key in keyof All]: All[Key] }
                : never
              : never;

/** Members that are always there. */
type Members<Value> = {
  -readonly [Key in keyof Value as IsWritten<Key, Value[Key]> extends "always" ? Key : never]: JsonForm<
    Value[Key]
  >;
};

/** Members that JSON leaves out where they are undefined. */
type MaybeMembers<Value> = {
  -readonly [Key in keyof Value as IsWritten<Key, Value[Key]> extends "sometimes" ? Key : never]?: JsonForm<
    Exclude<Value[Key], undefined>
  >;
};

type IsWritten<Key, Member> = Key extends symbol
  ? "never"
  : string extends Key
    ? "always"
    : [Exclude<Member, undefined>] extends [never]
      ? "never"
      : undefined extends Member
        ? "sometimes"
        : "always";

/** A type that no value has. Its text is what the compiler says of a value that JSON cannot carry. */
export interface NotJson<Why extends string> {
  readonly "no JSON": Why;
}

/**
 * The type itself where JSON can carry it, with `NotJson` in the place of what JSON cannot carry. It is compared with
 * the type that it is made of: only a type without such places is assignable to it.
 */
export type AsJson<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined | void
    ? Value
    : Value extends bigint
      ? NotJson<"A bigint is no JSON. Send String(value).">
      : Value extends symbol
        ? NotJson<"A symbol is no JSON. Send its description.">
        : Value extends { readonly toJSON: (...given: never) => unknown }
          ? Value
          : AsJsonObject<Value>;

type AsJsonObject<Value> = Value extends (...given: never) => unknown
  ? NotJson<"A function is no JSON. Call it and send its result, or leave it out.">
  : Value extends ReadonlyMap<unknown, unknown>
    ? NotJson<"A Map is no JSON. Send Object.fromEntries(map).">
    : Value extends ReadonlySet<unknown>
      ? NotJson<"A Set is no JSON. Send [...set].">
      : Value extends PromiseLike<unknown>
        ? NotJson<"A promise is no JSON. Await it and send its result.">
        : IsError<Value> extends true
          ? NotJson<"An Error is no JSON. Throw it, throw a fault, or send { message: error.message }.">
          : Value extends RegExp
            ? NotJson<"A RegExp is no JSON. Send regexp.source.">
            : Value extends ArrayBufferView | ArrayBuffer
              ? NotJson<"Bytes are no JSON. Send them as a text in base64.">
              : Value extends readonly (infer Item)[]
                ? readonly AsJson<Item>[]
                : IsInstance<Value> extends true
                  ? NotJson<"An instance of a class is no JSON. Send a plain object, or give the class toJSON().">
                  : { readonly [Key in keyof Value]: Key extends symbol ? Value[Key] : AsJson<Value[Key]> };

/** Data may have a name and a message too; only an error has a stack that may be undefined. */
type IsError<Value> = Value extends Error & { readonly stack?: string | undefined }
  ? "stack" extends keyof Value
    ? undefined extends Value["stack"]
      ? true
      : false
    : false
  : false;

/** A copy of an instance lacks its private members. */
type IsInstance<Value> = { readonly [Key in keyof Value]: Value[Key] } extends Value ? false : true;
