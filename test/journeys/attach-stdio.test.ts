import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Era, connectClient } from "./attach-clients.fixture.ts";
import { type ServerKind, serverKinds } from "./attach-example.fixture.ts";
import { expectedAnswers, readAnswers } from "./attach-expectations.fixture.ts";
import { someOf } from "../arbitrary/law-runs.ts";

const entry = fileURLToPath(new URL("attach-stdio.fixture.ts", import.meta.url));

function startServer(kind: ServerKind): StdioClientTransport {
  const args = ["--import", "tsx", entry, kind];
  return new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
}

const journeys: readonly { server: ServerKind; client: ServerKind; era: Era }[] = [
  ...serverKinds.map((kind) => ({ server: kind, client: kind, era: "legacy" as const })),
  { server: "2.4.0", client: "2.4.0", era: "modern" },
  { server: "2.4.0", client: "1.18.2", era: "legacy" },
  { server: "1.18.2", client: "2.4.0", era: "legacy" },
];

describe.runIf(isFullRun)("attachContract over stdio", () => {
  it.each(someOf(journeys, 2))(
    "envelopes every result of an SDK $server server for an SDK $client client, $era",
    async ({ server, client: clientKind, era }) => {
      const client = await connectClient(clientKind, startServer(server), era);
      onTestFinished(() => client.close());
      expect(await readAnswers(client)).toEqual(expectedAnswers);
    },
  );
});
