import type { CalledTool } from "../engine/called-tool.ts";
import type { ContractState } from "../engine/contract-state.ts";
import type { ToolConfig } from "../engine/tool-definition.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";

/** What a list said of a tool, and what its own settings say. */
export type ListedTool = Pick<CalledTool, "name" | "config" | "listedSchema" | "isUnlisted">;

const MAX_TENANTS = 1_000;
const MAX_TOOLS = 10_000;
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

/** Of a foreign tool only what its server says of its nature counts; the contract's `toolSettings` say the rest. */
function configOf({ _meta: meta, annotations }: JsonObject): ToolConfig {
  return {
    ...(isJsonObject(meta) ? { _meta: meta } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    // The server itself takes the arguments, and it knows no such one.
    waybillArgument: false,
  };
}

/**
 * What is known of the server behind a contract, for each tenant: servers show their tools by who asks. It outlives
 * connections, since HTTP handlers build a server object for every request.
 */
export class UpstreamMemory {
  readonly #tools = new Bounded<ListedTool>(MAX_TOOLS);
  readonly #tasks = new Bounded<string>(MAX_TASKS);
  /** Whether a tenant's list was seen, or is being asked for. */
  readonly #lists = new Bounded<"seen" | Promise<void>>(MAX_TENANTS);

  /** Takes a tool down as a list shows it. */
  note(tenant: string, listed: JsonObject & { readonly name: string }): ListedTool {
    const { name, outputSchema } = listed;
    const known = this.#tools.get(`${tenant}\n${name}`);
    const schema = isJsonObject(outputSchema) ? outputSchema : null;
    // The same list again keeps the same objects, so that nothing made for them is made anew.
    const isSame =
      known?.isUnlisted === undefined && JSON.stringify(known?.listedSchema) === JSON.stringify(schema);
    const config = configOf(listed);
    if (known !== undefined && isSame && JSON.stringify(known.config) === JSON.stringify(config))
      return known;
    const noted: ListedTool = { name, config, listedSchema: schema };
    this.#tools.set(`${tenant}\n${name}`, noted);
    return noted;
  }

  /** Of a tool that nobody listed a client may know a schema that we do not, so nothing of it is promised. */
  find(tenant: string, name: string): ListedTool {
    const known = this.#tools.get(`${tenant}\n${name}`);
    if (known !== undefined) return known;
    const unlisted = { name, config: configOf({}), listedSchema: {}, isUnlisted: true };
    this.#tools.set(`${tenant}\n${name}`, unlisted);
    return unlisted;
  }

  noteList(tenant: string): void {
    this.#lists.set(tenant, "seen");
  }

  /** Asks once for a tenant's list; undefined when it was seen already, or asked for in vain. */
  learn(tenant: string, ask: () => Promise<void>): Promise<void> | undefined {
    const known = this.#lists.get(tenant);
    if (known !== undefined) return known === "seen" ? undefined : known;
    const asking = ask().then(
      () => this.noteList(tenant),
      () => this.noteList(tenant),
    );
    this.#lists.set(tenant, asking);
    return asking;
  }

  noteTask(tenant: string, task: string, tool: string): void {
    this.#tasks.set(`${tenant}\n${task}`, tool);
  }

  /** The tool behind a task. */
  toolOf(tenant: string, task: string): string {
    return this.#tasks.get(`${tenant}\n${task}`) ?? "";
  }
}

const memories = new WeakMap<ContractState, UpstreamMemory>();

export function upstreamMemory(state: ContractState): UpstreamMemory {
  const known = memories.get(state) ?? new UpstreamMemory();
  memories.set(state, known);
  return known;
}
