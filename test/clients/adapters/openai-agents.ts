import { type Conversation, type LibraryClient, MOST_STEPS, PROMPT } from "../client.ts";

interface Door {
  readonly agents: {
    readonly Agent: new (options: object) => object;
    readonly MCPServerStdio: new (options: object) => { connect(): Promise<void>; close(): Promise<void> };
    readonly OpenAIProvider: new (options: object) => object;
    readonly Runner: new (options: object) => {
      run(agent: object, prompt: string, options: object): Promise<unknown>;
    };
    setTracingDisabled(isDisabled: boolean): void;
  };
}

export const openaiAgents: LibraryClient<Door> = {
  kind: "library",
  name: "openai-agents",
  reader: "openai-agents",
  // Later versions want Node 22.
  packages: { "@openai/agents": "0.12.0", zod: "4.6.7" },
  modules: { agents: "@openai/agents" },
  async open({ agents }, { command, args }): Promise<Conversation> {
    const server = new agents.MCPServerStdio({ name: "lab", command, args: [...args] });
    await server.connect();
    agents.setTracingDisabled(true);
    const agent = new agents.Agent({ name: "lab", model: "lab", mcpServers: [server] });
    return {
      ask: (address) => {
        const modelProvider = new agents.OpenAIProvider({ baseURL: `${address}/v1`, apiKey: "lab" });
        return new agents.Runner({ modelProvider }).run(agent, PROMPT, { maxTurns: MOST_STEPS });
      },
      close: () => server.close(),
    };
  },
};
