import { freeName, isRetrievalTool } from "../../core/contract/retrieve-name.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import type { ContractState } from "../call/contract-state.ts";
import { readsDocuments } from "../call/document-tool.ts";
import { canBeAsked } from "../call/select-offer.ts";
import { ofForeignTool } from "../settings/code-of-tool.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { type ListedTool, ShownLists } from "./shown-lists.ts";
import { ListInterrupted, type RetrievalPlace } from "./tool-list.ts";
import { mcpMeta } from "../../core/protocol/names.ts";

/** Where results of the modern era name the server. */

const MAX_TASKS = 10_000;

/** A map that forgets what was longest not set. */
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

/** Of a foreign tool, only its annotations count; the contract's `toolSettings` have the rest. */
function configOf({ _meta: meta, annotations }: JsonObject): ToolConfig {
  return ofForeignTool({
    ...(isJsonObject(meta) ? { _meta: meta } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    // The server itself parses the arguments, and does not know this one.
    waybillArgument: false,
  });
}

const unlisted: Omit<ListedTool, "name"> = Object.freeze({
  config: Object.freeze(configOf({})),
  listedSchema: Object.freeze({}),
  isUnlisted: true,
});

/** The call that became a task: its result comes later, and its question waits for that. */
interface TaskOrigin {
  readonly tool: string;
  readonly select: string | undefined;
}

const unknownTask: TaskOrigin = Object.freeze({ tool: "", select: undefined });

/**
 * What is known of the server behind a contract, for each tenant: servers show their tools by who asks. It outlives
 * connections, since HTTP handlers build a server object for every request. A tenant's list is forgotten as a whole.
 */
export class UpstreamMemory {
  readonly #shown = new ShownLists();
  /** What our own tool is to be called. */
  readonly #retrieveName: string;
  readonly #tasks = new Bounded<TaskOrigin>(MAX_TASKS);
  /** As the server named itself in its last result of the modern era. */
  #serverInfo: JsonValue | undefined;
  #serverName: string | undefined;

  /** How the server named itself last; undefined before it did. */
  get serverName(): string | undefined {
    return this.#serverName;
  }

  /** The name of the server in what it answers: to a greeting, or in the `_meta` of a result of the modern era. */
  noteServer({ result }: JsonObject): void {
    if (!isJsonObject(result)) return;
    const { serverInfo, _meta: meta } = result;
    const info = isJsonObject(meta) ? (meta[mcpMeta.serverInfo] ?? serverInfo) : serverInfo;
    if (isJsonObject(info) && typeof info["name"] === "string") this.#serverName = info["name"];
  }

  constructor(retrieveName: string = RETRIEVE_TOOL) {
    this.#retrieveName = retrieveName;
  }

  /** Takes a tool down as a list shows it; past what can be held, it is as one that nobody listed. */
  note(tenant: string, listed: JsonObject & { readonly name: string }): ListedTool {
    const { name, inputSchema, outputSchema } = listed;
    const known = this.#shown.find(tenant, name);
    const schema = isJsonObject(outputSchema) ? outputSchema : null;
    // The same list keeps the same objects, so that nothing made for them has to be made again.
    const isSame = JSON.stringify(known?.listedSchema) === JSON.stringify(schema);
    const config = configOf(listed);
    const isAskable = isJsonObject(inputSchema) && canBeAsked(inputSchema, schema ?? undefined);
    const isReader = readsDocuments(listed);
    const isTakenAlike = known?.canBeAsked === isAskable && known.readsDocuments === isReader;
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
      canBeAsked: isAskable,
      readsDocuments: isReader,
      isRetrieval: isRetrievalTool(listed),
    };
    return this.#shown.hold(tenant, noted) ? noted : { ...unlisted, name };
  }

  /**
   * Of a tool that nobody listed a client may know a schema that we do not, so nothing of it is promised. It is not
   * taken down: callers make names up.
   */
  find(tenant: string, name: string): ListedTool {
    return this.#shown.find(tenant, name) ?? { ...unlisted, name };
  }

  /** Whether the server shows this tenant that it keeps what it cuts itself. */
  isStacked(tenant: string): boolean {
    return this.#shown.retrievalOf(tenant) !== undefined;
  }

  /**
   * The name under which this tenant finds the tool that gives back what was cut. The results of a Waybill further on
   * name its own tool, so ours takes that name. Any other tool that a server lists is its own: ours has a number then.
   */
  retrieveName(tenant: string): string {
    const theirs = this.#shown.retrievalOf(tenant);
    return theirs ?? freeName(this.#retrieveName, (name) => this.#shown.find(tenant, name) !== undefined);
  }

  retrievalPlace(tenant: string): RetrievalPlace {
    return { name: this.retrieveName(tenant), isStacked: this.isStacked(tenant) };
  }

  /** The same result with the server's name, where it is one that the server never gave: every other has it already. */
  signed(result: JsonObject, foreign: JsonObject | undefined): JsonObject {
    const meta = isJsonObject(result["_meta"]) ? result["_meta"] : {};
    const said = meta[mcpMeta.serverInfo];
    if (said !== undefined) this.#serverInfo = said;
    if (foreign !== undefined || said !== undefined || this.#serverInfo === undefined) return result;
    return { ...result, _meta: { ...meta, [mcpMeta.serverInfo]: this.#serverInfo } };
  }

  /** The last page of a tenant's list has passed. */
  noteList(tenant: string): void {
    this.#shown.of(tenant).list = "seen";
  }

  /** The server says that its tools have changed: every list is asked for again when it is needed. */
  forgetLists(): void {
    this.#shown.clear();
  }

  /** Asks once for a tenant's list; undefined when it was seen already, or when asking has failed. */
  learn(tenant: string, ask: () => Promise<void>): Promise<void> | undefined {
    const shown = this.#shown.of(tenant);
    if (shown.list !== undefined) return shown.list === "seen" ? undefined : shown.list;
    const asking = ask().then(
      () => void (shown.list = "seen"),
      // A connection that closed meanwhile leaves the question to the next call.
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

const memories = new WeakMap<ContractState, UpstreamMemory>();

export function upstreamMemory(state: ContractState): UpstreamMemory {
  const known = memories.get(state) ?? new UpstreamMemory(state.retrieveName);
  memories.set(state, known);
  return known;
}
