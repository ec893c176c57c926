import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Agent, MCPServerStdio, OpenAIProvider, Runner, setTracingDisabled } from "@openai/agents";
import { ToolLoopAgent, stepCountIs } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { toolsOf } from "../../examples/ai-sdk/tools-of.ts";
import type { ChatMessage, Move } from "../../examples/stub-model/chat-messages.ts";
import { startModel } from "../../examples/stub-model/start-model.ts";
import { contractClient } from "../../src/doors/client/index.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packageOf = (name: string): string =>
  join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1}: ${"plain words ".repeat(4)}`);
const entities = Array.from({ length: 400 }, (_, at) => ({
  type: "entity",
  name: `person-${at}`,
  entityType: "person",
  observations: [`is number ${at} of all`],
}));

/** Two published servers, each behind a gateway of its own on stdio, with one archive, as `wrap` writes them. */
function twoServers() {
  const folder = mkdtempSync(join(tmpdir(), "two-gateways-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [long, graph] = [join(folder, "long.txt"), join(folder, "memory.jsonl")];
  writeFileSync(long, lines.join("\n"));
  writeFileSync(graph, entities.map((each) => JSON.stringify(each)).join("\n"));
  const store = join(folder, "archive");
  const behind = (name: string, ...server: readonly string[]) => {
    const gateway = ["src/cli/main.ts", "gateway", "--budget", "1000", "--store", store, "--name", name];
    return {
      command: process.execPath,
      args: ["--import", "tsx", ...gateway, "--wrapped", "--", process.execPath, ...server],
      cwd: root,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, MEMORY_FILE_PATH: graph },
      stderr: "ignore" as const,
    };
  };
  const files = behind("files", packageOf("filesystem"), folder);
  const memory = behind("memory", packageOf("memory"));
  const retrievals = ["files_retrieve", "memory_retrieve"];
  return { store, long, servers: { files, memory }, retrievals };
}

type Two = ReturnType<typeof twoServers>;

async function clientOf(server: Two["servers"]["files"]): Promise<Client> {
  const client = new Client({ name: "two-gateways", version: "1.0.0" });
  await client.connect(new StdioClientTransport(server));
  onTestFinished(() => client.close());
  return client;
}

/** The handle and the tool that a cut names, in its notes or in the line after a text, wherever a client puts it. */
function hintIn(text: string): { readonly tool: string; readonly archive: string } {
  const plain = text.replaceAll("\\", "");
  const [, tool = "", archive = ""] =
    /(?:"tool":"|the rest: )([\w-]+)(?:","arguments":| )\{"archive":"([0-9a-f]+)"/.exec(plain) ?? [];
  return { tool, archive };
}

/** Reads a file and a graph, fetches of each what was cut, by the tool that the cut names, and says what it called. */
function curiousModel(long: string): (messages: readonly ChatMessage[]) => Move {
  return (messages) => {
    const heard = messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => JSON.stringify(content));
    const hints = heard.map(hintIn).filter(({ tool }) => tool !== "");
    if (heard.length === 0) return { call: "read_text_file", with: { path: long } };
    if (heard.length === 1) return { call: "read_graph", with: {} };
    const [file, graph] = hints;
    if (heard.length === 2)
      return { call: file?.tool ?? "", with: { archive: file?.archive ?? "", lines: "2999" } };
    if (heard.length === 3)
      return {
        call: graph?.tool ?? "",
        with: { archive: graph?.archive ?? "", select: "entities[399].name" },
      };
    const found = heard.slice(2).map((text) => /line 2999|person-399/.exec(text)?.[0] ?? "nothing");
    return { say: found.join(", ") };
  };
}

const expectedCalls = ["read_text_file", "read_graph", "files_retrieve", "memory_retrieve"];

describe.runIf(isFullRun)("two gateways on stdio in one client", () => {
  it("list no tool twice, and either gives back what each has cut", { timeout: 60_000 }, async () => {
    const { servers, retrievals, long, store } = twoServers();
    const [files, memory] = await Promise.all([clientOf(servers.files), clientOf(servers.memory)]);
    const names = (await Promise.all([files, memory].map((each) => each.listTools()))).flatMap(({ tools }) =>
      tools.map(({ name }) => name),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.includes("retrieve"))).toEqual(retrievals);
    const [text, graph] = [
      await contractClient(files).call("read_text_file", { path: long }),
      await contractClient(memory).call("read_graph"),
    ];
    expect([text.fidelity, graph.fidelity]).toEqual(["partial", "partial"]);
    expect(JSON.stringify((await contractClient(files).complete(text)).data)).toContain("line 3000");
    expect(await contractClient(memory).ask(graph, "length(entities)")).toMatchObject({ data: 400 });
    // A model that mixes the two tools up gets the same.
    const [archive = ""] = Object.values(graph.archives);
    for (const reference of [archive, archive.slice(7, 19)]) {
      const asked = { archive: reference, select: "length(entities)" };
      const crossed = await contractClient(files).call("files_retrieve", asked);
      expect(crossed.data).toMatchObject({ selected: 400 });
    }
    // Without an archive only what this server cut is looked into.
    expect(await contractClient(files).tryCall("files_retrieve", { ids: ["person-399"] })).toMatchObject({
      ok: false,
      error: { code: "NOT_FOUND" },
    });
    expect(readdirSync(join(store, "local"))).toHaveLength(2);
  });

  it("serve an agent of the OpenAI Agents SDK", { timeout: 120_000 }, async () => {
    const { servers, long } = twoServers();
    const mcpServers = Object.entries(servers).map(
      ([name, { command, args, cwd, env }]) => new MCPServerStdio({ name, command, args, cwd, env }),
    );
    const model = await startModel(curiousModel(long));
    onTestFinished(async () => {
      await model.close();
      await Promise.all(mcpServers.map((each) => each.close()));
    });
    for (const each of mcpServers) await each.connect();
    setTracingDisabled(true);
    const modelProvider = new OpenAIProvider({ baseURL: model.url, apiKey: "stub", useResponses: false });
    const agent = new Agent({ name: "Reader", model: "stub", mcpServers });
    const { finalOutput, newItems } = await new Runner({ modelProvider }).run(agent, "Look", {
      maxTurns: 10,
    });
    const calls = newItems.flatMap(({ rawItem }) =>
      rawItem?.type === "function_call" ? [rawItem.name] : [],
    );
    expect(calls).toEqual(expectedCalls);
    expect(finalOutput).toBe("line 2999, person-399");
  });

  it("serve an agent of the AI SDK", { timeout: 120_000 }, async () => {
    const { servers, long } = twoServers();
    const clients = await Promise.all(Object.values(servers).map(clientOf));
    const sets = await Promise.all(clients.map((each) => toolsOf(each)));
    const tools = Object.assign({}, ...sets) as Awaited<ReturnType<typeof toolsOf>>;
    // One flat object: a name that comes twice would lose a tool.
    expect(Object.keys(tools)).toHaveLength(sets.reduce((sum, each) => sum + Object.keys(each).length, 0));
    const model = await startModel(curiousModel(long));
    onTestFinished(() => model.close());
    const provider = createOpenAICompatible({ name: "stub", baseURL: model.url });
    const agent = new ToolLoopAgent({ model: provider.chatModel("stub"), tools, stopWhen: stepCountIs(10) });
    const { text, steps } = await agent.generate({ prompt: "Look" });
    const calls = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName));
    expect(calls).toEqual(expectedCalls);
    expect(text).toBe("line 2999, person-399");
  });
});
