import { markIn } from "../../src/core/contract/contract-mark.ts";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { dialectIds } from "../../src/core/contract/dialect-id.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { connectClient } from "./attach-clients.fixture.ts";
import { serverKinds } from "./attach-example.fixture.ts";
import { type PublishedServer, attachable, makeFolder, notCalled } from "./published-servers.fixture.ts";

const preload = fileURLToPath(new URL("attach-published.fixture.ts", import.meta.url));

function start({ nodeArgs, env }: PublishedServer, folder: string, dialect: string): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", "--import", preload, ...nodeArgs(folder)],
    env: { ...process.env, WAYBILL_DIALECT: dialect, ...env?.(folder) },
    stderr: "ignore",
  });
}

const journeys = attachable.flatMap((published) =>
  dialectIds.flatMap((dialect) =>
    serverKinds.map((client) => ({ server: published.server, published, dialect, client })),
  ),
);

// Side by side, since most of the time is waiting for processes.
describe.concurrent("a published server under attachContract", () => {
  it.runIf(isFullRun).for(journeys)(
    "is used by the client $client without a refusal: $server, all tools, in $dialect",
    async ({ published, dialect, client: kind }, { onTestFinished }) => {
      const folder = makeFolder(onTestFinished);
      const client = await connectClient(kind, start(published, folder, dialect));
      onTestFinished(() => client.close());
      const given = published.calls(folder);
      const listed = (await client.listTools()).map(({ name }) => name);
      expect(listed).toEqual(expect.arrayContaining(Object.keys(given)));
      const rest = listed.filter((name) => !notCalled.includes(name) && given[name] === undefined);
      const trouble: string[] = [];
      for (const name of [...Object.keys(given), ...rest]) {
        try {
          const { isError, content, _meta } = await client.call(name, given[name]);
          expect(markIn(_meta)).toMatchObject({ dialect });
          if (isError === true) trouble.push(`${name} failed: ${JSON.stringify(content)}`);
        } catch (error) {
          trouble.push(`${name} was refused: ${String(error)}`);
        }
      }
      expect(trouble).toEqual([]);
    },
  );
});
