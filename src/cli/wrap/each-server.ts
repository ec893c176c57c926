import { type ClientConfig, readConfigFile } from "../../doors/gateway/wrap/client-configs.ts";
import type { ServerEntry } from "../../doors/gateway/wrap/config-text.ts";
import { readConfigText } from "../../doors/gateway/wrap/rewrite-config.ts";
import type { CliIo } from "../cli-io.ts";
import { chooseConfigs, explainConfig, placesLookedAt } from "./change-configs.ts";

/** How many servers are started at once. */
const AT_ONCE = 4;

/** What was done with every server of every config; `lookedAt` has the places if there is no config. */
export interface EachServer<Done> {
  readonly results: readonly Done[];
  readonly lookedAt: readonly string[];
}

/**
 * Does something with each server of the configs, some at a time, in the order of the files. `unread` is for a config
 * that cannot be read; if a file was named, that is an error.
 */
export async function eachServer<Done>(
  file: string | undefined,
  { server: names }: { readonly server?: readonly string[] | undefined },
  io: CliIo,
  work: (config: ClientConfig, entry: ServerEntry) => Promise<Done>,
  unread: (config: ClientConfig, reason: string) => Done,
): Promise<EachServer<Done>> {
  const jobs: (() => Promise<Done>)[] = [];
  const configs = chooseConfigs(file, io);
  for (const config of configs) {
    try {
      const { text, realPath } = await readConfigFile(config.path);
      for (const entry of (await readConfigText(text, realPath)).entries) {
        if (names === undefined || names.includes(entry.name)) jobs.push(() => work(config, entry));
      }
    } catch (error) {
      const problem = explainConfig(config.path, error);
      if (file !== undefined) throw problem;
      jobs.push(() => Promise.resolve(unread(config, problem.message)));
    }
  }
  return { results: await runSome(jobs), lookedAt: configs.length === 0 ? placesLookedAt(io) : [] };
}

async function runSome<Done>(jobs: readonly (() => Promise<Done>)[]): Promise<Done[]> {
  const results: Done[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < jobs.length; at = next++) {
      const job = jobs[at];
      if (job !== undefined) results[at] = await job();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/** What is said if there is nothing to start. */
export function sayNoConfigs(lookedAt: readonly string[]): string {
  return [
    "No config of a known client was found. Looked for:",
    ...lookedAt.map((place) => `  ${place}`),
  ].join("\n");
}
