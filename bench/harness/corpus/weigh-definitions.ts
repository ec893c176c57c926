// What tool lists weigh in tokens: those of published servers as they are and in fewer words, and what the gateway adds to
// lists of servers from npm.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type * as SlimDefinition from "../../../src/core/schema/slim-definition.ts";
import type { JsonObject } from "../../../src/core/json/json-value.ts";
import { loadModule } from "../built.ts";
import { printTable } from "../report.ts";
import { type ServerList, readDefinitions } from "./read-corpus.ts";

type Count = (text: string) => number;

const number = (value: number): string => value.toLocaleString("en");
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** Measures and prints both. */
export async function weighDefinitions(data: string, count: Count): Promise<object> {
  const lists = readDefinitions(data);
  const published = lists === undefined ? undefined : await measureLists(lists, count);
  const behind = [];
  for (const server of ["server-everything", "server-filesystem", "server-memory"])
    behind.push(await measureGateway(server, count));
  if (published !== undefined) printLists(published);
  printTable(
    ["server", "tools", "tokens", "gateway", "added", "lean", "output schemas", "most added to one"],
    behind.map((row) => [
      row.server,
      number(row.tools),
      number(row.own),
      number(row.gateway),
      number(row.gateway - row.own),
      number(row.lean),
      number(row.outputSchemas),
      number(row.mostGrowth),
    ]),
  );
  console.log("");
  return { published, behind };
}

function printLists(figures: Awaited<ReturnType<typeof measureLists>>): void {
  const { before, after, quantiles } = figures;
  const parts = [25, 50, 75, 90, 100];
  printTable(
    [
      "lists",
      "tools",
      "tokens",
      "lean",
      "saved",
      ...parts.map((part) => `${part} % of lists`),
      "larger",
      "ms",
      "most ms",
    ],
    [
      [
        ...[figures.lists, figures.tools, before, after].map(number),
        percent((before - after) / before),
        ...quantiles.map(percent),
        number(figures.largerLists),
        number(Math.round(figures.msInAll)),
        figures.msMost.toFixed(1),
      ],
    ],
  );
  console.log("");
}

/** What models are shown: name, description, input schema. */
function shown({ name, description, inputSchema }: JsonObject): object {
  return { name, description, inputSchema };
}

function tokensOf(tools: readonly JsonObject[], count: Count): number {
  return count(JSON.stringify(tools.map(shown)));
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
}

/** All lists together, and the share that is saved of each. */
async function measureLists(lists: readonly ServerList[], count: Count) {
  const { slimDefinition } = await loadModule<typeof SlimDefinition>("core/schema/slim-definition");
  const figures = { lists: lists.length, tools: 0, before: 0, after: 0, largerLists: 0 };
  const saved: number[] = [];
  const times: number[] = [];
  for (const { tools } of lists) {
    const started = performance.now();
    const slim = tools.map(slimDefinition);
    times.push(performance.now() - started);
    const [before, after] = [tokensOf(tools, count), tokensOf(slim, count)];
    figures.tools += tools.length;
    figures.before += before;
    figures.after += after;
    if (after > before) figures.largerLists++;
    saved.push((before - after) / before);
  }
  return {
    ...figures,
    quantiles: [0.25, 0.5, 0.75, 0.9, 1].map((part) => quantile(saved, part)),
    msInAll: times.reduce((sum, each) => sum + each, 0),
    msMost: quantile(times, 1),
  };
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

async function listOf(args: readonly string[], folder: string): Promise<readonly JsonObject[]> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const env = { ...process.env, MEMORY_FILE_PATH: join(folder, "memory.jsonl"), HOME: folder } as Record<
    string,
    string
  >;
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: "ignore" }),
  );
  try {
    const { tools } = await client.listTools();
    return tools as unknown as readonly JsonObject[];
  } finally {
    await client.close();
  }
}

/** The list of a server from npm, by itself and behind the built gateway. */
async function measureGateway(server: string, count: Count) {
  const folder = mkdtempSync(join(tmpdir(), "lists-"));
  try {
    const entry = join(root, "node_modules/@modelcontextprotocol", server, "dist/index.js");
    const command = [
      entry,
      ...(server === "server-filesystem" ? [folder] : server === "server-everything" ? ["stdio"] : []),
    ];
    const behind = (options: readonly string[]): readonly string[] => [
      join(root, "dist/cli/main.js"),
      "gateway",
      "--store",
      "memory",
      ...options,
      "--",
      process.execPath,
      ...command,
    ];
    const own = await listOf(command, folder);
    const gateway = await listOf(behind([]), folder);
    const lean = await listOf(behind(["--lean"]), folder);
    const growth = own.flatMap(({ name, outputSchema }) => {
      if (outputSchema === undefined) return [];
      const listed = gateway.find((tool) => tool["name"] === name)?.["outputSchema"];
      return [
        (listed === undefined ? 0 : count(JSON.stringify(listed))) - count(JSON.stringify(outputSchema)),
      ];
    });
    return {
      server,
      tools: own.length,
      own: tokensOf(own, count),
      gateway: tokensOf(gateway, count),
      lean: tokensOf(lean, count),
      outputSchemas: growth.length,
      mostGrowth: Math.max(0, ...growth),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
