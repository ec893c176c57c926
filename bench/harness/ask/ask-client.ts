import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import type { JsonObject, JsonValue } from "../../../src/json/json-value.ts";
import { loadServer } from "../built.ts";

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

/**
 * An SDK client of a built server with one tool, `read`, which takes questions and answers with this value. Archives
 * are files of the folder, so another process with the same folder can be asked about them.
 */
export async function connectAsk(value: JsonValue, folder: string): Promise<AskClient> {
  const { createContract } = await loadServer();
  const mcp = new McpServer({ name: "ask", version: "1.0.0" });
  const contract = createContract({
    name: "ask",
    logLevel: "silent",
    select: true,
    store: folder,
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

/** The archive a cut result announces, by its full hash. */
export function announced({ meta }: AskAnswer): string {
  const hashes = meta["content_archive_hashes"] as Readonly<Record<string, string>> | undefined;
  const [hash] = Object.values(hashes ?? {});
  if (hash === undefined) throw new Error("Nothing was cut, so nothing was archived.");
  return hash;
}
