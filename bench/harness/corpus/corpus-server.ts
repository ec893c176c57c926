// A server that gives recorded results, under the contract as the gateway sets it, with a client beside it.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../src/core/json/json-value.ts";
import { loadServer } from "../built.ts";

const { attachContract } = await loadServer();

export type Strategy = "head" | "relevance" | "auto";

interface CorpusAnswer {
  /** All texts, as a model reads them. */
  readonly text: string;
  /** The archive of what was cut; undefined if nothing was. */
  readonly archive: string | undefined;
}

export interface CorpusClient {
  /** The tool answers these texts to these arguments. */
  read(texts: readonly string[], args: JsonObject): Promise<CorpusAnswer>;
  retrieve(args: JsonObject): Promise<CorpusAnswer>;
  close(): Promise<void>;
}

interface CorpusSetting {
  readonly strategy: Strategy;
  /** Of the tool that reads. */
  readonly budget: number;
  /** Of every other, so of the retrieval. */
  readonly retrieval: number;
}

export async function connectCorpus({ strategy, budget, retrieval }: CorpusSetting): Promise<CorpusClient> {
  let texts: readonly string[] = [];
  const server = new Server({ name: "corpus", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "read", inputSchema: { type: "object" as const } }],
  }));
  server.setRequestHandler("tools/call", () => ({
    content: texts.map((text) => ({ type: "text" as const, text })),
  }));
  attachContract(server, {
    dialect: "auto",
    logLevel: "silent",
    requestIds: () => "req_0123456789ab",
    fit: { strategy },
  });
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  const call = async (name: string, args: JsonObject, tokens: number): Promise<CorpusAnswer> => {
    const _meta = { "waybill/contract": { budget_tokens: tokens } };
    const result = await client.callTool({ name, arguments: { ...args }, _meta });
    const said = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    return { text: said.join("\n"), archive: archiveIn(result) };
  };
  return {
    read: (given, args) => {
      texts = given;
      return call("read", args, budget);
    },
    retrieve: (args) => call("waybill_retrieve", args, retrieval),
    close: () => client.close(),
  };
}

/** The first hash that a result names, wherever its form has it. */
function archiveIn(result: object): string | undefined {
  return /content_archive_hashes\\?":\{\\?"[^"]*":\\?"(sha256:[0-9a-f]{64})/.exec(
    JSON.stringify(result),
  )?.[1];
}
