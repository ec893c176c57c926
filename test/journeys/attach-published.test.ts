import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { dialectIds } from "../../src/contract/dialect-id.ts";
import type { JsonObject } from "../../src/json/json-value.ts";
import { someOf } from "../arbitrary/law-runs.ts";
import { connectClient } from "./attach-clients.fixture.ts";
import { serverKinds } from "./attach-example.fixture.ts";

const preload = fileURLToPath(new URL("attach-published.fixture.ts", import.meta.url));
const require = createRequire(import.meta.url);

interface PublishedServer {
  readonly server: "server-memory" | "server-everything" | "server-filesystem";
  readonly arguments: (folder: string) => readonly string[];
  /** The arguments of its tools that need some; the order of the list is the order of the calls. */
  readonly calls: (folder: string) => Readonly<Record<string, JsonObject>>;
}

const servers: readonly PublishedServer[] = [
  {
    server: "server-memory",
    arguments: () => [],
    calls: () => ({
      create_entities: {
        entities: [
          { name: "Ada", entityType: "person", observations: ["likes tea"] },
          { name: "Bob", entityType: "person", observations: [] },
        ],
      },
      create_relations: { relations: [{ from: "Ada", to: "Bob", relationType: "knows" }] },
      add_observations: { observations: [{ entityName: "Ada", contents: ["plays chess"] }] },
      delete_observations: { deletions: [{ entityName: "Ada", observations: ["plays chess"] }] },
      delete_relations: { relations: [{ from: "Ada", to: "Bob", relationType: "knows" }] },
      delete_entities: { entityNames: ["Bob"] },
      search_nodes: { query: "Ada" },
      open_nodes: { names: ["Ada"] },
    }),
  },
  {
    server: "server-filesystem",
    arguments: (folder) => [folder],
    calls: (folder) => ({
      read_file: { path: join(folder, "a.txt") },
      read_text_file: { path: join(folder, "a.txt") },
      read_media_file: { path: join(folder, "dot.png") },
      read_multiple_files: { paths: [join(folder, "a.txt"), join(folder, "none.txt")] },
      write_file: { path: join(folder, "b.txt"), content: "b" },
      edit_file: { path: join(folder, "a.txt"), edits: [{ oldText: "hello", newText: "good day" }] },
      create_directory: { path: join(folder, "sub") },
      list_directory: { path: folder },
      list_directory_with_sizes: { path: folder },
      directory_tree: { path: folder },
      move_file: { source: join(folder, "b.txt"), destination: join(folder, "c.txt") },
      search_files: { path: folder, pattern: "*.txt" },
      get_file_info: { path: join(folder, "a.txt") },
    }),
  },
  {
    server: "server-everything",
    arguments: () => ["stdio"],
    calls: () => ({
      echo: { message: "hi" },
      "get-structured-content": { location: "New York" },
      "get-sum": { a: 1, b: 2 },
      "get-annotated-message": { messageType: "error", includeImage: true },
      "get-resource-links": { count: 2 },
      "get-resource-reference": { resourceType: "Text", resourceId: 1 },
      "gzip-file-as-resource": { name: "x", data: "data:text/plain;base64,aGk=", outputType: "resource" },
      "trigger-long-running-operation": { duration: 0.1, steps: 1 },
    }),
  },
];

/** Ours, and one that can only be called as a task: clients do not send a plain call of it. */
const notCalled = ["waybill_retrieve", "simulate-research-query"];

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "published-")));
  writeFileSync(join(folder, "a.txt"), "hello\nworld\n");
  writeFileSync(join(folder, "dot.png"), Buffer.from("iVBORw0KGgo=", "base64"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(name: string, args: readonly string[], folder: string, dialect: string): StdioClientTransport {
  const entry = join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist/index.js");
  const env = { ...process.env, WAYBILL_DIALECT: dialect, MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
  return new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", "--import", preload, entry, ...args],
    env,
    stderr: "ignore",
  });
}

const journeys = servers.flatMap((one) =>
  dialectIds.flatMap((dialect) => serverKinds.map((client) => ({ ...one, dialect, client }))),
);

describe("a published server under attachContract", () => {
  it.each(someOf(journeys, 2))(
    "is used by the client $client without a refusal: $server, all tools, in $dialect",
    async ({ server, arguments: argumentsOf, calls, dialect, client: kind }) => {
      const folder = makeFolder();
      const client = await connectClient(kind, start(server, argumentsOf(folder), folder, dialect));
      onTestFinished(() => client.close());
      const given = calls(folder);
      const listed = (await client.listTools()).map(({ name }) => name);
      expect(listed).toEqual(expect.arrayContaining(Object.keys(given)));
      const rest = listed.filter((name) => !notCalled.includes(name) && given[name] === undefined);
      const trouble: string[] = [];
      for (const name of [...Object.keys(given), ...rest]) {
        try {
          const { isError, content, _meta } = await client.call(name, given[name]);
          expect(_meta).toMatchObject({ "waybill/contract": { dialect } });
          if (isError === true) trouble.push(`${name} failed: ${JSON.stringify(content)}`);
        } catch (error) {
          trouble.push(`${name} was refused: ${String(error)}`);
        }
      }
      expect(trouble).toEqual([]);
    },
  );
});
