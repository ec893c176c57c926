import { type CommandClient, PROMPT, type ServerCommand } from "../client.ts";

interface Mode {
  readonly name: string;
  readonly model: string;
  readonly row?: string;
  readonly title?: string;
}

/** How Codex offers tools depends on the model that it runs with: the model's own server never answers here. */
function codexWith({ name, model, row, title }: Mode): CommandClient {
  return {
    kind: "command",
    name,
    folder: "codex",
    ...(row !== undefined && { row }),
    ...(title !== undefined && { title }),
    packages: { "@openai/codex": "0.166.0" },
    cutMark: /tokens truncated…/,
    bin: "codex",
    prepare: ({ command, args }, address, home) => ({
      args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT],
      env: { CODEX_HOME: home, LAB_KEY: "lab" },
      files: { "config.toml": configOf({ command, args }, address, model) },
    }),
  };
}

// Without `required` its first request does not wait for the server's tools.
const configOf = ({ command, args }: ServerCommand, address: string, model: string): string => `
model = "${model}"
model_provider = "lab"
check_for_update_on_startup = false
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

/** A model that Codex does not know: it is offered every tool. */
export const codex = codexWith({ name: "codex", model: "lab", row: "codex-other-model" });

/** A model that is told of a search, and calls the tools that it found. */
export const codexSearch = codexWith({
  name: "codex-search",
  model: "gpt-5.5",
  row: "codex",
  title: "Codex with a search",
});

/** A model that writes scripts: they get whole results, and the model what they print. */
export const codexCode = codexWith({ name: "codex-code", model: "gpt-6-sol" });
