// Every client that the laboratory runs. All are open source.

import { aiSdk } from "./adapters/ai-sdk.ts";
import { cline } from "./adapters/cline.ts";
import { codex, codexCode, codexSearch } from "./adapters/codex.ts";
import { continueCli } from "./adapters/continue.ts";
import { geminiCli } from "./adapters/gemini-cli.ts";
import { langchain } from "./adapters/langchain.ts";
import { mastra } from "./adapters/mastra.ts";
import { mcpUse } from "./adapters/mcp-use.ts";
import { openaiAgents } from "./adapters/openai-agents.ts";
import { opencode } from "./adapters/opencode.ts";
import { qwenCode } from "./adapters/qwen-code.ts";
import type { LabClient } from "./client.ts";

export const clients: readonly LabClient[] = [
  aiSdk,
  langchain,
  openaiAgents,
  mcpUse,
  mastra,
  codex,
  codexSearch,
  codexCode,
  geminiCli,
  qwenCode,
  opencode,
  cline,
  continueCli,
];
