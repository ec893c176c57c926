import { checkDescription, checkTool } from "./check-tool.ts";
import { noteDefinition } from "./defined-at.ts";
import type { DeclaredFaults, NoFaults, StrictFaults } from "./declared-faults.ts";
import type { Checked, HandlerResult } from "./handler-result.ts";
import type { ToolContext } from "./tool-context.ts";
import type { InferOutput, StandardSchema } from "./standard-schema.ts";
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

export type ToolHandler<
  Input extends StandardSchema | undefined,
  Result = unknown,
  Errors extends DeclaredFaults = NoFaults,
  Pages extends boolean = true,
> = (args: InferOutput<Input>, context: ToolContext<Errors, Pages>) => Result | Promise<Result>;

/** Whether callers can send a cursor: by `paging: true`, by `_waybill`, or by the tool's own arguments. */
type CanPage<Input, Option> = true extends Option
  ? true
  : [Input] extends [undefined]
    ? false
    : TakesCursor<InferOutput<Input>>;
type TakesCursor<Args> = unknown extends Args ? true : "cursor" extends KeysOf<Args> ? true : false;
type KeysOf<Args> = Args extends unknown ? keyof Args : never;

/** A handler as its author writes it, called with what the tool's options say. */
export type WrittenHandler<
  Input extends StandardSchema | undefined,
  Result,
  Errors extends DeclaredFaults,
  Option,
> = ToolHandler<Input, Result, Errors, CanPage<Input, Option>>;

export interface ToolDefinition<
  Name extends string = string,
  Input extends StandardSchema | undefined = StandardSchema | undefined,
  Output extends StandardSchema | undefined = StandardSchema | undefined,
  Errors extends DeclaredFaults = NoFaults,
  Result = HandlerResult<Output>,
> {
  readonly name: Name;
  readonly config: ToolConfig<Input, Output, Errors>;
  readonly handler: ToolHandler<Input, Result, Errors>;
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
  const Paging extends boolean = false,
  const Waybill extends boolean = false,
>(
  name: Name,
  config: ToolConfig<Input, Output, Errors> & {
    readonly description: string;
    readonly errors?: StrictFaults<Errors>;
    readonly paging?: Paging;
    readonly waybillArgument?: Waybill | undefined;
  },
  handler: Checked<Output, Paging, Result> & WrittenHandler<Input, Result, Errors, Paging | Waybill>,
): ToolDefinition<Name, Input, Output, Errors, Result> {
  checkTool(name, config, handler);
  checkDescription(name, config);
  // The context that a tool gets has everything; only its author's type of it may leave out `page`.
  const definition = Object.freeze({ name, config, handler: handler as ToolHandler<Input, Result, Errors> });
  noteDefinition(definition, defineTool);
  return definition;
}
