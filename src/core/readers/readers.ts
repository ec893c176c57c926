// The known readers, one row a client: what its model was given when the client was run, or what its source says.
// `npm run clients` runs the open ones and compares.

import type { Reader } from "./reader.ts";

type Row = Pick<Reader, "id" | "name" | "success" | "known"> & Partial<Reader>;

function row(reader: Row): Reader {
  return {
    failure: reader.success,
    showsBareStructure: true,
    limits: [],
    drops: [],
    asText: [],
    pictures: "any",
    failsOn: [],
    joins: "apart",
    showsMeta: "never",
    hidesBrokenFailures: false,
    hidesBrokenSuccesses: reader.hidesBrokenFailures === true,
    ...reader,
  };
}

const READ = "2026-11-16";

const run = (version: string): Reader["known"] => ({
  on: "2026-11-18",
  by: "run",
  version,
  where: "test/clients",
});

/** A client that is not in this table: each of its channels must be complete. */
export const unknownReader = row({
  id: "unknown",
  name: "any other client",
  success: "either",
  showsBareStructure: false,
  // As the SDKs do, with which most clients are made.
  hidesBrokenSuccesses: true,
  known: { on: READ, by: "report", where: "what the protocol allows" },
});

/** Code that reads results itself: code mode, workflows. Nothing is cut or folded for it. */
export const programReader = row({
  id: "program",
  name: "a program",
  success: "whole",
  known: { on: READ, by: "report", where: "chosen by the setting reader" },
});

// Which clients show output schemas: of those that were run, only Codex has them in what its model reads, as types of its
// scripts. The interfaces of Claude and VS Code for tools have no place for one; Goose writes types for scripts too.

export const readers: readonly Reader[] = [
  row({
    id: "claude-code",
    name: "Claude Code",
    match: /^claude[-_ ]?code/,
    success: "structure",
    failure: "blocks",
    limits: [
      { most: 25_000, unit: "tokens", of: "result", keeps: "a file" },
      { most: 50_000, unit: "characters", of: "result", keeps: "a file" },
      // "About 11,000" is reported. Ids in a cut are counted by the limit of successes, so there is room for them.
      {
        most: 10_000,
        unit: "characters",
        of: "result",
        keeps: "beginning and end",
        onlyFailures: true,
        taken: 256,
      },
    ],
    pictures: "claude",
    ignoresOutputSchemas: true,
    known: { on: "2026-10-05", by: "report", version: "2.1.280", where: "its documentation" },
  }),
  // With models that call tools themselves.
  row({
    id: "codex",
    name: "Codex",
    match: /^codex/,
    success: "structure",
    limits: [
      { most: 10_000, unit: "tokens", of: "result", keeps: "beginning and end" },
      { most: 40_000, unit: "bytes", of: "result", keeps: "beginning and end", taken: 64 },
    ],
    drops: ["audio"],
    pictures: "openai",
    known: run("0.166.0"),
  }),
  // With a model that Codex does not know it shows 12,000 bytes. It names the model with each call.
  row({
    id: "codex-other-model",
    name: "Codex with a model of others",
    isByModel: true,
    success: "structure",
    limits: [{ most: 12_000, unit: "bytes", of: "result", keeps: "beginning and end", taken: 64 }],
    drops: ["audio"],
    known: run("0.166.0"),
  }),
  // With models that write scripts. A script gets the result whole, and its model what the script prints: of the first
  // call, whose result it does not know, most likely all. A print is cut at 40,000 bytes; pictures are handed on.
  row({
    id: "codex-code",
    name: "Codex with scripts",
    isByModel: true,
    success: "whole",
    limits: [{ most: 40_000, unit: "bytes", of: "result", keeps: "beginning and end", taken: 64 }],
    drops: ["audio"],
    pictures: "openai",
    known: run("0.166.0"),
  }),
  row({
    id: "vs-code",
    name: "VS Code",
    // The long name of the product: mcpServerRequestHandler.ts; builds of others have names of their own.
    match: /^visual studio code\b/,
    success: "structure",
    ignoresOutputSchemas: true,
    known: { on: READ, by: "source", where: "mcpLanguageModelToolContribution.ts" },
  }),
  row({
    id: "gemini-cli",
    name: "Gemini CLI",
    match: /^gemini-cli/,
    success: "blocks",
    failure: "whole",
    copiesJson: true,
    showsBareStructure: false,
    limits: [
      {
        most: 40_000,
        unit: "characters",
        of: "result",
        keeps: "beginning and end",
        // `<untrusted_context>`, its end, and two line ends.
        takenByText: 41,
        sparesFailures: true,
      },
    ],
    drops: ["audio"],
    hidesUris: true,
    joins: "\n",
    showsMeta: "failures",
    hidesBrokenFailures: true,
    pictures: "gemini",
    ignoresOutputSchemas: true,
    known: run("0.61.0"),
  }),
  row({
    id: "qwen-code",
    name: "Qwen Code",
    match: /^qwen-(?:cli|code)/,
    success: "both",
    failure: "whole",
    repeatsFailures: true,
    showsMirrorOnce: true,
    // A failure has the call's arguments in front.
    limits: [{ most: 25_000, unit: "characters", of: "result", keeps: "a file", taken: 512 }],
    drops: ["audio"],
    hidesUris: true,
    joins: "\n",
    showsMeta: "failures",
    ignoresOutputSchemas: true,
    known: run("0.24.4"),
  }),
  row({
    id: "cline",
    name: "Cline",
    match: /^(?:@cline\/|cline\b)/,
    success: "whole",
    limits: [{ most: 8_000, unit: "characters", of: "result", keeps: "beginning and end" }],
    showsMeta: "always",
    asText: ["image", "audio"],
    ignoresOutputSchemas: true,
    known: run("3.0.65"),
  }),
  row({
    id: "opencode",
    name: "opencode",
    match: /^opencode/,
    success: "blocks",
    limits: [
      { most: 51_200, unit: "bytes", of: "result", keeps: "whole lines", sparesFailures: true },
      { most: 2_000, unit: "lines", of: "result", keeps: "whole lines", sparesFailures: true },
    ],
    drops: ["resource_link", "audio"],
    hidesUris: true,
    joins: "\n\n",
    hidesBrokenFailures: true,
    ignoresOutputSchemas: true,
    known: run("1.18.33"),
  }),
  row({
    id: "continue",
    name: "Continue",
    match: /^continue[-_ ]/,
    success: "blocks",
    showsBareStructure: false,
    hidesBrokenFailures: true,
    asText: ["image", "audio"],
    ignoresOutputSchemas: true,
    known: run("1.5.47"),
  }),
  row({
    id: "ai-sdk",
    name: "AI SDK",
    match: /^ai-sdk-mcp-client/,
    success: "blocks",
    showsBareStructure: false,
    asText: ["audio"],
    ignoresOutputSchemas: true,
    known: run("7.0.169"),
  }),
  // Like Mastra and Pydantic AI, it carries the name that its application gives.
  row({
    id: "openai-agents",
    name: "OpenAI Agents",
    success: "blocks",
    showsBareStructure: false,
    joins: "",
    hidesBrokenFailures: true,
    ignoresOutputSchemas: true,
    known: run("0.12.0"),
    asText: ["audio"],
    pictures: "openai",
  }),
  row({
    id: "langchain",
    name: "LangChain adapters",
    match: /^@langchain\/mcp-adapters/,
    success: "both-for-one-text",
    failure: "blocks",
    showsBareStructure: false,
    drops: ["resource"],
    sounds: "any",
    failsOn: ["resource_link"],
    showsMeta: "always",
    hidesBrokenFailures: true,
    ignoresOutputSchemas: true,
    known: run("1.1.4"),
  }),
  row({
    id: "mastra",
    name: "Mastra",
    success: "structure-if-untyped",
    failure: "blocks",
    showsMeta: "always",
    hidesBrokenSuccesses: true,
    asText: ["image", "audio"],
    known: run("2.0.0"),
  }),
  row({
    id: "mcp-use",
    name: "mcp-use",
    match: /^mcp-use/,
    success: "whole",
    showsMeta: "always",
    hidesBrokenFailures: true,
    asText: ["image", "audio"],
    ignoresOutputSchemas: true,
    known: run("1.34.6"),
  }),
  row({
    id: "copilot-cli",
    name: "Copilot CLI",
    match: /^(?:github[-_ ])?copilot[-_ ]?cli/,
    success: "both",
    limits: [{ most: 10_000, unit: "bytes", of: "result", keeps: "the beginning" }],
    known: { on: READ, by: "report", where: "github.com/github/copilot-cli, issue 4515" },
  }),
  row({
    id: "copilot-jetbrains",
    name: "Copilot for JetBrains",
    match: /^(?:github[-_ ])?copilot.*(?:intellij|jetbrains)/,
    success: "both",
    known: { on: READ, by: "report", where: "github.com/microsoft/copilot-intellij-feedback, issue 2058" },
  }),
  row({
    id: "chatgpt",
    name: "ChatGPT",
    match: /^(?:chatgpt|openai[-_ ]?mcp)/,
    success: "both",
    pictures: "openai",
    known: { on: READ, by: "report", where: "its documentation for apps" },
  }),
  row({
    id: "deepagents",
    name: "deepagents",
    match: /^deepagents/,
    success: "blocks",
    limits: [{ most: 20_000, unit: "tokens", of: "result", keeps: "a file" }],
    ignoresOutputSchemas: true,
    known: { on: READ, by: "source", where: "its filesystem middleware" },
  }),
  row({
    id: "pi",
    name: "pi",
    match: /^pi(?:[-_ ]mcp)/,
    success: "structure",
    limits: [
      { most: 51_200, unit: "bytes", of: "result", keeps: "whole lines" },
      { most: 2_000, unit: "lines", of: "result", keeps: "whole lines" },
    ],
    known: { on: READ, by: "source", where: "its tool for MCP servers" },
  }),
  row({
    id: "zed",
    name: "Zed",
    match: /^zed$/,
    success: "blocks",
    showsBareStructure: false,
    drops: ["image", "audio", "resource"],
    joins: "",
    ignoresOutputSchemas: true,
    known: { on: READ, by: "source", where: "context_server_registry.rs; its name: context_server.rs" },
  }),
  row({
    id: "goose",
    name: "Goose",
    match: /^goose(?:-(?:cli|desktop))?$/,
    success: "blocks",
    limits: [{ most: 200_000, unit: "characters", of: "text", keeps: "a file" }],
    known: { on: READ, by: "source", where: "large_response_handler.rs; its name: agent.rs" },
  }),
  row({
    id: "roo-code",
    name: "Roo Code",
    match: /^roo[-_ ]?code/,
    success: "blocks",
    showsBareStructure: false,
    drops: ["resource_link"],
    ignoresOutputSchemas: true,
    known: { on: READ, by: "source", where: "UseMcpToolTool.ts" },
  }),
  row({
    id: "pydantic-ai",
    name: "Pydantic AI",
    success: "structure-for-texts",
    failure: "structure",
    known: { on: READ, by: "source", where: "pydantic_ai/mcp.py" },
  }),
  // Its reader of lines refuses a longer one, and with it the connection. What it shows is not known.
  row({
    ...unknownReader,
    id: "python-lines",
    name: "a Python program that reads lines with asyncio's default limit",
    // The frame, an id, and in `_meta` the hashes of what was cut.
    limits: [{ most: 65_536, unit: "bytes", of: "line", keeps: "nothing", taken: 1_024 }],
    known: { on: "2026-11-18", by: "run", version: "3.11.7", where: "test/journeys/python-lines.test.ts" },
  }),
];

/** The row of a client that gives itself this name. */
export function readerNamed(clientName: string | undefined): Reader | undefined {
  const lower = clientName?.toLowerCase();
  return lower === undefined ? undefined : readers.find(({ match }) => match?.test(lower) === true);
}

/** What the setting `reader` takes: `auto` recognises the client by its name. */
export const readerChoices: readonly [string, ...string[]] = [
  "auto",
  programReader.id,
  unknownReader.id,
  ...readers.map(({ id }) => id),
];

/** The row that the setting names; undefined if the client's own name decides. */
export function readerChosen(choice: string): Reader | undefined {
  return [programReader, unknownReader, ...readers].find(({ id }) => id === choice);
}
