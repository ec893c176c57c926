// What the models behind clients get of three long results of a published server, and that each call which these propose
// gives what is missing first, and everything that is missing in the places that it names. Set WAYBILL_TEST_SHOW=1 to see the texts.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { StdioClient } from "../../bench/harness/servers/stdio-client.ts";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Following, followsItems, followsLines } from "./following.fixture.ts";
import { allOf, noticesIn } from "./proposed.fixture.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
const sources = fileURLToPath(new URL("../../src/core/contract", import.meta.url));
const BUDGET = 8_000;
/** All that is missing of the source; the rest of the log has thousands. */
const MOST_PAGES = 15;

type Call = (tool: string, args: JsonObject) => Promise<JsonObject>;

function serverArgs(folder: string): readonly string[] {
  return published.find(({ server }) => server === "server-filesystem")?.nodeArgs(folder) ?? [];
}

/** The file system server behind a gateway named `files`. */
async function connect(folder: string): Promise<Call> {
  const command = [process.execPath, ...serverArgs(folder)];
  const args = [...gatewayArgs(["--store", "memory", "--name", "files"], command)];
  const client = new Client({ name: "reader", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  onTestFinished(() => client.close());
  await client.listTools();
  return async (name, given) =>
    (await client.callTool({ name, arguments: given }, { timeout: 300_000 })) as unknown as JsonObject;
}

/** What the server itself says, in one text: the official client takes no message of 12 MB. */
async function uncut(folder: string, tool: string, args: JsonObject): Promise<string> {
  const server = new StdioClient({ args: serverArgs(folder) });
  onTestFinished(() => server.close());
  await server.open("reader");
  const { result } = (await server.call(tool, args)).message;
  return textsOf(isJsonObject(result) ? result : {}).join("");
}

function textsOf({ content }: JsonObject): readonly string[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.map(({ text }) => (typeof text === "string" ? text : ""));
}

/** What each kind of reader gets, in tokens; and the last line, with the call that it proposes. */
async function readersOf(what: string, result: JsonObject) {
  const counter = await loadCounter();
  const count = (text: string): number => counter.count(text);
  const [head = "", closing = "", ...more] = textsOf(result);
  expect(more).toEqual([]);
  const structure = JSON.stringify(result["structuredContent"]);
  const { meta } = result["structuredContent"] as { meta: JsonObject };
  const tokens = {
    text: count(head + closing),
    structure: count(structure),
    both: count(head + closing) + count(structure),
    closing: count(closing),
    notice: count(JSON.stringify(meta)),
  };
  expect(tokens.text).toBeLessThanOrEqual(BUDGET);
  expect(tokens.structure).toBeLessThanOrEqual(BUDGET);
  expect(tokens.closing).toBeLessThanOrEqual(60);
  const shown = [what, head.slice(0, 160), "…", head.slice(-160), closing, JSON.stringify({ meta, tokens })];
  if (process.env["WAYBILL_TEST_SHOW"] === "1") process.stdout.write(`${shown.join("\n")}\n\n`);
  return { head, closing };
}

/** What each proposed call gives of what is missing, all its pages or, of a long rest, many. */
async function followed(
  call: Call,
  result: JsonObject,
  judge: typeof followsLines,
  whole: string,
  head: string,
): Promise<readonly Following[]> {
  const found: Following[] = [];
  for (const notice of noticesIn(result))
    found.push(judge(whole, head, await allOf(call, notice, MOST_PAGES), notice.args));
  expect(found.length).toBeGreaterThan(0);
  for (const { count = 0, again = count, ...others } of found) {
    expect(others).not.toHaveProperty("problem");
    expect(again * 2).toBeLessThanOrEqual(count);
  }
  if (process.env["WAYBILL_TEST_SHOW"] === "1")
    process.stdout.write(`${found.map(({ says }) => says).join("\n")}\n\n`);
  return found;
}

async function followingLines(call: Call, what: string, path: string): Promise<readonly Following[]> {
  const result = await call("read_text_file", { path });
  const { head, closing } = await readersOf(what, result);
  expect(closing).toMatch(/^\s*\[.* of [\d,]+(?: lines, in \d+ places)?; the /);
  return followed(call, result, followsLines, readFileSync(path, "utf8"), head);
}

describe.runIf(isFullRun)("a long result of server-filesystem", () => {
  it("is lines of a source of 60 KB", async () => {
    const folder = makeFolder();
    const files = readdirSync(sources).filter((name) => name.endsWith(".ts"));
    const source = files.map((name) => readFileSync(join(sources, name), "utf8")).join("");
    const path = join(folder, "source.ts");
    writeFileSync(path, source.slice(0, 60_000));
    const found = await followingLines(await connect(folder), "read_text_file, 60 KB", path);
    for (const { count } of found) expect(count).toBeGreaterThan(20);
  });

  it("is lines of a log of 30 MB", async () => {
    const folder = makeFolder();
    const path = join(folder, "large.log");
    const line = (at: number): string =>
      `2026-11-18T10:00:00Z INFO worker-${at % 8} request ${at} took ${(at * 37) % 900} ms\n`;
    const lines = Array.from({ length: 500_000 }, (_, at) => line(at)).join("");
    writeFileSync(path, lines.slice(0, 30_000_000));
    const found = await followingLines(await connect(folder), "read_text_file, 30 MB", path);
    for (const { count } of found) expect(count).toBeGreaterThan(20);
  });

  it("is the JSON of a tree, of which no object is cut in two", async () => {
    const call = await connect(modules);
    const result = await call("directory_tree", { path: modules });
    const { head } = await readersOf("directory_tree of node_modules", result);
    const kept = JSON.parse(head) as readonly JsonObject[];
    expect(kept.length).toBeGreaterThan(0);
    expect(
      kept.every((entry) => typeof entry["name"] === "string" && typeof entry["type"] === "string"),
    ).toBe(true);
    const whole = await uncut(modules, "directory_tree", { path: modules });
    const found = await followed(call, result, followsItems, whole, head);
    for (const { count } of found) expect(count).toBeGreaterThan(20);
  });
});
