// A process that puts again and again, until its input ends. It says each hash that was announced to it, on a line.

import { setTimeout as sleep } from "node:timers/promises";
import { guardedStore } from "../../src/engine/archive/guarded-store.ts";
import { postgresStore } from "../../src/engine/archive/postgres/postgres-store.ts";

const [url = "", name = ""] = process.argv.slice(2);
const WRITERS = 4;

const store = guardedStore(postgresStore(url, { timeoutMs: 20_000 }), {
  timeoutMs: 30_000,
  breaker: { failures: 3, resetMs: 100 },
});
const input = process.stdin.resume();

async function write(writer: number): Promise<void> {
  for (let turn = 0; !input.readableEnded; turn++) {
    // Sizes from one block to several.
    const text = JSON.stringify({ name, writer, turn, fill: "x".repeat(turn % 10 === 0 ? 700_000 : 2_000) });
    const put = await store.put("load", [text]).catch(() => undefined);
    if (put !== undefined) process.stdout.write(`${put.entry.hash}\n`);
    await sleep(5);
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
await store.close();
