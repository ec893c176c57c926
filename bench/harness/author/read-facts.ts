import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { Client } from "mcp-sdk-1-32/client/index.js";
import { StdioClientTransport } from "mcp-sdk-1-32/client/stdio.js";
import { ResultSchema } from "mcp-sdk-1-32/types.js";
import { type Library, type Runtime, callNames, callOf, commandOf, linesOf } from "./open-server.ts";

/** The servers and what they share are plain JavaScript, which the compiler does not read. */
const { secret } = (await import(new URL("./orders.mjs", import.meta.url).href)) as {
  readonly secret: string;
};

export interface Facts {
  readonly library: Library;
  readonly lines: number;
  /** Tokens of every tool as `tools/list` gives it, without `waybill_retrieve`, which no other server has. */
  readonly listTokens: number;
  readonly retrieveTokens: number;
  /** By the name of the call: tokens of the text that a model reads. */
  readonly resultTokens: Readonly<Record<string, number>>;
  /** What `callTool` of the client did when the order did not exist, and when the tool threw. */
  readonly notFound: string;
  readonly rawError: string;
  readonly doesSecretLeave: boolean;
}

interface Result {
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: { readonly data?: { readonly error_code?: string } };
  readonly isError?: boolean;
}

function textOf({ content = [] }: Result): string {
  return content.map(({ text = "" }) => text).join("\n");
}

/** What a program gets that awaits the call. */
async function outcomeOf(client: Client, name: string): Promise<string> {
  try {
    const result = (await client.callTool(callOf(name))) as Result;
    if (result.isError !== true) return "success";
    const code = result.structuredContent?.data?.error_code;
    return code === undefined ? "isError, text alone" : `isError, ${code}`;
  } catch (error) {
    return `throws: ${error instanceof Error ? error.message.split(":").slice(0, 2).join(":") : "?"}`;
  }
}

/** Everything about a server that is no time, through a client of SDK 1.32. */
export async function readFacts(runtime: Runtime, library: Library): Promise<Facts> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport(commandOf(runtime, library)));
  const { tools } = await client.listTools();
  const tokensOf = (isRetrieve: boolean): number =>
    tools
      .filter(({ name }) => (name === "waybill_retrieve") === isRetrieve)
      .reduce((sum, tool) => sum + countTokens(JSON.stringify(tool)), 0);
  const resultTokens: Record<string, number> = {};
  let sent = "";
  for (const name of callNames) {
    // Past the client's own check of the structure: what the server sent is what counts.
    const result = await client.request({ method: "tools/call", params: callOf(name) }, ResultSchema);
    resultTokens[name] = countTokens(textOf(result as Result));
    sent += JSON.stringify(result);
  }
  const facts = {
    library,
    lines: linesOf(library),
    listTokens: tokensOf(false),
    retrieveTokens: tokensOf(true),
    resultTokens,
    notFound: await outcomeOf(client, "not found"),
    rawError: await outcomeOf(client, "raw error"),
    doesSecretLeave: sent.includes(secret),
  };
  await client.close();
  return facts;
}
