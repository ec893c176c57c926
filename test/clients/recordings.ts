// What each model was given, kept in `.cache/clients/recordings`: the page and the check of the rows are made from it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LabClient, Via } from "./client.ts";
import { cacheFolder } from "./install.ts";
import type { Outcome } from "./outcome.ts";
import { shapes } from "./shapes.ts";

export const recordingsFolder = join(cacheFolder, "recordings");

export interface Recording {
  readonly version: string;
  /** The day of the oldest of its runs. */
  readonly on: string;
  readonly outcomes: readonly Outcome[];
}

type Entry = Outcome & Pick<Recording, "version" | "on">;

export const versionOf = ({ packages }: LabClient): string => Object.values(packages)[0] ?? "";

const fileOf = (client: LabClient, via: Via, shape: string): string =>
  join(recordingsFolder, client.name, via, `${shape}.json`);

export function record(client: LabClient, via: Via, outcomes: readonly Outcome[]): void {
  mkdirSync(join(recordingsFolder, client.name, via), { recursive: true });
  const on = new Date().toISOString().slice(0, 10);
  for (const outcome of outcomes) {
    const entry: Entry = { ...outcome, version: versionOf(client), on };
    writeFileSync(fileOf(client, via, outcome.shape), `${JSON.stringify(entry, null, 2)}\n`);
  }
}

/** Undefined if a shape of the pinned version was never run this way. */
export function recordingOf(client: LabClient, via: Via): Recording | undefined {
  const version = versionOf(client);
  const entries = shapes.map(({ name }) => {
    const file = fileOf(client, via, name);
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Entry) : undefined;
  });
  const ready = entries.filter(
    (entry) => entry !== undefined && entry.version === version && "withoutWay" in entry,
  );
  const outcomes = ready.flatMap((entry) => entry ?? []);
  if (outcomes.length < shapes.length) return undefined;
  const [on = ""] = outcomes.map((entry) => entry.on).sort();
  return { version, on, outcomes };
}
