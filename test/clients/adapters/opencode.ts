import { type CommandClient, PROMPT } from "../client.ts";

export const opencode: CommandClient = {
  kind: "command",
  name: "opencode",
  packages: { "opencode-ai": "1.18.33" },
  needsScripts: true,
  cutMark: /bytes truncated\.\.\.|lines truncated\.\.\./,
  bin: "opencode",
  prepare({ command, args }, address) {
    // Of a model that it does not know it takes for granted that it reads text alone.
    const seesPictures = { input: ["text", "image"], output: ["text"] };
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${address}/v1`, apiKey: "lab" },
      models: { lab: { tool_call: true, attachment: true, modalities: seesPictures } },
    };
    const config = {
      model: "lab/lab",
      autoupdate: false,
      share: "disabled",
      permission: "allow",
      provider: { lab: provider },
      mcp: { lab: { type: "local", command: [command, ...args] } },
    };
    return { args: ["run", PROMPT], files: { "opencode.json": JSON.stringify(config) } };
  },
};
