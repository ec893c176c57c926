import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { Answer } from "./answer.ts";

/** What a client knows of tools at compile time: arguments and data by name. */
export type ToolMap = Readonly<Record<string, { readonly args: object; readonly data: unknown }>>;

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
  };
}

interface Schema<Output> {
  readonly "~standard": {
    readonly types?: { readonly output: Output } | undefined;
    readonly validate: (value: unknown) => unknown;
  };
}

/** A schema of any library that follows Standard Schema. */
export type DataSchema<Output = unknown> = Schema<Output>;

/** The answer to a call that may have been cut: the tool's type holds while only items are missing. */
export type AnswerOf<Data> =
  | (Answer<Data> & { readonly fidelity: "full" | "partial" })
  | (Answer<Stub> & { readonly fidelity: "summary" | "reference_only" });

/** The answer to a call that was completed. */
export type CompleteAnswer<Data> = Answer<Data> & { readonly fidelity: "full" };

interface Tool<Name extends string, Input, Output> {
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
  ? Output
  : JsonValue;

type NamedTools<Tools> = Tools extends readonly (infer One)[] ? One : never;

/**
 * The tools of a contract, or of a list of tools made by `defineTool`, for `contractClient<ToolsOf<typeof contract>>`.
 * It is a type only: nothing of the server reaches the client.
 */
export type ToolsOf<Source> = Source extends { readonly tools: infer Tools }
  ? ToolsOf<Tools>
  : {
      readonly [
        One in NamedTools<Source> as One extends Tool<infer Name, infer _I, infer _O> ? Name : never
      ]: One extends Tool<infer _Name, infer Input, infer Output>
        ? { readonly args: InputOf<Input>; readonly data: OutputOf<Output> }
        : never;
    };
