import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { runInProcess } from "../../src/cli/run-in-process.fixture.ts";
import { resolveConfig } from "../../src/engine/settings/index.ts";
import { dialects, filterData, profiles } from "../../src/index.ts";
import { createContract, defineTool, serve } from "../../src/doors/server/index.ts";
import { assertResponse } from "../../src/doors/testing/index.ts";
import { autoClient, text, textsOf } from "../journeys/auto-dialect.fixture.ts";
import { wrongPrograms } from "../typing/wrong-programs.fixture.ts";
import { allBlocks, placeOf } from "./read-blocks.ts";
import { isTakenBy } from "./treatment.ts";

const tool = defineTool("task_query", { description: "Tasks" }, () => ({}));

/** What a call that must fail says. */
async function complaintOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    return `${name} ${code}: ${message}`;
  }
  return "nothing is wrong";
}

const file = "/repo/waybill.config.json";

function wrongConfig(text: string, environment = {}): Promise<string> {
  return complaintOf(() => resolveConfig({ waybill: { file, text }, environment }));
}

const validEnvelope = { success: true, data: {}, error: null, meta: { version: "response-v2" } };
const noCode = { ...validEnvelope, success: false, data: { error_type: "not_found" }, error: "No such task" };

async function verdictOn(value: unknown): Promise<string> {
  return (await runInProcess(["validate"], { stdin: JSON.stringify(value) })).stdout;
}

async function serveOnTakenPort(): Promise<string> {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const said = await complaintOf(() =>
    serve({ name: "t", version: "1.0.0", tools: [tool], http: port, config: false }),
  );
  return said.replaceAll(String(port), "3000");
}

async function callUnknownTool(): Promise<string> {
  const server = createContract({ name: "tasks", tools: [tool] }).server(
    new McpServer({ name: "t", version: "1.0.0" }),
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "reader", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return complaintOf(() => client.callTool({ name: "task_qery", arguments: {} }));
}

/** A log of 30,000 lines as a gateway named `files` cuts it, asked with a word that one line has. */
async function cutLog(): Promise<readonly string[]> {
  const minutes = (at: number): string => String(Math.floor(at / 60) % 60).padStart(2, "0");
  const line = (at: number): string =>
    at === 29_412
      ? "11:10:12 POST /orders/29412 refused: the valve is closed"
      : `${String(3 + Math.floor(at / 3600)).padStart(2, "0")}:${minutes(at)}:${String(at % 60).padStart(2, "0")} GET /orders/${at} 200`;
  const log = Array.from({ length: 30_000 }, (_, at) => `${line(at)}\n`).join("");
  const client = await autoClient(
    { read: { results: [text(log)] } },
    { retrieve: { name: "files_retrieve" }, fit: { strategy: "auto" } },
  );
  onTestFinished(() => client.close());
  return textsOf(await client.call("read", { search: "refused" }));
}

/** The lines around its gaps. */
async function gapsOfLog(): Promise<string[]> {
  const [kept = ""] = await cutLog();
  const lines = kept.split("\n");
  const shown = lines.flatMap((line, at) => (line.startsWith("[…") ? [at - 1, at, at + 1] : []));
  const refused = lines.findIndex((line) => line.includes("refused"));
  return [...new Set([...shown, refused])].toSorted((a, b) => a - b).map((at) => lines[at] ?? "");
}

/** A log of a web server, as the manual shows its cut. */
async function cutRequests(): Promise<string[]> {
  const log = readFileSync(new URL("../fixtures/forms/access.log", import.meta.url), "utf8");
  const client = await autoClient(
    { read: { results: [text(log)] } },
    { budget: { tokens: 480 }, fit: { strategy: "auto" } },
  );
  onTestFinished(() => client.close());
  const [kept = ""] = textsOf(await client.call("read"));
  return kept.split("\n");
}

/** A minified page, asked for one of its rows. */
async function cutShop(): Promise<string[]> {
  const page = readFileSync(new URL("../fixtures/forms/page.html", import.meta.url), "utf8");
  const client = await autoClient(
    { fetch: { results: [text(page.replaceAll(/\s*\n\s*/g, ""))] } },
    { budget: { tokens: 300 }, fit: { strategy: "auto" } },
  );
  onTestFinished(() => client.close());
  const [kept = ""] = textsOf(await client.call("fetch", { question: "price of a reading lamp" }));
  return kept.split("\n");
}

/** The same for the tree of a folder, as JSON in a field of text. */
async function cutTree(): Promise<string[]> {
  const file = (at: number): object => ({ name: `file-${at}.ts`, type: "file" });
  const children = Array.from({ length: 900 }, (_, at) => file(at));
  const folders = Array.from({ length: 300 }, (_, at) => ({
    name: `package-${at}`,
    type: "directory",
    children,
  }));
  const content = JSON.stringify(folders, null, 2);
  const outputSchema = { type: "object", properties: { content: { type: "string" } } };
  const results = [text(content, { structuredContent: { content } })];
  const client = await autoClient(
    { tree: { outputSchema, results } },
    { retrieve: { name: "files_retrieve" } },
  );
  onTestFinished(() => client.close());
  return textsOf(await client.call("tree"))
    .slice(-1)
    .map((said) => said.trim());
}

/** How each sentence of the manual comes about, by its page and first words. */
const makers: readonly (readonly [page: string, beginning: string, say: () => Promise<string[]>])[] = [
  ["docs/gateway.md", "03:00", gapsOfLog],
  ["docs/gateway.md", "[lines 1,", async () => (await cutLog()).slice(-1)],
  ["docs/gateway.md", "[593 of", cutTree],
  ["docs/fit.md", "127.0.0.1", cutRequests],
  ["docs/fit.md", "[… 2,681", cutShop],
  [
    "docs/configuration.md",
    `${file}:3:`,
    async () => [
      ...resolveConfig({
        waybill: { file, isFound: true, text: '{\n  "dialect": "drf",\n  "store": "./a"\n}' },
      }).notices,
    ],
  ],
  [
    "docs/configuration.md",
    `${file}:4:3`,
    async () => [
      await wrongConfig('{\n  "dialect": "drf",\n\n  "bugdet": {}\n}'),
      await wrongConfig('{\n  "dialect": "response-v3"\n}'),
      await wrongConfig("{}", { WAYBILL_PROFILE: "loud" }),
    ],
  ],
  [
    "docs/dialects.md",
    "ContractError CANNOT_CARRY",
    async () => [
      await complaintOf(() =>
        dialects["response-v2-draft"].render(
          { ok: true, data: { _meta: "x" }, notes: {} },
          { profile: profiles.standard },
        ),
      ),
    ],
  ],
  [
    "docs/server.md",
    "serve: Something else",
    async () => [
      await serveOnTakenPort(),
      await complaintOf(() =>
        serve({
          name: "t",
          version: "1.0.0",
          tools: [tool],
          http: { port: 0, host: "0.0.0.0" },
          config: false,
        }),
      ),
    ],
  ],
  ["docs/server.md", "… is not assignable", async () => wrongPrograms.map(({ says }) => says)],
  ["docs/server.md", "Tool task_qery", async () => [await callUnknownTool()]],
  [
    "docs/server.md",
    "createContract:",
    async () => [
      await complaintOf(() => createContract({ fit: { strategy: "relevanc" }, bugdet: {} } as object)),
      await complaintOf(() => defineTool("task_query", { description: "Tasks", timeoutMs: -1 }, () => ({}))),
    ],
  ],
  ["docs/shape.md", "Bad path", async () => [await complaintOf(() => filterData({}, { exclude: ["a..b"] }))]],
  [
    "docs/testing.md",
    "The response breaks",
    async () => [
      await complaintOf(() =>
        assertResponse({ ...validEnvelope, data: [] }, { dialect: "response-v2", meta: ["warnings"] }),
      ),
    ],
  ],
  ["docs/validate.md", "error/code-missing", async () => [await verdictOn(noCode)]],
  [
    "docs/validate.md",
    "envelope/data-type",
    async () => [
      await verdictOn({ content: [{ type: "text", text: JSON.stringify({ ...validEnvelope, data: [] }) }] }),
    ],
  ],
  [
    "docs/validate.md",
    "waybill: stdin is larger",
    async () => [
      (await runInProcess(["validate"], { stdin: new Uint8Array(64 * 1024 * 1024 + 1).fill(32) })).stderr,
    ],
  ],
];

/** Whether a shown line was said; `…` means words that are left out. */
function isSaid(shown: string, said: readonly string[]): boolean {
  const parts = shown.trim().split("…");
  return said.some((text) => {
    let from = 0;
    return parts.every((part) => {
      const at = text.indexOf(part.trim(), from);
      from = at + part.length;
      return at !== -1;
    });
  });
}

const sentences = allBlocks
  .filter((block) => isTakenBy(block, "sentences"))
  .map((block) => ({
    code: block.code,
    place: placeOf(block),
    say: makers.find(([page, beginning]) => page === block.page && block.code.startsWith(beginning))?.[2],
  }));

describe("a sentence that the manual shows", () => {
  it.each(sentences)("$place is said", async ({ code, say }) => {
    const said = (await say?.()) ?? ["no test says how this comes about: add it to the list in this file"];
    const unsaid = code.split("\n").filter((line) => !isSaid(line, said));
    expect(unsaid.length === 0 ? [] : { unsaid, said }).toEqual([]);
  });

  it("comes from a list without leftovers", () => {
    const places = makers.map(([page, beginning]) =>
      allBlocks.some((block) => block.page === page && block.code.startsWith(beginning)),
    );
    expect(places).not.toContain(false);
  });
});
