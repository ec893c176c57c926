import { describe, expect, it } from "vitest";
import { later } from "../../src/doors/gateway/reverse-proxy/proxy-http.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Era, connectClient } from "./attach-clients.fixture.ts";
import { type ServerKind, exampleServer, serverKinds } from "./attach-example.fixture.ts";
import { envelopeOf, expectedAnswers, readAnswers } from "./attach-expectations.fixture.ts";
import { serveBuilt } from "./attach-http-server.fixture.ts";
import { throughGateway, ways } from "./gateway-http-upstream.fixture.ts";

interface Pair {
  readonly server: ServerKind;
  readonly client: ServerKind;
  readonly era: Era;
}

const everyPair: readonly Pair[] = serverKinds.flatMap((server) => [
  ...(server === "2.4.0" ? [{ server, client: "2.4.0" as const, era: "modern" as const }] : []),
  ...serverKinds.map((client) => ({ server, client, era: "legacy" as const })),
]);
/** Both eras, and both generations of the SDK. */
const somePairs = everyPair.filter(
  ({ server, client, era }) => era === "modern" || (server === "1.32.2" && client === "2.4.0"),
);

// A fault's own code is known only inside the server's process; what others send of it is its text.
const { missing: _missing, ...expected } = expectedAnswers as Record<string, unknown>;

async function open({ server, client, era }: Pair, way: (typeof ways)[number]) {
  const behind = await serveBuilt(server, () => exampleServer(server));
  later(behind.close);
  const contract = { dialect: "response-v2", profile: "standard" } as const;
  const connected = await connectClient(
    client,
    await throughGateway(behind.url.href, way, client, contract),
    era,
  );
  later(() => connected.close());
  return connected;
}

describe.each(ways)("a server behind a URL, for a client %s", (way) => {
  it.each(isFullRun ? everyPair : somePairs)(
    "SDK $server server, SDK $client client, $era: every result is under the contract, progress passes",
    async (pair) => {
      const client = await open(pair, way);
      const { missing: _seen, ...answers } = (await readAnswers(client)) as Record<string, unknown>;
      expect(answers).toEqual(expected);
      const seen: number[] = [];
      const slow = await client.call("slow", {}, { onprogress: ({ progress }) => seen.push(progress) });
      expect(seen).toEqual([1]);
      expect(envelopeOf(slow)).toMatchObject({ success: true, data: { result: "Done" } });
    },
  );
});
