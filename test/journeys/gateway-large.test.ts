import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { contractClient } from "../../src/doors/client/index.ts";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { LineClient } from "./gateway-recorder.fixture.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
const BUDGET = 8_000;

function filesystem(folder: string): readonly string[] {
  const server = published.find(({ server: name }) => name === "server-filesystem");
  return [process.execPath, ...(server?.nodeArgs(folder) ?? [])];
}

/** A client behind the gateway in front of the file system server, and every result as it came. */
async function connect(folder: string) {
  const command = process.execPath;
  const args = [...gatewayArgs(["--store", "memory"], filesystem(folder))];
  const client = new Client({ name: "large", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
  onTestFinished(() => client.close());
  await client.listTools();
  const results: JsonObject[] = [];
  const callTool = client.callTool.bind(client);
  client.callTool = async (...given: Parameters<typeof callTool>) => {
    const result = await callTool(...given);
    results.push(result as unknown as JsonObject);
    return result;
  };
  return { tools: contractClient(client), results };
}

/** The larger of both channels, as the budget has it. */
async function tokensOf({ content, structuredContent }: JsonObject): Promise<number> {
  const counter = await loadCounter();
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = blocks.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
  return Math.max(
    counter.count(texts),
    structuredContent === undefined ? 0 : counter.count(JSON.stringify(structuredContent)),
  );
}

/** What the server itself answers, which no SDK client could read where it is longer than 10 MiB. */
async function askDirectly(folder: string, name: string, args: JsonObject): Promise<string> {
  const [command = "", ...rest] = filesystem(folder);
  const client = new LineClient({ command, args: rest, env: {} });
  onTestFinished(() => client.close());
  await client.initialize();
  return (await client.request("tools/call", { name, arguments: args })).raw;
}

describe("a large result of the file system server behind the gateway", () => {
  it.runIf(isFullRun)("fits the budget, and all of it comes back: the tree of node_modules", async () => {
    const { tools, results } = await connect(modules);
    const outcome = await tools.call("directory_tree", { path: modules });
    expect(outcome.fidelity).not.toBe("full");
    expect(await tokensOf(results[0] ?? {})).toBeLessThanOrEqual(BUDGET);
    const whole = await tools.complete(outcome);
    expect(whole.fidelity).toBe("full");
    const direct = JSON.parse(await askDirectly(modules, "directory_tree", { path: modules })) as {
      readonly result: { readonly structuredContent: JsonObject };
    };
    expect(JSON.stringify(whole.data)).toBe(JSON.stringify(direct.result.structuredContent));
  });

  it.runIf(isFullRun)("fits the budget, and all of it comes back: a text of 20 MB", async () => {
    const folder = makeFolder();
    const line = (at: number): string =>
      `${at}: the mill stood by the river, and the river stood still — «${at * 7}»\n`;
    const text = Array.from({ length: 280_000 }, (_, at) => line(at)).join("");
    expect(Buffer.byteLength(text)).toBeGreaterThan(20_000_000);
    const path = join(folder, "large.txt");
    writeFileSync(path, text);
    const { tools, results } = await connect(folder);
    const outcome = await tools.call("read_text_file", { path });
    expect(outcome.fidelity).toBe("partial");
    expect(await tokensOf(results[0] ?? {})).toBeLessThanOrEqual(BUDGET);
    const whole = await tools.complete(outcome);
    expect((whole.data as { readonly content: string }).content === text).toBe(true);
  });

  it.runIf(isFullRun)("is the server's own bytes where it is a source file of 10 KB", async () => {
    const folder = makeFolder();
    const path = join(folder, "source.ts");
    writeFileSync(
      path,
      readFileSync(fileURLToPath(import.meta.url), "utf8")
        .repeat(4)
        .slice(0, 10_240),
    );
    const args = gatewayArgs(["--store", "memory"], filesystem(folder));
    const client = new LineClient({ command: process.execPath, args, env: {} });
    onTestFinished(() => client.close());
    await client.initialize();
    const { raw } = await client.request("tools/call", { name: "read_text_file", arguments: { path } });
    expect(raw).toBe(await askDirectly(folder, "read_text_file", { path }));
    expect(raw.length).toBeGreaterThan(20_000);
  });
});
