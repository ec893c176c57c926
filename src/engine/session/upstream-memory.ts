import { freeName, isRetrievalTool, RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { canArchiveResults } from "../call/advertise-tool.ts";
import type { ContractState } from "../call/contract-state.ts";
import { leanServerOf } from "../call/lean-context.ts";
import type { LeanServer } from "../../core/pipeline/pipeline-context.ts";
import { inputFactsOf } from "../../core/schema/lean-facts.ts";
import { readsDocuments, ToolSchemas, canBeAsked } from "../call/tool-schemas.ts";
import { ofForeignTool } from "../settings/decide-tool.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { ListInterrupted, type RetrievalPlace } from "./tool-list.ts";
import { mcpMeta } from "../../core/protocol/names.ts";
import type { CalledTool } from "../call/called-tool.ts";

/** What a list says of a tool, and the tool's own settings. */
export type ListedTool = Pick<
  CalledTool,
  "name" | "config" | "schemas" | "listedSchema" | "isUnlisted" | "canBeAsked" | "readsDocuments"
> & {
  /** The tool gives back what another Waybill cut: the server is itself behind a contract. */
  readonly isRetrieval?: boolean | undefined;
};

/** What one tenant was shown. */
interface Shown {
  readonly tools: Map<string, ListedTool>;
  /** The name of an upstream Waybill's retrieval tool. */
  retrieval: string | undefined;
  /** What the tools say to lean; undefined until it is asked for. */
  lean: { readonly serverName: string | undefined; readonly server: LeanServer } | undefined;
  /** Whether the whole list was seen, or is being requested. */
  list: "seen" | Promise<void> | undefined;
}

const MAX_TENANTS = 1_000;
/** For each tenant: ten times what the largest servers list. Further tools are listed without an output schema. */
const MAX_TOOLS = 20_000;
/** For all tenants together, because each may see different tools. */
const MAX_TOOLS_OF_ALL = 200_000;

/**
 * The lists that a server showed its tenants. A list is kept whole or dropped whole, and then requested
 * again: a tool that was listed with its schema and then forgotten would be answered in another form.
 */
class ShownLists {
  /** The least recently used tenant comes first. */
  readonly #shown = new Map<string, Shown>();
  #toolCount = 0;

  find(tenant: string, name: string): ListedTool | undefined {
    return this.#shown.get(tenant)?.tools.get(name);
  }

  /** The retrieval tool of an upstream Waybill; undefined if the server is not one. */
  retrievalOf(tenant: string): string | undefined {
    return this.#shown.get(tenant)?.retrieval;
  }

  /** The list of a tenant; a tenant that calls becomes the most recently used. */
  of(tenant: string): Shown {
    const shown = this.#shown.get(tenant) ?? {
      tools: new Map<string, ListedTool>(),
      retrieval: undefined,
      lean: undefined,
      list: undefined,
    };
    this.#shown.delete(tenant);
    this.#shown.set(tenant, shown);
    if (this.#shown.size > MAX_TENANTS) this.#forgetOldest();
    return shown;
  }

  /** False if the tenant has seen more tools than can be kept: the tool then counts as not listed. */
  hold(tenant: string, tool: ListedTool): boolean {
    const shown = this.of(tenant);
    const { tools } = shown;
    if (!tools.has(tool.name)) {
      if (tools.size >= MAX_TOOLS) return false;
      this.#toolCount += 1;
    }
    tools.set(tool.name, tool);
    shown.lean = undefined;
    if (tool.isRetrieval === true) shown.retrieval ??= tool.name;
    while (this.#toolCount > MAX_TOOLS_OF_ALL) this.#forgetOldest();
    return true;
  }

  /** The presets and the arguments of a tenant's tools. */
  leanServer(tenant: string, serverName: string | undefined): LeanServer {
    const shown = this.#shown.get(tenant);
    if (shown?.lean !== undefined && shown.lean.serverName === serverName) return shown.lean.server;
    const server = leanServerOf(serverName, shown?.tools ?? new Map<string, ListedTool>());
    if (shown !== undefined) shown.lean = { serverName, server };
    return server;
  }

  clear(): void {
    this.#shown.clear();
    this.#toolCount = 0;
  }

  #forgetOldest(): void {
    const [oldest] = this.#shown;
    if (oldest === undefined) return;
    const [tenant, { tools }] = oldest;
    this.#shown.delete(tenant);
    this.#toolCount -= tools.size;
  }
}

/** Where modern results name the server. */

const MAX_TASKS = 10_000;

/** A map that drops the entry that was not set for the longest time. */
class Bounded<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** For an upstream tool, only its annotations count; the contract's `toolSettings` have the rest. */
function configOf({ _meta: meta, annotations }: JsonObject): ToolConfig {
  return ofForeignTool({
    ...(isJsonObject(meta) ? { _meta: meta } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    // The server itself parses the arguments, and does not know this argument.
    waybillArgument: false,
  });
}

const unlisted: Omit<ListedTool, "name"> = Object.freeze({
  config: Object.freeze(configOf({})),
  listedSchema: Object.freeze({}),
  schemas: ToolSchemas.ofListed({}),
  isUnlisted: true,
});

/** The call that became a task: its result comes later, and its question is answered then. */
interface TaskOrigin {
  readonly tool: string;
  readonly select: string | undefined;
}

const unknownTask: TaskOrigin = Object.freeze({ tool: "", select: undefined });

/**
 * What is known of an upstream server, for each tenant: servers may show each caller other tools. It outlives
 * connections, because HTTP handlers build a server object for every request. A tenant's list is dropped as a
 * whole.
 */
export class UpstreamMemory {
  readonly #shown = new ShownLists();
  /** The configured name of our own retrieval tool. */
  readonly #retrieveName: string;
  readonly #tasks = new Bounded<TaskOrigin>(MAX_TASKS);
  /** The server's name in its last modern result. */
  #serverInfo: JsonValue | undefined;
  #serverName: string | undefined;
  #keeping: { readonly settings: object; readonly keeps: boolean } | undefined;

  /** The last name that the server gave itself; undefined before it did. */
  get serverName(): string | undefined {
    return this.#serverName;
  }

  /** Notes the server's name from its greeting, or from the `_meta` of a modern result. */
  noteServer({ result }: JsonObject): void {
    if (!isJsonObject(result)) return;
    const { serverInfo, _meta: meta } = result;
    const info = isJsonObject(meta) ? (meta[mcpMeta.serverInfo] ?? serverInfo) : serverInfo;
    if (isJsonObject(info) && typeof info["name"] === "string") this.#serverName = info["name"];
  }

  constructor(retrieveName: string = RETRIEVE_TOOL) {
    this.#retrieveName = retrieveName;
  }

  /** Notes a tool as a list shows it; beyond the limit, the tool counts as not listed. */
  note(tenant: string, listed: JsonObject & { readonly name: string }): ListedTool {
    const { name, inputSchema, outputSchema } = listed;
    const known = this.#shown.find(tenant, name);
    const schema = isJsonObject(outputSchema) ? outputSchema : null;
    // The same list keeps the same objects, so that values derived from them are reused.
    const isSame = JSON.stringify(known?.listedSchema) === JSON.stringify(schema);
    const config = configOf(listed);
    const isAskable = isJsonObject(inputSchema) && canBeAsked(inputSchema, schema ?? undefined);
    const isReader = readsDocuments(listed);
    const inputFacts = inputFactsOf(isJsonObject(inputSchema) ? inputSchema : undefined);
    const isTakenAlike =
      known?.canBeAsked === isAskable &&
      known.readsDocuments === isReader &&
      known.schemas.inputFacts.names.join() === inputFacts.names.join();
    if (
      known !== undefined &&
      isSame &&
      isTakenAlike &&
      JSON.stringify(known.config) === JSON.stringify(config)
    )
      return known;
    const noted: ListedTool = {
      name,
      config,
      listedSchema: schema,
      schemas: ToolSchemas.ofListed(schema, inputFacts),
      canBeAsked: isAskable,
      readsDocuments: isReader,
      isRetrieval: isRetrievalTool(listed),
    };
    return this.#shown.hold(tenant, noted) ? noted : { ...unlisted, name };
  }

  /**
   * A tool that was not listed: a client may know a schema that we do not know, so we promise nothing. The
   * tool is not noted, because callers make up names.
   */
  find(tenant: string, name: string): ListedTool {
    return this.#shown.find(tenant, name) ?? { ...unlisted, name };
  }

  /** What is known of the server, for results that are made lean. */
  leanServer(tenant: string): LeanServer {
    return this.#shown.leanServer(tenant, this.#serverName);
  }

  /** Whether the server shows this tenant its own retrieval tool. */
  isStacked(tenant: string): boolean {
    return this.#shown.retrievalOf(tenant) !== undefined;
  }

  /**
   * The name of the retrieval tool for this tenant. The results of an upstream Waybill name its own tool, so
   * ours takes that name. If any other tool of the server has our name, ours gets a number.
   */
  retrieveName(tenant: string): string {
    const theirs = this.#shown.retrievalOf(tenant);
    return theirs ?? freeName(this.#retrieveName, (name) => this.#shown.find(tenant, name) !== undefined);
  }

  retrievalPlace(tenant: string): RetrievalPlace {
    return { name: this.retrieveName(tenant), isStacked: this.isStacked(tenant) };
  }

  /** The result with the server's name, if the server did not send it: every other result has the name already. */
  signed(result: JsonObject, foreign: JsonObject | undefined): JsonObject {
    const meta = isJsonObject(result["_meta"]) ? result["_meta"] : {};
    const said = meta[mcpMeta.serverInfo];
    if (said !== undefined) this.#serverInfo = said;
    if (foreign !== undefined || said !== undefined || this.#serverInfo === undefined) return result;
    return { ...result, _meta: { ...meta, [mcpMeta.serverInfo]: this.#serverInfo } };
  }

  /** Whether any result of the server may be cut. Every call asks, so it is computed once for the settings. */
  keeps(state: ContractState): boolean {
    const { settings } = state.effective;
    if (this.#keeping?.settings === settings) return this.#keeping.keeps;
    const settled = Object.entries(state.options.toolSettings ?? {});
    const keeps =
      canArchiveResults(state) ||
      settled.some(([name, config]) => canArchiveResults(state, { name, config, handler: () => ({}) }));
    this.#keeping = { settings, keeps };
    return keeps;
  }

  /** Notes that the last page of a tenant's list has passed. */
  noteList(tenant: string): void {
    this.#shown.of(tenant).list = "seen";
  }

  /** The server says that its tools have changed: every list is requested again when it is needed. */
  forgetLists(): void {
    this.#shown.clear();
  }

  /** Requests a tenant's list once; undefined if it was seen already, or if the request failed. */
  learn(tenant: string, ask: () => Promise<void>): Promise<void> | undefined {
    const shown = this.#shown.of(tenant);
    if (shown.list !== undefined) return shown.list === "seen" ? undefined : shown.list;
    const asking = ask().then(
      () => void (shown.list = "seen"),
      // If the connection closed meanwhile, the next call requests the list again.
      (error: unknown) => void (shown.list = error instanceof ListInterrupted ? undefined : "seen"),
    );
    shown.list = asking;
    return asking;
  }

  noteTask(tenant: string, task: string, origin: TaskOrigin): void {
    this.#tasks.set(`${tenant}\n${task}`, origin);
  }

  /** The call behind a task. */
  taskOf(tenant: string, task: string): TaskOrigin {
    return this.#tasks.get(`${tenant}\n${task}`) ?? unknownTask;
  }
}

/** The memory that all sessions of a contract share. */
export function upstreamMemory({ kept, retrieveName }: ContractState): UpstreamMemory {
  const { upstream } = kept;
  const memory = upstream instanceof UpstreamMemory ? upstream : new UpstreamMemory(retrieveName);
  kept.upstream = memory;
  return memory;
}
