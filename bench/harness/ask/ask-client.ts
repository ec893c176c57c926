import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import type { JsonObject, JsonValue } from "../../../src/core/json/json-value.ts";
import type { TokenCounter } from "../../../src/core/tokens/token-counter.ts";
import type { createContract } from "../../../src/doors/server/create-contract.ts";

/** What a call gave, as a model reads it. */
export interface AskAnswer {
  readonly texts: readonly string[];
  readonly data: JsonObject;
  readonly meta: JsonObject;
  readonly cursor: string | undefined;
}

export interface AskClient {
  call(tool: string, args: JsonObject, budgetTokens?: number): Promise<AskAnswer>;
  close(): Promise<void>;
}

export const READ = "read";
export const RETRIEVE = "waybill_retrieve";

function answerOf(result: unknown): AskAnswer {
  const { content, structuredContent, isError } = result as {
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent: { readonly data: JsonObject; readonly meta?: JsonObject };
    readonly isError?: boolean;
  };
  const texts = content.map(({ text }) => text);
  if (isError === true) throw new Error(texts.join("\n"));
  const { data, meta = {} } = structuredContent;
  const pagination = meta["pagination"] as { readonly cursor?: string | null } | undefined;
  return { texts, data, meta, cursor: pagination?.cursor ?? undefined };
}

/** Where archives are kept, and what makes the contract: the built package for a bench, the source for a test. */
export interface AskPlace {
  /** "memory", or a folder: another process with the same folder can be asked about its archives. */
  readonly store: string;
  readonly make: typeof createContract;
}

/** An SDK client of a server with one tool, `read`, which takes questions and answers with this value. */
export async function connectAsk(value: JsonValue, { store, make }: AskPlace): Promise<AskClient> {
  const mcp = new McpServer({ name: "ask", version: "1.0.0" });
  const contract = make({
    name: "ask",
    logLevel: "silent",
    select: true,
    store,
    // One request id for all: counts of tokens are then the same in every run.
    requestIds: () => "req_0123456789ab",
  });
  contract.server(mcp).registerTool(READ, { description: "Reads the records" }, () => value);
  const client = new Client({ name: "asker", version: "1.0.0" });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await mcp.connect(left);
  await client.connect(right);
  return {
    call: async (name, args, budgetTokens) => {
      const _meta =
        budgetTokens === undefined ? {} : { _meta: { "waybill/contract": { budget_tokens: budgetTokens } } };
      return answerOf(await client.callTool({ name, arguments: args, ..._meta }, { timeout: 120_000 }));
    },
    close: async () => {
      await client.close();
      await contract.close();
    },
  };
}

// Below what any of the payloads costs, so that each of them is cut and archived.
const SMALL_BUDGET = 256;

/** Calls the tool so that its result is cut: the archive that this announces, by its full hash. */
export async function archiveOf(client: AskClient): Promise<string> {
  const { meta } = await client.call(READ, {}, SMALL_BUDGET);
  const hashes = meta["content_archive_hashes"] as Readonly<Record<string, string>> | undefined;
  const [hash] = Object.values(hashes ?? {});
  if (hash === undefined) throw new Error("Nothing was cut, so nothing was archived.");
  return hash;
}

export type Count = Pick<TokenCounter, "count">;

/** Tokens of everything that came back. */
export function tokensOf({ texts }: AskAnswer, counter: Count): number {
  return texts.reduce((sum, text) => sum + counter.count(text), 0);
}

/** Calls until there are no more pages; what each of them held, in order. */
export async function callAll(
  client: AskClient,
  tool: string,
  args: JsonObject,
  maxCalls: number,
): Promise<readonly AskAnswer[]> {
  const answers: AskAnswer[] = [];
  let cursor: string | undefined;
  do {
    const answer = await client.call(tool, cursor === undefined ? args : { ...args, cursor });
    answers.push(answer);
    ({ cursor } = answer);
  } while (cursor !== undefined && answers.length < maxCalls);
  return answers;
}
