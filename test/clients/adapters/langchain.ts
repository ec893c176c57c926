import { type Conversation, type LibraryClient, MOST_STEPS, PROMPT } from "../client.ts";

interface Door {
  readonly adapters: {
    readonly MultiServerMCPClient: new (options: object) => {
      getTools(): Promise<readonly object[]>;
      close(): Promise<void>;
    };
  };
  readonly openai: { readonly ChatOpenAI: new (options: object) => object };
  readonly langchain: {
    createAgent(options: object): { invoke(input: object, options: object): Promise<unknown> };
  };
}

export const langchain: LibraryClient<Door> = {
  kind: "library",
  name: "langchain",
  packages: {
    "@langchain/mcp-adapters": "1.1.4",
    "@langchain/core": "1.2.13",
    "@langchain/langgraph": "1.4.14",
    "@langchain/openai": "1.6.0",
    langchain: "1.5.14",
  },
  modules: { adapters: "@langchain/mcp-adapters", openai: "@langchain/openai", langchain: "langchain" },
  async open({ adapters, openai, langchain: library }, { command, args }): Promise<Conversation> {
    const client = new adapters.MultiServerMCPClient({
      mcpServers: { lab: { transport: "stdio", command, args: [...args] } },
    });
    const tools = await client.getTools();
    return {
      ask: (address) => {
        const configuration = { baseURL: `${address}/v1` };
        const model = new openai.ChatOpenAI({ model: "lab", apiKey: "lab", maxRetries: 0, configuration });
        const messages = [{ role: "user", content: PROMPT }];
        return library.createAgent({ model, tools }).invoke({ messages }, { recursionLimit: 3 * MOST_STEPS });
      },
      close: () => client.close(),
    };
  },
};
