import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { makePdf } from "../../src/engine/digest/sources/pdf/make-pdf.fixture.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** A server as it is on npm, and how each of its tools is called. */
export interface PublishedServer {
  readonly server: string;
  /** What Node is started with, inside a folder of the test's own. */
  readonly nodeArgs: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** The arguments of its tools that need some; the order of the list is the order of the calls. */
  readonly calls: (folder: string) => Readonly<Record<string, JsonObject>>;
}

/** The file that a published package starts with. */
function entryOf(name: string): string {
  return join(modules, name, "dist/index.js");
}

const onePage = await makePdf(["The mill stood by the river."]);

/** A folder with a few files, gone when the test is over. Tests that run side by side say which one it is. */
export function makeFolder(whenFinished: typeof onTestFinished = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "published-")));
  writeFileSync(join(folder, "a.txt"), "hello\nworld\n");
  writeFileSync(join(folder, "dot.png"), Buffer.from("iVBORw0KGgo=", "base64"));
  writeFileSync(join(folder, "a.pdf"), onePage);
  whenFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const memory: PublishedServer = {
  server: "server-memory",
  nodeArgs: () => [entryOf("@modelcontextprotocol/server-memory")],
  env: (folder) => ({ MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
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
};

const filesystem: PublishedServer = {
  server: "server-filesystem",
  nodeArgs: (folder) => [entryOf("@modelcontextprotocol/server-filesystem"), folder],
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
};

const everything: PublishedServer = {
  server: "server-everything",
  nodeArgs: () => [entryOf("@modelcontextprotocol/server-everything"), "stdio"],
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
};

const sequentialThinking: PublishedServer = {
  server: "server-sequential-thinking",
  nodeArgs: () => [entryOf("@modelcontextprotocol/server-sequential-thinking")],
  env: () => ({ DISABLE_THOUGHT_LOGGING: "true" }),
  calls: () => ({
    sequentialthinking: { thought: "First", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 },
  }),
};

const pdf: PublishedServer = {
  server: "server-pdf",
  nodeArgs: (folder) => [entryOf("@modelcontextprotocol/server-pdf"), "--stdio", join(folder, "a.pdf")],
  calls: (folder) => ({
    list_pdfs: {},
    read_pdf_bytes: { url: join(folder, "a.pdf") },
    display_pdf: { url: join(folder, "a.pdf") },
    interact: { viewUUID: "none", action: "get_text", page: 1 },
    submit_page_data: { requestId: "none", pages: [] },
    submit_save_data: { requestId: "none" },
    submit_viewer_state: { requestId: "none" },
    save_pdf: { url: join(folder, "a.pdf"), data: "" },
  }),
};

const fastmcp: PublishedServer = {
  server: "fastmcp",
  nodeArgs: () => ["--import", "tsx", fileURLToPath(new URL("fastmcp-server.fixture.ts", import.meta.url))],
  calls: () => ({ add: { a: 1, b: 2 }, rows: { count: 3 } }),
};

/** The servers that attached contracts are tried with: those whose SDK object can be reached. */
export const attachable: readonly PublishedServer[] = [memory, filesystem, everything];

/** All that the gateway is tried with. */
export const published: readonly PublishedServer[] = [...attachable, sequentialThinking, pdf, fastmcp];

/**
 * Ours; one that can only be called as a task, which clients do not send plainly; one that waits for a viewer that no
 * test has.
 */
export const notCalled = ["waybill_retrieve", "simulate-research-query", "poll_pdf_commands"];

/** The gateway from its source, as a command in front of another. */
export function gatewayArgs(words: readonly string[], command: readonly string[]): readonly string[] {
  const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  return ["--import", "tsx", main, "gateway", ...words, "--", ...command];
}
