import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";
import type { createContract } from "../../src/doors/server/create-contract.ts";
import { eachRow } from "../../src/engine/retrieve/each-row.fixture.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";

/** An item of a `waybill_retrieve` answer: whole, or a piece of its JSON text. */
export interface AnswerItem {
  readonly pointer: string;
  readonly value?: JsonValue;
  readonly text?: string;
}

/** One result as a model reads it. */
export interface Answer {
  readonly text: string;
  readonly data: JsonObject;
  readonly meta: JsonObject;
}

export interface ArchiveAnswer extends Answer {
  readonly items: readonly AnswerItem[];
  readonly cursor: string | undefined;
}

export interface ArchiveClient {
  /** The tool's result. */
  read(): Promise<Answer>;
  retrieve(args: JsonObject): Promise<ArchiveAnswer>;
  close(): Promise<void>;
}

function answerOf(result: unknown): Answer {
  const { content, structuredContent, isError } = result as {
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent: { readonly data: JsonObject; readonly meta?: JsonObject };
    readonly isError?: boolean;
  };
  const text = content[0]?.text ?? "";
  if (isError === true) throw new Error(text);
  return { text, data: structuredContent.data, meta: structuredContent.meta ?? {} };
}

/** An SDK client of a server with one tool, `read`, which answers with this value under a contract. */
export async function connectArchive(
  value: JsonValue,
  options: ContractOptions,
  make: typeof createContract,
): Promise<ArchiveClient> {
  const mcp = new McpServer({ name: "payloads", version: "1.0.0" });
  // One request id for all: counts of tokens are then the same in every run.
  const requestIds = (): string => "req_0123456789ab";
  const contract = make({ name: "payloads", logLevel: "silent", requestIds, ...options });
  contract.server(mcp).registerTool("read", { description: "Reads the records" }, () => value);
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await mcp.connect(left);
  await client.connect(right);
  return {
    read: async () => answerOf(await client.callTool({ name: "read", arguments: {} })),
    retrieve: async (args) => {
      const answer = answerOf(await client.callTool({ name: "waybill_retrieve", arguments: args }));
      const pagination = answer.meta["pagination"] as { readonly cursor?: string | null } | undefined;
      const items = eachRow(answer.data["items"] as unknown as readonly AnswerItem[]);
      return { ...answer, items, cursor: pagination?.cursor ?? undefined };
    },
    close: () => client.close(),
  };
}

/** The archive a cut result announces, by its full hash; undefined for a result that is whole. */
export function announcedHash({ meta }: Answer): string | undefined {
  const hashes = meta["content_archive_hashes"] as Readonly<Record<string, string>> | undefined;
  return Object.values(hashes ?? {})[0];
}
