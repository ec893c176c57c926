// Runs the prepared blocks one after the other, in a process of their own: some leave watchers and connections behind.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { setRequestIdSource } from "waybill";
import { compare } from "./compare-shown.ts";

interface BlockTask {
  readonly place: string;
  readonly file: string;
  readonly mayThrow: boolean;
  /** The JSON that the page says it gives. */
  readonly answer?: string;
}

export interface BlockReport {
  readonly place: string;
  readonly problem?: string;
}

const tasks = JSON.parse(readFileSync("tasks.json", "utf8")) as BlockTask[];
const reports: BlockReport[] = [];

// What fragments print is for people; what they log goes to stderr and is not looked at.
globalThis.console = Object.assign(Object.create(console) as Console, { log: () => undefined });

async function run({ file, mayThrow, answer }: BlockTask): Promise<string | undefined> {
  const { block } = (await import(pathToFileURL(file).href)) as { block: () => Promise<unknown> };
  try {
    const value = await block();
    if (answer !== undefined) await compare(JSON.parse(JSON.stringify(value)), JSON.parse(answer));
    return undefined;
  } catch (error) {
    const isFault = error instanceof Error && error.name === "ToolFault";
    return mayThrow && isFault ? undefined : String(error instanceof Error ? error.stack : error);
  }
}

for (const task of tasks) {
  const problem = await run(task).catch(String);
  setRequestIdSource(undefined); // one page sets it
  reports.push({ place: task.place, ...(problem === undefined ? {} : { problem }) });
}
writeFileSync("reports.json", JSON.stringify(reports));
process.exit(0);
