import { type CommandClient, PROMPT } from "../client.ts";

export const continueCli: CommandClient = {
  kind: "command",
  name: "continue",
  packages: { "@continuedev/cli": "1.5.47" },
  bin: "cn",
  prepare({ command, args }, address) {
    const model = {
      name: "lab",
      provider: "openai",
      model: "lab",
      apiBase: `${address}/v1`,
      apiKey: "lab",
      roles: ["chat"],
      capabilities: ["tool_use"],
    };
    // YAML takes JSON.
    const config = {
      name: "lab",
      version: "1.0.0",
      schema: "v1",
      models: [model],
      mcpServers: [{ name: "lab", command, args }],
    };
    return {
      args: ["--config", "config.yaml", "--auto", "-p", PROMPT],
      env: { CONTINUE_TELEMETRY_ENABLED: "0" },
      files: { "config.yaml": JSON.stringify(config) },
    };
  },
};
