import { type CommandClient, PROMPT } from "../client.ts";

export const geminiCli: CommandClient = {
  kind: "command",
  name: "gemini-cli",
  packages: { "@google/gemini-cli": "0.61.0" },
  cutMark: /Output too large\. Showing first/,
  bin: "gemini",
  prepare({ command, args }, address) {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      mcpServers: { lab: { command, args, trust: true } },
    };
    return {
      args: ["-m", "gemini-2.5-flash", "--yolo", "-p", PROMPT],
      env: {
        GEMINI_API_KEY: "lab",
        GOOGLE_GEMINI_BASE_URL: address,
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      },
      files: { ".gemini/settings.json": JSON.stringify(settings) },
    };
  },
};
