// One archive of 50 MB and one question, in a process of its own: figures as JSON on stdout. `time` runs the question
// beside `JSON.parse` of the same text, turn by turn; `memory` asks once and says the peak; `parse` only parses.
import { readFileSync } from "node:fs";
import { loadServer } from "../built.ts";
import { READ, RETRIEVE, connectAsk } from "./ask-client.ts";

const [what = "time", folder = "", textFile = "", archive = "", select = "", roundsGiven = "7"] =
  process.argv.slice(2);
const rounds = Number(roundsGiven);
const { createContract: make } = await loadServer();
const place = { store: folder, make };
const MB = 1024 * 1024;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

interface Turn {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function timed(work: () => unknown): Promise<Turn> {
  for (let round = 0; round < 2; round++) globalThis.gc?.();
  const [start, cpu] = [performance.now(), cpuMs()];
  await work();
  return { wallMs: performance.now() - start, cpuMs: cpuMs() - cpu };
}

// Kept beyond the turn: without it the engine may drop work whose result is not read.
const kept: { last?: unknown } = {};

function parse(text: string): void {
  kept.last = JSON.parse(text);
}

async function time() {
  const text = readFileSync(textFile, "utf8");
  const client = await connectAsk([], place);
  const ask = () => client.call(RETRIEVE, { archive, select });
  const first = await timed(ask);
  const turns: { readonly parse: Turn; readonly ask: Turn }[] = [];
  for (let round = 0; round < rounds; round++) {
    const parsed = await timed(() => parse(text));
    kept.last = undefined;
    turns.push({ parse: parsed, ask: await timed(ask) });
  }
  await client.close();
  return { bytes: Buffer.byteLength(text), first, turns };
}

async function memory() {
  const client = await connectAsk([{ id: 1 }], place);
  // A first, small question loads everything that is loaded once.
  await client.call(READ, { _waybill_select: "length(@)" });
  globalThis.gc?.();
  const baseMb = process.memoryUsage.rss() / MB;
  await client.call(RETRIEVE, { archive, select });
  const peakMb = process.resourceUsage().maxRSS / 1024;
  await client.close();
  return { baseMb, peakMb };
}

function parseMemory() {
  globalThis.gc?.();
  const baseMb = process.memoryUsage.rss() / MB;
  parse(readFileSync(textFile, "utf8"));
  return { baseMb, peakMb: process.resourceUsage().maxRSS / 1024 };
}

const works = { time, memory, parse: parseMemory } as const;
process.stdout.write(JSON.stringify(await works[what as keyof typeof works]()));
