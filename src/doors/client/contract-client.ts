import { ContractError } from "../../core/contract/contract-error.ts";
import { SELECT_ARGUMENT } from "../../core/contract/wire-names.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { Answer, Tried } from "./answer.ts";
import type {
  AnswerOf,
  AnsweredBy,
  AnyTools,
  ArgsOf,
  AskedData,
  CallPromise,
  CompleteAnswer,
  ToolDataOf,
  ToolErrorOf,
  FailedCall,
  Given,
  ItemOf,
  NameOf,
  ToolMap,
  TypedCallOptions,
} from "./tool-types.ts";
import {
  type AskOptions,
  type ClientOptions,
  type CompleteOptions,
  checkCallOptions,
  checkClientOptions,
} from "./client-options.ts";
import type { Asked } from "./ask-answer.ts";
import { type CallFunction, type SdkClientLike, connect } from "./connection.ts";
import type { Retrieved } from "./pick-dropped.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import { CallRunner } from "./call-runner.ts";
import type { ItemOptions } from "./walk-items.ts";
import { type PageWalkOptions, walkPages } from "./walk-pages.ts";

/** Reads the results of tools under the contract, and does what the contract allows in response. */
export interface ContractClient<Tools extends ToolMap<Tools> = AnyTools> {
  /** The tool's data and all notes beside it; throws a ResponseError if the call failed. */
  call<Name extends NameOf<Tools>, Options extends TypedCallOptions = TypedCallOptions>(
    name: Name,
    ...given: Given<ArgsOf<Tools, Name>, Options>
  ): CallPromise<AnsweredBy<ToolDataOf<Tools, Name>, Options>, ToolErrorOf<Tools, Name>>;
  /** Like `call`, but returns failures: `ok` says whether the call failed; only an abort is thrown. */
  tryCall<Name extends NameOf<Tools>, Options extends TypedCallOptions = TypedCallOptions>(
    name: Name,
    ...given: Given<ArgsOf<Tools, Name>, Options>
  ): Promise<AnsweredBy<ToolDataOf<Tools, Name>, Options> | FailedCall<ToolErrorOf<Tools, Name>>>;
  /** Every page of a tool with pagination, each fetched when it is requested. */
  pages<Name extends NameOf<Tools>, Options extends PageWalkOptions = PageWalkOptions>(
    name: Name,
    ...given: Given<ArgsOf<Tools, Name>, Options>
  ): AsyncGenerator<AnsweredBy<ToolDataOf<Tools, Name>, Options>, void, undefined>;
  /** Every item of every page, once, in order. */
  items<Name extends NameOf<Tools>, Path extends string = never>(
    name: Name,
    ...given: Given<ArgsOf<Tools, Name>, ItemOptions & { readonly path?: Path }>
  ): AsyncGenerator<ItemOf<ToolDataOf<Tools, Name>, Path>, void, undefined>;
  /** The result before it was cut, verified by its hash. */
  complete<Data>(answer: AnswerOf<Data>, options?: CompleteOptions): Promise<CompleteAnswer<Data>>;
  /** Fetches omitted content by its names. Default: all of it. */
  retrieve(
    answer: Answer<unknown>,
    ids?: readonly string[],
    options?: CompleteOptions & { readonly idPath?: string },
  ): Promise<readonly Retrieved[]>;
  /**
   * A question about the whole of an answer, however much of it was cut: a JMESPath expression. The server computes it
   * from its archive; for an answer that was not cut, the client computes it.
   */
  ask<Options extends AskOptions = AskOptions>(
    answer: Answer<unknown>,
    expression: string,
    options?: Options,
  ): Promise<Asked<AskedData<Options>>>;
  /** Asks the server's `server` tool for a dialect and profile. Returns what was agreed, as the server says it. */
  negotiate(wish?: JsonObject): Promise<JsonObject>;
}

function objectOf(args: object | undefined): JsonObject {
  return (args ?? {}) as JsonObject;
}

/**
 * A client for tools under the contract, over an MCP SDK client (v1 or v2) or a bare function that calls a tool.
 *
 * @example
 * const tools = contractClient(client);
 * const { data, warnings } = await tools.call("task_query", { status: "pending" });
 */
export function contractClient<Tools extends ToolMap<Tools> = AnyTools>(
  target: CallFunction | SdkClientLike,
  options: ClientOptions = {},
): ContractClient<Tools> {
  checkClientOptions(options);
  const runner = new CallRunner(connect(target), options);

  // Most answers are whole, so the code that completes an answer is loaded when it is first needed.
  async function complete(answer: Answer, given?: CompleteOptions): Promise<Answer> {
    const { completeAnswer } = await import("./complete-answer.ts");
    return completeAnswer(runner, answer, given);
  }

  async function call(name: string, args?: object, given: TypedCallOptions = {}): Promise<Answer> {
    checkCallOptions("call", given);
    const { schema, select, ...rest } = given;
    const asked = select === undefined ? objectOf(args) : { ...objectOf(args), [SELECT_ARGUMENT]: select };
    const answer = await runner.run({ tool: name, args: asked }, rest);
    const whole = rest.complete === true ? await complete(answer, rest) : answer;
    if (schema === undefined) return whole;
    const { checkData } = await import("./check-data.ts");
    return checkData(whole, schema);
  }

  async function tryCall(name: string, args?: object, given: TypedCallOptions = {}): Promise<Tried> {
    try {
      return await call(name, args, given);
    } catch (error) {
      if (!ResponseError.isInstance(error)) throw error;
      return { ok: false, error, called: { tool: name, args: objectOf(args) } };
    }
  }

  async function retrieve(
    answer: Answer,
    ids?: readonly string[],
    given: CompleteOptions & { readonly idPath?: string } = {},
  ): Promise<readonly Retrieved[]> {
    if (ids !== undefined && !Array.isArray(ids))
      throw new ContractError("INVALID_OPTION", 'retrieve() takes a list of ids: ["f-17"].');
    checkCallOptions("retrieve", given);
    const { data } = await complete(answer, given);
    const { pickDropped } = await import("./pick-dropped.ts");
    return pickDropped(data, ids ?? answer.dropped, given.idPath);
  }

  async function* pages(
    name: string,
    args?: object,
    given: PageWalkOptions = {},
  ): AsyncGenerator<Answer, void> {
    checkCallOptions("pages", given);
    yield* walkPages(runner, { tool: name, args: objectOf(args) }, given);
  }

  async function* items(
    name: string,
    args?: object,
    given: ItemOptions = {},
  ): AsyncGenerator<JsonValue, void> {
    checkCallOptions("items", given);
    const { walkItems } = await import("./walk-items.ts");
    yield* walkItems(runner, { tool: name, args: objectOf(args) }, given);
  }

  async function negotiate(wish: JsonObject = { response_contract: "v2" }): Promise<JsonObject> {
    const args = { action: "capability-negotiate", client_capabilities: wish };
    const { data, warnings } = await runner.run({ tool: "server", args }, { repeatable: true });
    // Warnings say which wishes were not granted, so they are part of what was agreed.
    return {
      ...(data as JsonObject),
      ...(warnings.length === 0 ? {} : { warnings: warnings.map((one) => ({ ...one })) }),
    };
  }

  const client = {
    call,
    tryCall,
    pages,
    items,
    complete: async (answer: Answer, given: CompleteOptions = {}) => {
      checkCallOptions("complete", given);
      return complete(answer, given);
    },
    retrieve,
    ask: async (answer: Answer, expression: string, given: AskOptions = {}) => {
      checkCallOptions("ask", given);
      return (await import("./ask-answer.ts")).askAnswer(runner, answer, expression, given);
    },
    negotiate,
  };
  return client as unknown as ContractClient<Tools>;
}
