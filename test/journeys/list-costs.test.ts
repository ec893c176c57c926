import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { RETRIEVE_TOOL } from "../../src/core/contract/wire-names.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { connectClient } from "./attach-clients.fixture.ts";
import { type PublishedServer, gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

interface Weight {
  readonly words: number;
  readonly output: number;
}

function tokensOf(value: unknown): number {
  return value === undefined ? 0 : countTokens(JSON.stringify(value));
}

/** What a server lists, in tokens, by the name of the tool. */
async function weigh(
  { env }: PublishedServer,
  args: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, Weight>> {
  const client = await connectClient(
    "2.4.0",
    new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      env: { ...(process.env as Record<string, string>), ...env?.(folder) },
      stderr: "ignore",
    }),
  );
  onTestFinished(() => client.close());
  const tools = await client.listTools();
  return new Map(
    tools.map(({ outputSchema, ...words }) => [
      words.name,
      { words: tokensOf(words), output: tokensOf(outputSchema) },
    ]),
  );
}

// Two processes for each server; the quick run has the same limits in memory.
describe.runIf(isFullRun)("a published server behind the gateway, with questions on,", () => {
  it.each(published)(
    "lists 16 tokens more for a tool, 190 for the retrieval, 40 for a schema: $server",
    async (server) => {
      const folder = makeFolder();
      const nodeArgs = server.nodeArgs(folder);
      const direct = await weigh(server, nodeArgs, folder);
      const words = ["--store", "memory", "--select"];
      const behind = await weigh(server, gatewayArgs(words, [process.execPath, ...nodeArgs]), folder);
      const retrieval = behind.get(RETRIEVE_TOOL);
      expect((retrieval?.words ?? 0) + (retrieval?.output ?? 0)).toBeLessThanOrEqual(190);
      const grown = [...direct].map(([name, was]) => {
        const is = behind.get(name) ?? { words: Number.NaN, output: Number.NaN };
        return { name, words: is.words - was.words, output: is.output - was.output };
      });
      expect(grown.filter((each) => !(each.words <= 16 && each.output <= 40))).toEqual([]);
    },
  );
});
