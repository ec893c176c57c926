// A server that gives recorded results, under the contract as the gateway sets it, with a client beside it.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { eachRow } from "../../../src/engine/retrieve/each-row.fixture.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../src/core/json/json-value.ts";
import { loadServer } from "../built.ts";

const { attachContract } = await loadServer();

export type Strategy = "head" | "relevance" | "auto";

interface CorpusAnswer {
  /** All texts, as a model reads them. */
  readonly text: string;
  readonly texts: readonly string[];
  /** The archive of what was cut; undefined if nothing was. */
  readonly archive: string | undefined;
  /** The names of what was left out. */
  readonly dropped: readonly string[];
}

interface CorpusPage {
  readonly items: readonly { readonly pointer: string; readonly value: JsonValue }[];
  readonly cursor: string | undefined;
}

export interface CorpusClient {
  /** The tool `read` answers these texts to these arguments. */
  read(texts: readonly string[], args: JsonObject): Promise<CorpusAnswer>;
  /** Any tool answers these texts. */
  call(tool: string, texts: readonly string[]): Promise<CorpusAnswer>;
  retrieve(args: JsonObject): Promise<CorpusAnswer>;
  /** One page of a retrieval, as data. */
  fetch(args: JsonObject): Promise<CorpusPage>;
  close(): Promise<void>;
}

export interface CorpusTool {
  readonly name: string;
  readonly arguments: readonly string[];
}

interface CorpusSetting {
  readonly strategy: Strategy;
  /** Of the tool that reads. */
  readonly budget: number | "off";
  /** Of every other, so of the retrieval. */
  readonly retrieval: number | "off";
  readonly serverName?: string;
  readonly tools?: readonly CorpusTool[];
  readonly lean?: boolean;
}

const reading: readonly CorpusTool[] = [{ name: "read", arguments: [] }];

export async function connectCorpus(setting: CorpusSetting): Promise<CorpusClient> {
  const { strategy, budget, retrieval, serverName = "corpus", tools = reading, lean = false } = setting;
  let texts: readonly string[] = [];
  const server = new Server({ name: serverName, version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ name, arguments: args }) => ({
      name,
      inputSchema: { type: "object" as const, properties: Object.fromEntries(args.map((arg) => [arg, {}])) },
    })),
  }));
  server.setRequestHandler("tools/call", () => ({
    content: texts.map((text) => ({ type: "text" as const, text })),
  }));
  attachContract(server, {
    dialect: "auto",
    logLevel: "silent",
    requestIds: () => "req_0123456789ab",
    fit: { strategy },
    lean,
    allow: { budgetOff: true },
  });
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  await client.listTools();
  const ask = async (name: string, args: JsonObject, tokens: number | "off") => {
    const _meta = { "waybill/contract": { budget_tokens: tokens } };
    const result = await client.callTool({ name, arguments: { ...args }, _meta });
    return { result, said: result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])) };
  };
  const call = async (name: string, args: JsonObject, tokens: number | "off"): Promise<CorpusAnswer> => {
    const { result, said } = await ask(name, args, tokens);
    return { text: said.join("\n"), texts: said, archive: archiveIn(result), dropped: droppedIn(result) };
  };
  return {
    read: (given, args) => {
      texts = given;
      return call("read", args, budget);
    },
    call: (name, given) => {
      texts = given;
      return call(name, {}, budget);
    },
    retrieve: (args) => call("waybill_retrieve", args, retrieval),
    fetch: async (args) => pageIn((await ask("waybill_retrieve", args, retrieval)).said),
    close: () => client.close(),
  };
}

/** The first hash that a result names, wherever its form has it. */
function archiveIn(result: object): string | undefined {
  return /content_archive_hashes\\?":\{\\?"[^"]*":\\?"(sha256:[0-9a-f]{64})/.exec(
    JSON.stringify(result),
  )?.[1];
}

function droppedIn({
  _meta,
}: {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}): readonly string[] {
  const notes = _meta?.["waybill/notes"];
  const names = isJsonObject(notes) ? notes["dropped_content_ids"] : undefined;
  return Array.isArray(names) ? names.map(String) : [];
}

function pageIn([text = ""]: readonly string[]): CorpusPage {
  const { data, meta } = JSON.parse(text) as {
    readonly data: { readonly items?: CorpusPage["items"] };
    readonly meta: { readonly pagination?: { readonly cursor?: string | null } };
  };
  return { items: eachRow(data.items ?? []), cursor: meta.pagination?.cursor ?? undefined };
}
