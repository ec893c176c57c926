import { setTimeout as pause } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Errand, errands, notedEntities } from "./errands.ts";

const SHORTEST_PAUSE_MS = 120;
const LONGEST_PAUSE_MS = 700;
/** Traffic comes in waves, as that of people does. */
const WAVE_MS = 40_000;

/** Numbers from 0 to 1, the same in each run, so that two runs differ as little as possible. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function choose(list: readonly Errand[], number: number): Errand | undefined {
  const all = list.reduce((sum, { weight }) => sum + weight, 0);
  let left = number * all;
  return list.find(({ weight }) => (left -= weight) < 0) ?? list[0];
}

/** The archive that a cut result names. */
function archiveOf(result: unknown): string | undefined {
  return /sha256:([0-9a-f]{64})/.exec(JSON.stringify(result))?.[1];
}

async function run(client: Client, { tool, args, after }: Errand): Promise<void> {
  const result = await client.callTool({ name: tool, arguments: { ...args } });
  const archive = after === undefined ? undefined : archiveOf(result);
  if (archive !== undefined)
    await client.callTool({ name: "waybill_retrieve", arguments: { archive, ...after } });
}

/** Clients of all servers, each with its own errands, until the time is over. */
export async function makeTraffic(
  urls: Readonly<Record<string, string>>,
  isOver: () => boolean,
): Promise<void> {
  const started = performance.now();
  const errandsOf = async (server: string, url: string, seed: number): Promise<void> => {
    const next = numbersFrom(seed);
    const client = new Client({ name: "screenshots", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    try {
      if (server === "memory")
        await client.callTool({ name: "create_entities", arguments: { entities: notedEntities() } });
      while (!isOver()) {
        const errand = choose(errands[server] ?? [], next());
        // A refused call is an answer like any other: the page shows it.
        if (errand !== undefined) await run(client, errand).catch(() => undefined);
        const wave = 0.5 + 0.5 * Math.sin(((performance.now() - started) / WAVE_MS + seed / 7) * 2 * Math.PI);
        await pause(SHORTEST_PAUSE_MS + next() * wave * LONGEST_PAUSE_MS);
      }
    } finally {
      await client.close();
    }
  };
  await Promise.all(Object.entries(urls).map(([server, url], at) => errandsOf(server, url, at + 1)));
}
