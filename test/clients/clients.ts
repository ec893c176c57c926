// Every client that the laboratory runs. All are open source.

import { aiSdk } from "./adapters/ai-sdk.ts";
import { langchain } from "./adapters/langchain.ts";
import { openaiAgents } from "./adapters/openai-agents.ts";
import type { LabClient } from "./client.ts";

export const clients: readonly LabClient[] = [aiSdk, langchain, openaiAgents];
