import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import * as z from "zod";
import { RETRIEVE_TOOL } from "../../src/core/contract/wire-names.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { bridgeTo } from "../../src/doors/gateway/bridge/bridge.fixture.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { until } from "../../src/engine/transport/until.fixture.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";

const text = z.string();
const task = z.object({ id: text, title: text, status: z.enum(["open", "done"]), labels: z.array(text) });
const tasks = z.object({ tasks: z.array(task), total_count: z.number() });
const file = z.object({ path: text, size: z.number(), modified: z.iso.datetime() });
const person = z.object({ login: text, name: text.optional(), teams: z.array(text) });
const page = { limit: z.number().optional(), cursor: text.optional() };

type Shape = Readonly<Record<string, z.ZodType>>;
type Listed = readonly [name: string, description: string, input: Shape, output?: z.ZodObject];

/** Twenty tools of a usual size, half of them with an output schema. */
const listed: readonly Listed[] = [
  ["task_list", "List the tasks of a project.", { project: text, ...page }, tasks],
  ["task_get", "Get one task by its id.", { id: text }, task],
  ["task_search", "Search tasks by words in their title or body.", { query: text, ...page }, tasks],
  ["task_create", "Create a task in a project.", { project: text, title: text, body: text.optional() }, task],
  ["task_update", "Change the title or the status of a task.", { id: text, title: text.optional() }, task],
  ["task_delete", "Delete a task for good.", { id: text }],
  ["task_comment", "Add a comment to a task.", { id: text, body: text }],
  ["comment_list", "List the comments of a task, oldest first.", { id: text, ...page }],
  ["label_list", "List all labels of a project.", { project: text }, z.object({ labels: z.array(text) })],
  ["label_add", "Put a label on a task.", { id: text, label: text }],
  ["project_list", "List the projects that you can see.", page, z.object({ projects: z.array(text) })],
  [
    "project_get",
    "Get a project with its members.",
    { project: text },
    z.object({ members: z.array(person) }),
  ],
  ["person_get", "Get a person by login.", { login: text }, person],
  ["person_search", "Find people by name.", { query: text }, z.object({ people: z.array(person) })],
  ["file_list", "List the files of a folder.", { path: text }, z.object({ files: z.array(file) })],
  ["file_read", "Read a file as text.", { path: text, from_line: z.number().optional() }],
  ["file_write", "Write a file, and replace what was in it.", { path: text, content: text }],
  ["file_search", "Search the text of all files for a pattern.", { pattern: text, path: text.optional() }],
  ["log_read", "Read the last lines of a service's log.", { service: text, lines: z.number().optional() }],
  [
    "metrics_get",
    "Get a metric of a service over a time.",
    { service: text, metric: text, hours: z.number() },
  ],
];

const info = { name: "costs", version: "1.0.0" };

function configOf([, description, input, outputSchema]: Listed) {
  return { description, inputSchema: z.object(input), ...(outputSchema && { outputSchema }) };
}

/** What a server says of its tools. */
async function listOf(server: McpServer): Promise<readonly JsonObject[]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(info);
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools } = await client.listTools();
  await client.close();
  return tools as unknown as readonly JsonObject[];
}

let plain: Promise<readonly JsonObject[]> | undefined;

/** The list without a contract. */
function plainList(): Promise<readonly JsonObject[]> {
  return (plain ??= makePlainList());
}

function makePlainList(): Promise<readonly JsonObject[]> {
  const server = new McpServer(info);
  for (const tool of listed) server.registerTool(tool[0], configOf(tool), () => ({ content: [] }));
  return listOf(server);
}

type ListUnder = (options: ContractOptions) => Promise<readonly JsonObject[]>;

/** The list of a server of one's own. */
const ownList: ListUnder = (options) => {
  const server = createContract({ logLevel: "silent", ...options }).server(new McpServer(info));
  return listOf(
    server.add(...listed.map((tool) => defineTool(tool[0], configOf(tool), () => ({}) as never))),
  );
};

/** The list of the plain server behind the gateway. */
const gatewayList: ListUnder = async (options) => {
  const tools = await plainList();
  const { client, bridge } = bridgeTo(({ id = null }) => ({ jsonrpc: "2.0", id, result: { tools } }), {
    dialect: "auto",
    profile: "minimal",
    ...options,
  });
  client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }));
  await until(() => client.heard.length > 0);
  bridge.close();
  const [{ result }] = client.heard as [{ result: { tools: readonly JsonObject[] } }];
  return result.tools;
};

interface Weight {
  /** Name, title, description, input and hints. */
  readonly words: number;
  readonly output: number;
}

function tokensOf(value: unknown): number {
  return value === undefined ? 0 : countTokens(JSON.stringify(value));
}

/** What a client is told of every tool, in tokens. */
function weigh(tools: readonly JsonObject[]): ReadonlyMap<unknown, Weight> {
  return new Map(
    tools.map(({ outputSchema, ...words }) => [
      words["name"],
      { words: tokensOf(words), output: tokensOf(outputSchema) },
    ]),
  );
}

interface Cost {
  /** The most that names, descriptions, inputs and hints of one tool grow. */
  readonly tool: number;
  /** The definition of `waybill_retrieve`, with all that is listed of it. */
  readonly retrieve: number;
  /** All that the list of twenty tools grows, output schemas of the tools aside. */
  readonly list: number;
  /** The most that one output schema grows. */
  readonly output: number;
}

const asListed: Cost = { tool: 0, retrieve: 190, list: 600, output: 150 };
const asked: Cost = { ...asListed, tool: 16 };

/** The settings that a list depends on, and the most that each may cost. */
const settings: readonly (readonly [
  setting: string,
  list: ListUnder,
  options: ContractOptions,
  limit: Cost,
])[] = [
  ["an own server", ownList, {}, asListed],
  ["an own server, `select`", ownList, { select: true }, asked],
  ["the same in `response-v2-draft`", ownList, { select: true, dialect: "response-v2-draft" }, asked],
  ["the same in `scalpel`", ownList, { select: true, dialect: "scalpel" }, asked],
  ["the gateway", gatewayList, {}, { ...asListed, output: 40 }],
  ["the gateway, `--select`", gatewayList, { select: true }, { ...asked, output: 40 }],
  // An object with four keys, for those who want all of them. It is off by default.
  [
    "an own server, `waybillArgument`",
    ownList,
    { waybillArgument: true },
    { ...asListed, retrieve: 320, tool: 65, list: 1_560 },
  ],
];

export interface DefinitionCost {
  readonly setting: string;
  readonly cost: Cost;
  readonly limit: Cost;
}

async function costOf(list: ListUnder, options: ContractOptions): Promise<Cost> {
  const before = weigh(await plainList());
  const after = weigh(await list(options));
  const grown = listed.map(([name]) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === undefined || is === undefined) throw new Error(`${name} is not listed`);
    return { words: is.words - was.words, output: is.output - was.output };
  });
  const { words = 0, output = 0 } = after.get(RETRIEVE_TOOL) ?? {};
  return {
    tool: Math.max(...grown.map((each) => each.words)),
    retrieve: words + output,
    list: grown.reduce((sum, each) => sum + each.words, words),
    output: Math.max(...grown.map((each) => each.output)),
  };
}

let measured: Promise<readonly DefinitionCost[]> | undefined;

/** What the contract adds to a list of twenty tools, by its settings. */
export function definitionCosts(): Promise<readonly DefinitionCost[]> {
  return (measured ??= measure());
}

function measure(): Promise<readonly DefinitionCost[]> {
  return Promise.all(
    settings.map(async ([setting, list, options, limit]) => ({
      setting,
      cost: await costOf(list, options),
      limit,
    })),
  );
}
