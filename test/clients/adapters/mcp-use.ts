import { type Conversation, type LibraryClient, MOST_STEPS, PROMPT } from "../client.ts";

interface Door {
  readonly library: {
    readonly MCPClient: new (config: object) => { closeAllSessions(): Promise<void> };
    readonly MCPAgent: new (options: object) => { run(options: object): Promise<unknown> };
  };
  readonly openai: { readonly ChatOpenAI: new (options: object) => object };
}

export const mcpUse: LibraryClient<Door> = {
  kind: "library",
  name: "mcp-use",
  // The last version that has an agent.
  packages: {
    "mcp-use": "1.34.6",
    "@langchain/core": "1.2.13",
    "@langchain/langgraph": "1.4.14",
    "@langchain/openai": "1.6.0",
    langchain: "1.5.14",
  },
  modules: { library: "mcp-use", openai: "@langchain/openai" },
  open({ library, openai }, { command, args }): Promise<Conversation> {
    const client = new library.MCPClient({ mcpServers: { lab: { command, args: [...args] } } });
    return Promise.resolve({
      ask: (address) => {
        const configuration = { baseURL: `${address}/v1` };
        const llm = new openai.ChatOpenAI({ model: "lab", apiKey: "lab", maxRetries: 0, configuration });
        const agent = new library.MCPAgent({ llm, client, maxSteps: MOST_STEPS, memoryEnabled: false });
        return agent.run({ prompt: PROMPT });
      },
      close: () => client.closeAllSessions(),
    });
  },
};
