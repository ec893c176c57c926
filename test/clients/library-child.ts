// The process of a client that is a library: node library-child.ts <adapter> <job as JSON>. It asks one model a shape,
// one after the other, and writes a line for each that failed.

import { pathToFileURL } from "node:url";
import type { ServerCommand } from "./client.ts";
import { clients } from "./clients.ts";

/** Addresses of models by shape. */
export interface LibraryJob {
  readonly door: string;
  readonly server: ServerCommand;
  readonly models: Readonly<Record<string, string>>;
}

/** One line a shape whose run threw. */
export interface Failure {
  readonly shape: string;
  readonly error: string;
}

const [name, text = "{}"] = process.argv.slice(2);
const { door, server, models } = JSON.parse(text) as LibraryJob;
const client = clients.find((each) => each.name === name);
if (client?.kind !== "library") throw new Error(`No library is named ${name}`);

const conversation = await client.open(await import(pathToFileURL(door).href), server);
for (const [shape, address] of Object.entries(models)) {
  try {
    await conversation.ask(address);
  } catch (error) {
    const failure: Failure = { shape, error: error instanceof Error ? error.message : String(error) };
    process.stdout.write(`LAB ${JSON.stringify(failure)}\n`);
  }
}
await conversation.close();
// Libraries keep sockets and timers.
process.exit(0);
