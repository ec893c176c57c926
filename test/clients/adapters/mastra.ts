import { type Conversation, type LibraryClient, MOST_STEPS, PROMPT } from "../client.ts";

interface Door {
  readonly agent: {
    readonly Agent: new (options: object) => { generate(prompt: string, options: object): Promise<unknown> };
  };
  readonly mcp: {
    readonly MCPClient: new (options: object) => {
      listTools(): Promise<object>;
      disconnect(): Promise<void>;
    };
  };
}

export const mastra: LibraryClient<Door> = {
  kind: "library",
  name: "mastra",
  reader: "mastra",
  packages: { "@mastra/mcp": "2.0.0", "@mastra/core": "1.71.0" },
  modules: { agent: "@mastra/core/agent", mcp: "@mastra/mcp" },
  async open({ agent, mcp }, { command, args }): Promise<Conversation> {
    const client = new mcp.MCPClient({ servers: { lab: { command, args: [...args] } } });
    const tools = await client.listTools();
    return {
      ask: (address) => {
        const model = { id: "lab/lab", url: `${address}/v1`, apiKey: "lab" };
        const clerk = new agent.Agent({ id: "lab", name: "lab", instructions: "", model, tools });
        return clerk.generate(PROMPT, { maxSteps: MOST_STEPS });
      },
      close: () => client.disconnect(),
    };
  },
};
