import { type CommandClient, PROMPT } from "../client.ts";

export const cline: CommandClient = {
  kind: "command",
  name: "cline",
  packages: { cline: "3.0.65" },
  cutMark: /\[truncated \d+ chars\]/,
  bin: "cline",
  prepare({ command, args }, address) {
    const settings = {
      provider: "openai-compatible",
      apiKey: "lab",
      model: "lab",
      baseUrl: `${address}/v1`,
    };
    const providers = {
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
      },
    };
    return {
      args: ["--json", "-P", "openai-compatible", "--compaction", "off", PROMPT],
      files: {
        ".cline/data/settings/providers.json": JSON.stringify(providers),
        ".cline/data/settings/cline_mcp_settings.json": JSON.stringify({
          mcpServers: { lab: { command, args } },
        }),
      },
    };
  },
  // Its daemon outlives it, on a port of its own.
  isAlone: true,
  afterwards: ["hub", "stop"],
};
