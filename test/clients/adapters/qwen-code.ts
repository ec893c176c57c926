import { type CommandClient, PROMPT } from "../client.ts";

export const qwenCode: CommandClient = {
  kind: "command",
  name: "qwen-code",
  packages: { "@qwen-code/qwen-code": "0.24.4" },
  cutMark: /<persisted-output>/,
  bin: "qwen",
  prepare({ command, args }, address) {
    const settings = {
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      mcpServers: { lab: { command, args, trust: true } },
    };
    // A model that it knows to see pictures: of others it says that there is one.
    return {
      args: ["--auth-type", "openai", "-m", "qwen3-vl-plus", "--yolo", "-p", PROMPT],
      env: { OPENAI_API_KEY: "lab", OPENAI_BASE_URL: `${address}/v1` },
      files: { ".qwen/settings.json": JSON.stringify(settings) },
    };
  },
};
