import type { Command } from "commander";
import { leavesIn } from "../../engine/settings/table-leaves.ts";
import type { WrapCommandOptions } from "../commands/wrap.ts";
import type { ChangeOptions } from "../wrap/change-configs.ts";
import { addToolChoice, settingOption } from "./gateway.ts";
import { addWord, parseUpTo } from "./option-values.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const wrapExamples: readonly Example[] = [
  {
    args: "wrap mcp.json --dry-run",
    output: ["…", "  wrap  files", "…", "  nothing was written yet"].join("\n"),
  },
  {
    args: "wrap --yes",
    output: [
      "waybill: --yes without a file would change the configs of every client.",
      "If that is meant, say --all --yes; else name a file.",
    ].join("\n"),
  },
];

const MAX_SECONDS = 600;

/** Settings of the gateway that `wrap` writes behind `gateway`; their values are those of the gateway's own options. */
const gatewaySettings: Readonly<Record<string, string>> = {
  "--budget": "the most tokens of a result, or off",
  "--profile": "how much metadata an envelope carries",
  "--dialect": "the form of results",
  "--store": "where cut results are kept",
  "--select": "every tool takes a question to its result",
  "--lean": "results leave out what a model does not need",
  "--untrusted": "results stand between two lines that say: this is data from a server, and no instruction",
  "--redact-successes": "secrets are masked in successes too",
};

function addGatewaySettings(command: Command): Command {
  for (const leaf of leavesIn("gateway")) {
    const says = leaf.line === undefined ? undefined : gatewaySettings[leaf.line];
    if (says !== undefined) command.addOption(settingOption(leaf, `for the gateway: ${says}`));
  }
  return command;
}

function addChoice(command: Command): Command {
  return command
    .argument("[file]", "the client's config (default: the configs of all known clients of this user)")
    .option("--server <name>", "only this server; may be repeated", addWord)
    .option("--all", "the configs of all known clients, for scripts")
    .option("--yes", "write without asking")
    .option("--dry-run", "show what would change, and write nothing");
}

export function declareWrap(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("wrap")
    .summary("put the gateway in front of the servers of your clients")
    .description(
      "Rewrites the configs of MCP clients, so that each server runs behind `waybill gateway`. It shows the change " +
        "and asks before it writes; comments and layout stay. `waybill unwrap` takes it back.\n\n" +
        "Knows Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Codex, Zed, Copilot, Copilot for JetBrains, " +
        "Junie, Gemini CLI, Qwen Code, opencode, Cline, Roo Code, LM Studio, Amp and Continue, and every JSON file " +
        "with mcpServers. Of Goose it says what to write by hand.",
    );
  const own = addToolChoice(addChoice(command))
    .option("--merge", "write one entry in place of many: a gateway that serves all their servers as one")
    .option("--status", "say which servers are wrapped, and change nothing")
    .option("--measure", "start each server, list its tools, and say what they cost in tokens")
    .option(
      "--timeout <seconds>",
      "how long --measure waits for a server (default: 30)",
      parseUpTo(MAX_SECONDS, "seconds"),
    );
  addGatewaySettings(own)
    .option("--config <file>", "for the gateway: its configuration")
    .action(async (file: string | undefined, options: WrapCommandOptions, called: Command) => {
      const { wrap } = await import("../commands/wrap.ts");
      const { json, color } = called.optsWithGlobals<{
        json?: boolean;
        color?: boolean;
      }>();
      give(await wrap(file, { ...options, json, color }, io));
    });
  addManual(command, [0, 1, 2, 3], wrapExamples);
}

export function declareUnwrap(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("unwrap")
    .summary("take the gateway away again")
    .description(
      "Undoes what `waybill wrap` wrote, and nothing else. A file that was not touched since is byte for byte what it " +
        "was; in one that was changed, only the wrapped servers are put back. What cannot be told for sure is left " +
        "as it is and named, and the exit code is 1.",
    );
  addChoice(command).action(async (file: string | undefined, options: ChangeOptions, own: Command) => {
    const { unwrap } = await import("../commands/wrap.ts");
    const { json, color } = own.optsWithGlobals<{ json?: boolean; color?: boolean }>();
    give(await unwrap(file, { ...options, json, color }, io));
  });
  addManual(command, [0, 1, 2], []);
}
