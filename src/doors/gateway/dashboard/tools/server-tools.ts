// The tools of one server as the page shows them: asked for when somebody looks, kept for a while, weighed in tokens.

import { type JsonObject, type JsonValue, isJsonObject } from "../../../../core/json/json-value.ts";
import type { TokenCounter } from "../../../../core/tokens/token-counter.ts";
import { ApiProblem, type WatchedUpstream } from "../dashboard-parts.ts";
import type { ToolView, TypicalResult, UpstreamTools } from "../protocol/places.ts";
import { PageClient } from "./page-client.ts";

/** A list that is older is asked for again when somebody looks; until then the old one is shown. */
const FRESH_MS = 30_000;
/** After a failure it is not tried again at once: each try may start a process. */
const RETRY_MS = 5_000;
/** More tools than any model can choose from; the rest is not shown. */
const MAX_TOOLS = 2_000;

type ListedTool = Omit<ToolView, "typical">;

interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly tokens: number;
  readonly listedAtMs: number;
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

const objectOf = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) ? value : undefined;

function viewOf(tool: JsonObject, counter: TokenCounter): ListedTool {
  return {
    name: textOf(tool["name"]) ?? "",
    title: textOf(tool["title"]),
    description: textOf(tool["description"]),
    inputSchema: objectOf(tool["inputSchema"]) ?? { type: "object" },
    outputSchema: objectOf(tool["outputSchema"]),
    annotations: objectOf(tool["annotations"]),
    // The whole of it: which parts a client hands on to its model is not known here.
    tokens: counter.count(JSON.stringify(tool)),
  };
}

export class ServerTools {
  readonly client: PageClient;
  readonly #upstream: WatchedUpstream;
  #list: ToolList | undefined;
  #problem: string | undefined;
  #askedAtMs = 0;
  #asking: Promise<void> | undefined;

  constructor(upstream: WatchedUpstream) {
    this.#upstream = upstream;
    this.client = new PageClient(upstream, () => (this.#askedAtMs = 0));
  }

  /** Asks for the list where it is missing or old. It never rejects: what went wrong is in the view. */
  refresh(): Promise<void> {
    const waitMs = this.#problem === undefined ? FRESH_MS : RETRY_MS;
    if (this.#asking === undefined && Date.now() - this.#askedAtMs >= waitMs)
      this.#asking = this.#ask().finally(() => (this.#asking = undefined));
    return this.#list === undefined ? (this.#asking ?? Promise.resolve()) : Promise.resolve();
  }

  view(typicalOf: (tool: string) => TypicalResult | undefined): UpstreamTools {
    const { name: upstream } = this.#upstream;
    const list = this.#list;
    if (list !== undefined) {
      const tools = list.tools.map((tool) => ({ ...tool, typical: typicalOf(tool.name) }));
      return { upstream, state: "listed", listedAtMs: list.listedAtMs, tokens: list.tokens, tools };
    }
    const problem = this.#problem;
    const state = problem === undefined || this.#asking !== undefined ? "asking" : "failed";
    return { upstream, state, problem, tokens: 0, tools: [] };
  }

  async #ask(): Promise<void> {
    this.#askedAtMs = Date.now();
    try {
      const listed = (await this.client.list()).filter(isJsonObject).slice(0, MAX_TOOLS);
      const counter = await this.#upstream.state.counter();
      const tokens = listed.length === 0 ? 0 : counter.count(JSON.stringify(listed));
      const tools = listed.map((tool) => viewOf(tool, counter));
      this.#list = { tools, tokens, listedAtMs: Date.now() };
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof ApiProblem ? error.message : "The list could not be read.";
      this.#list = undefined;
    }
  }
}
