import { type CommandClient, PROMPT } from "../client.ts";

/**
 * With a model that it does not know, Codex offers every tool directly; known models find tools by search or by code. It
 * would also cut results of such a model at 3,000 tokens, so the limit is that of the models it knows.
 */
export const codex: CommandClient = {
  kind: "command",
  name: "codex",
  packages: { "@openai/codex": "0.166.0" },
  cutMark: /tokens truncated…/,
  bin: "codex",
  // Without `required` its first request does not wait for the server's tools.
  prepare({ command, args }, address, home) {
    const config = `
model = "lab"
model_provider = "lab"
check_for_update_on_startup = false
tool_output_token_limit = 10000
[analytics]
enabled = false
[model_providers.lab]
name = "lab"
base_url = "${address}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
[mcp_servers.lab]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
required = true
startup_timeout_sec = 30
`;
    return {
      args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT],
      env: { CODEX_HOME: home, LAB_KEY: "lab" },
      files: { "config.toml": config },
    };
  },
};
