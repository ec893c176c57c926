import type { DataOf, ResponseEnvelope } from "../../core/contract/envelope.ts";
import { checkDescription, checkTool } from "./check-tool.ts";
import { noteDefinition } from "./defined-at.ts";
import type { DeclaredFaults, NoFaults, StrictFaults } from "./declared-faults.ts";
import type { ToolContext } from "./tool-context.ts";
import type { InferInput, InferOutput, StandardSchema } from "./standard-schema.ts";
import type { CodeTable } from "./code-table.ts";
import type { SettingTable } from "./table.ts";
import type { Options } from "./table-types.ts";

export interface RateLimitRule {
  readonly limit: number;
  readonly periodSeconds: number;
}

export interface BreakerRule {
  readonly failureShare?: number;
  readonly minimumCalls?: number;
  readonly windowMs?: number;
  readonly resetMs?: number;
}

export interface CacheRule {
  readonly ttlMs: number;
  /** How long after that a stale answer may still be sent, marked as stale. */
  readonly staleMs?: number;
  readonly maxEntries?: number;
}

/** How a tool's results are written, and how its calls are guarded. Default of each setting: the contract's. */
export interface ToolOptions extends Options<SettingTable, "tool">, Options<CodeTable, "tool"> {
  readonly rateLimit?: RateLimitRule;
  readonly breaker?: BreakerRule | true;
  readonly cache?: CacheRule;
}

/** What MCP lets a server say about a tool's effects, and keys of your own: with a slash, or with the prefix `x-`. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  /** The tool changes nothing. Many clients call such tools without asking. Default: false. */
  readonly readOnlyHint?: boolean | undefined;
  /** The tool may destroy something. Default: true. */
  readonly destructiveHint?: boolean | undefined;
  /** A second call with the same arguments changes nothing more. Default: false. */
  readonly idempotentHint?: boolean | undefined;
  /** The tool reaches the outside world, such as the web. Default: true. */
  readonly openWorldHint?: boolean | undefined;
  readonly [own: `${string}/${string}` | `x-${string}`]: unknown;
}

/** A tool's arguments, its results, and its guards. */
export interface ToolConfig<
  Input extends StandardSchema | undefined = StandardSchema | undefined,
  Output extends StandardSchema | undefined = StandardSchema | undefined,
  Errors extends DeclaredFaults = DeclaredFaults,
> extends ToolOptions {
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Input;
  /**
   * Adds `cursor` and `limit` to the arguments, for a handler that returns `ctx.page`. They are removed
   * before the schema sees the arguments.
   */
  readonly paging?: boolean;
  readonly outputSchema?: Output;
  /**
   * Writes the data as text for models: the text replaces the JSON text, and the structured content stays. If
   * it throws or returns no text, the JSON is sent and the log says so. It gets a copy of the data that is
   * sent: after filters, and after a cut.
   */
  // A method, so that tools with different schemas are assignable to one type: a tool only gets its own data.
  format?(data: InferOutput<Output>): string;
  /** The declared failures of the tool, by the names that its handler passes to `ctx.fail`. */
  readonly errors?: Errors;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

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

/** Handlers often return readonly data, and a schema's own type is not readonly. */
type Unchanged<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
  : Value;

/** No value counts as `{}`, so a handler may return nothing if that satisfies its schema. */
type Nothing<Data> = Data extends object ? (Partial<Data> extends Data ? undefined | void : never) : never;

/**
 * What a handler may return. Without an output schema: anything. With one: a value that the schema accepts,
 * an envelope around it, or a tool result.
 */
export type HandlerResult<Output extends StandardSchema | undefined> = Output extends StandardSchema
  ?
      | Unchanged<InferInput<Output>>
      | Nothing<InferInput<Output>>
      | ResponseEnvelope<DataOf<Unchanged<InferInput<Output>>>>
      | ReadyResult
      | UnfinishedResult
  : unknown;

export type ToolHandler<
  Input extends StandardSchema | undefined,
  Result = unknown,
  Errors extends DeclaredFaults = NoFaults,
> = (args: InferOutput<Input>, context: ToolContext<Errors>) => Result | Promise<Result>;

export interface ToolDefinition<
  Name extends string = string,
  Input extends StandardSchema | undefined = StandardSchema | undefined,
  Output extends StandardSchema | undefined = StandardSchema | undefined,
  Errors extends DeclaredFaults = NoFaults,
> {
  readonly name: Name;
  readonly config: ToolConfig<Input, Output, Errors>;
  readonly handler: ToolHandler<Input, HandlerResult<Output>, Errors>;
}

/** A tool with any schemas, as a server takes it. */
export interface AnyTool {
  readonly name: string;
  readonly config: ToolConfig;
  // The context knows the faults that its tool declares.
  readonly handler: (args: never, context: never) => unknown;
}

/**
 * A tool as a value: made once, added to every server object.
 *
 * @example
 * const specGet = defineTool("spec_get", { description: "One spec", inputSchema }, async ({ id }) => specs.get(id));
 */
export function defineTool<
  Name extends string,
  Input extends StandardSchema | undefined = undefined,
  Output extends StandardSchema | undefined = undefined,
  // A separate type parameter: otherwise a literal such as "done" would widen to string before the schema's
  // type is known.
  const Result extends HandlerResult<Output> = HandlerResult<Output>,
  const Errors extends DeclaredFaults = NoFaults,
>(
  name: Name,
  config: ToolConfig<Input, Output, Errors> & {
    readonly description: string;
    readonly errors?: StrictFaults<Errors>;
  },
  handler: ToolHandler<Input, Result, Errors>,
): ToolDefinition<Name, Input, Output, Errors> {
  checkTool(name, config, handler);
  checkDescription(name, config);
  const definition = Object.freeze({ name, config, handler });
  noteDefinition(definition, defineTool);
  return definition;
}
