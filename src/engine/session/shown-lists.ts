import type { CalledTool } from "../call/called-tool.ts";

/** What a list said of a tool, and what its own settings say. */
export type ListedTool = Pick<
  CalledTool,
  "name" | "config" | "listedSchema" | "isUnlisted" | "canBeAsked" | "readsDocuments"
> & {
  /** It gives back what another Waybill cut: the server is behind a contract itself. */
  readonly isRetrieval?: boolean | undefined;
};

/** What one tenant was shown. */
interface Shown {
  readonly tools: Map<string, ListedTool>;
  /** The name of the tool with which a Waybill further on gives back what it cut. */
  retrieval: string | undefined;
  /** Whether its whole list was seen, or is being asked for. */
  list: "seen" | Promise<void> | undefined;
}

const MAX_TENANTS = 1_000;
/** For each tenant: ten times what the largest servers list. What is above it is listed without a promise. */
const MAX_TOOLS = 20_000;
/** For all tenants together, since each may be shown tools of its own. */
const MAX_TOOLS_OF_ALL = 200_000;

/**
 * The lists that a server showed its tenants. A list is held whole or is forgotten whole, and asked for again: a tool
 * that was listed by its schema and then forgotten would be answered by another.
 */
export class ShownLists {
  /** The tenant that was longest not heard of stands first. */
  readonly #shown = new Map<string, Shown>();
  #toolCount = 0;

  find(tenant: string, name: string): ListedTool | undefined {
    return this.#shown.get(tenant)?.tools.get(name);
  }

  /** The tool by which a Waybill further on gives back what it cut; undefined where the server is none. */
  retrievalOf(tenant: string): string | undefined {
    return this.#shown.get(tenant)?.retrieval;
  }

  /** What a tenant was shown; whoever calls is not the first to be forgotten. */
  of(tenant: string): Shown {
    const shown = this.#shown.get(tenant) ?? {
      tools: new Map<string, ListedTool>(),
      retrieval: undefined,
      list: undefined,
    };
    this.#shown.delete(tenant);
    this.#shown.set(tenant, shown);
    if (this.#shown.size > MAX_TENANTS) this.#forgetOldest();
    return shown;
  }

  /** False where the tenant has been shown more tools than can be held: the tool is as one that nobody listed. */
  hold(tenant: string, tool: ListedTool): boolean {
    const shown = this.of(tenant);
    const { tools } = shown;
    if (!tools.has(tool.name)) {
      if (tools.size >= MAX_TOOLS) return false;
      this.#toolCount += 1;
    }
    tools.set(tool.name, tool);
    if (tool.isRetrieval === true) shown.retrieval ??= tool.name;
    while (this.#toolCount > MAX_TOOLS_OF_ALL) this.#forgetOldest();
    return true;
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
