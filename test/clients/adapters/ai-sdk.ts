import { type Conversation, type LibraryClient, MOST_STEPS, PROMPT, type ServerCommand } from "../client.ts";

/** What is used of `ai`, `@ai-sdk/mcp` and the provider; they are not installed where types are checked. */
interface Door {
  readonly ai: {
    generateText(options: object): Promise<unknown>;
    stepCountIs(count: number): unknown;
  };
  readonly mcp: {
    createMCPClient(options: object): Promise<{ tools(): Promise<object>; close(): Promise<void> }>;
  };
  readonly stdio: { readonly StdioMCPTransport: new (server: ServerCommand) => object };
  readonly provider: {
    createOpenAICompatible(options: object): { chatModel(name: string): unknown };
  };
}

export const aiSdk: LibraryClient<Door> = {
  kind: "library",
  name: "ai-sdk",
  packages: { ai: "7.0.169", "@ai-sdk/mcp": "2.0.96", "@ai-sdk/openai-compatible": "3.0.92" },
  modules: {
    ai: "ai",
    mcp: "@ai-sdk/mcp",
    stdio: "@ai-sdk/mcp/mcp-stdio",
    provider: "@ai-sdk/openai-compatible",
  },
  async open({ ai, mcp, stdio, provider }, server): Promise<Conversation> {
    const client = await mcp.createMCPClient({ transport: new stdio.StdioMCPTransport(server) });
    const tools = await client.tools();
    return {
      ask: (address) =>
        ai.generateText({
          model: provider.createOpenAICompatible({ name: "lab", baseURL: `${address}/v1` }).chatModel("lab"),
          tools,
          stopWhen: ai.stepCountIs(MOST_STEPS),
          maxRetries: 0,
          prompt: PROMPT,
        }),
      close: () => client.close(),
    };
  },
};
