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
export class ShownLists {
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
