// Servers as they are on npm, each with calls that change nothing: texts, structures, pictures, links, errors, and
// results that are longer than a budget or a client takes.

import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePng } from "../../../src/core/readers/made-picture.fixture.ts";
import { makePdf } from "../../../src/engine/digest/sources/pdf/make-pdf.fixture.ts";
import type { JsonObject } from "../../../src/core/json/json-value.ts";
import { fetchedFile } from "./fetched.ts";

export const modulesFolder = realpathSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)));
/** A source of 62,632 bytes. */
export const sourceFile = join(modulesFolder, "lru-cache/dist/esm/index.js");

type Call = readonly [tool: string, args: JsonObject];

export interface RealServer {
  readonly name: string;
  /** What Node is started with. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly isFetched?: true;
  readonly calls: readonly Call[];
}

function entryOf(name: string): string {
  return join(modulesFolder, name, "dist/index.js");
}

const people = Array.from({ length: 60 }, (_, at) => ({
  type: "entity",
  name: `Person ${at}`,
  entityType: at % 3 === 0 ? "author" : "reader",
  observations: [`born in ${1900 + at}`, `likes tea number ${at}`],
}));

const cells = Array.from(
  { length: 400 },
  (_, at) =>
    `<mxCell id="n${at}" value="Step ${at}" vertex="1" parent="1"><mxGeometry x="${at * 10}" y="${at * 7}" width="120" height="60" as="geometry"/></mxCell>`,
);
const page = (inside: string): string =>
  `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${inside}</root></mxGraphModel>`;
const drawing = `<mxfile><diagram id="a" name="Short">${page(cells[0] ?? "")}</diagram><diagram id="b" name="Long">${page(cells.join(""))}</diagram></mxfile>`;

const workspace = {
  version: 1,
  newProjectRoot: "projects",
  projects: Object.fromEntries(
    ["shop", "admin", "design"].map((name) => [
      name,
      {
        projectType: name === "design" ? "library" : "application",
        root: `projects/${name}`,
        sourceRoot: `projects/${name}/src`,
        prefix: name,
        architect: { build: { builder: "@angular/build:application" } },
      },
    ]),
  ),
};
const component = `import { Component } from "@angular/core";
@Component({ selector: "app-root", template: "<h1>{{ title }}</h1>" })
export class App { title = "shop"; }
`;

/** Files for the servers to read. */
async function writeFolder(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-servers-")));
  for (const sub of ["notes/2026", "projects/shop/src"]) mkdirSync(join(folder, sub), { recursive: true });
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(folder, name), content);
  write("short.md", "# Tea\n\nGreen, black and white.\n");
  write("table.json", JSON.stringify({ rows: people.map(({ name }, id) => ({ id, name })) }, null, 2));
  write("notes/2026/plan.txt", "Plan\n".repeat(200));
  write("photo.png", Buffer.from(makePng(120, 120, true), "base64"));
  write("paper.pdf", await makePdf(["The mill stood by the river.", "It was sold in 1911."]));
  write("memory.jsonl", people.map((one) => JSON.stringify(one)).join("\n"));
  write("drawing.drawio", drawing);
  write("angular.json", JSON.stringify(workspace));
  write("package.json", JSON.stringify({ name: "shop", private: true }));
  write("projects/shop/src/app.ts", component);
  copyFileSync(sourceFile, join(folder, "source.js"));
  return folder;
}

/** The servers, and the folder that they read. */
export async function realServers(): Promise<{
  readonly folder: string;
  readonly servers: readonly RealServer[];
}> {
  const folder = await writeFolder();
  const at = (name: string): string => join(folder, name);
  const servers: readonly RealServer[] = [
    {
      name: "server-everything",
      args: [entryOf("@modelcontextprotocol/server-everything"), "stdio"],
      calls: [
        ["echo", { message: "hi" }],
        ["echo", { message: "A longer message. ".repeat(80) }],
        ["get-sum", { a: 1, b: 2 }],
        ["get-structured-content", { location: "New York" }],
        ["get-annotated-message", { messageType: "error", includeImage: true }],
        ["get-annotated-message", { messageType: "success", includeImage: false }],
        ["get-annotated-message", { messageType: "debug", includeImage: true }],
        ["get-resource-links", { count: 3 }],
        ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
        ["get-resource-reference", { resourceType: "Blob", resourceId: 2 }],
        ["get-tiny-image", {}],
        ["get-env", {}],
        ["echo", {}],
        ["get-resource-reference", { resourceType: "Text", resourceId: -1 }],
        ["no-such-tool", {}],
      ],
    },
    {
      name: "server-filesystem",
      args: [entryOf("@modelcontextprotocol/server-filesystem"), folder],
      calls: [
        ["read_text_file", { path: at("short.md") }],
        ["read_text_file", { path: at("table.json") }],
        ["read_text_file", { path: at("source.js") }],
        ["read_text_file", { path: at("source.js"), head: 30 }],
        ["read_text_file", { path: at("source.js"), head: 250 }],
        ["read_media_file", { path: at("photo.png") }],
        ["read_multiple_files", { paths: [at("short.md"), at("notes/2026/plan.txt"), at("none.txt")] }],
        ["list_directory", { path: folder }],
        ["list_directory_with_sizes", { path: folder }],
        ["directory_tree", { path: folder }],
        ["search_files", { path: folder, pattern: "**/*.json" }],
        ["get_file_info", { path: at("short.md") }],
        ["list_allowed_directories", {}],
        ["read_text_file", { path: at("none.txt") }],
        ["read_text_file", { path: "/" }],
        ["read_text_file", {}],
      ],
    },
    {
      name: "server-memory",
      args: [entryOf("@modelcontextprotocol/server-memory")],
      env: { MEMORY_FILE_PATH: at("memory.jsonl") },
      calls: [
        ["read_graph", {}],
        ["search_nodes", { query: "Person 1" }],
        ["open_nodes", { names: ["Person 7"] }],
        ["open_nodes", { names: ["Nobody"] }],
        ["search_nodes", {}],
      ],
    },
    {
      name: "server-pdf",
      args: [entryOf("@modelcontextprotocol/server-pdf"), "--stdio", at("paper.pdf")],
      calls: [
        ["list_pdfs", {}],
        ["read_pdf_bytes", { url: at("paper.pdf") }],
        ["display_pdf", { url: at("paper.pdf") }],
        ["interact", { viewUUID: "none", action: "get_text", page: 1 }],
        ["read_pdf_bytes", { url: at("none.pdf") }],
      ],
    },
    {
      name: "@angular/cli",
      args: [fetchedFile("@angular/cli/bin/ng.js"), "mcp"],
      env: { NG_CLI_ANALYTICS: "false" },
      cwd: folder,
      isFetched: true,
      calls: [
        ["list_projects", {}],
        ["get_best_practices", {}],
        ["get_best_practices", { workspacePath: at("angular.json") }],
        ["get_best_practices", { workspacePath: at("none.json") }],
        ["ai_tutor", {}],
        ["onpush_zoneless_migration", { fileOrDirPath: at("projects/shop/src/app.ts") }],
        ["onpush_zoneless_migration", { fileOrDirPath: at("nowhere") }],
        ["onpush_zoneless_migration", {}],
      ],
    },
    {
      name: "@drawio/mcp",
      args: [fetchedFile("@drawio/mcp/src/index.js")],
      // Its shapes are on the web, which is not asked.
      env: { DRAWIO_SHAPE_INDEX_URL: "http://127.0.0.1:9/none" },
      isFetched: true,
      calls: [
        ["list_pages", { path: at("drawing.drawio") }],
        ["get_page", { path: at("drawing.drawio"), page: "Short" }],
        ["get_page", { path: at("drawing.drawio"), page: "Long" }],
        ["get_page", { path: at("drawing.drawio"), page: "9" }],
        ["get_page", { path: at("none.drawio"), page: "0" }],
        ["list_pages", { path: at("short.md") }],
        ["list_pages", {}],
        ["search_shapes", { query: "kubernetes pod" }],
      ],
    },
    {
      name: "mcp-json",
      args: [fetchedFile("mcp-json/dist/index.js")],
      cwd: folder,
      isFetched: true,
      calls: [
        ["find_json_files", { directory: folder }],
        ["read_json_file", { filePath: at("package.json") }],
        ["read_json_file", { filePath: at("table.json") }],
        ["analyze_json_file", { filePath: at("table.json") }],
        ["read_json_file", { filePath: fetchedFile(".package-lock.json") }],
        ["search_json_content", { searchTerm: "shop", directory: folder }],
        ["relate_json_files", { directory: folder, relationType: "common_keys" }],
        ["validate_json", { filePath: at("package.json"), schema: { type: "object" } }],
        [
          "validate_json",
          { filePath: at("package.json"), schema: { type: "object", required: ["version"] } },
        ],
        ["query_json", { filePath: at("table.json"), jsonPath: "$..name" }],
        ["read_json_file", { filePath: at("none.json") }],
        ["read_json_file", {}],
      ],
    },
  ];
  return { folder, servers };
}
