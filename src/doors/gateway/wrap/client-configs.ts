import { readdirSync, statSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import type { Machine } from "../state-folder.ts";

/** A file in which a client keeps its servers for one user. */
export interface ClientConfig {
  /** The client's name for people. */
  readonly client: string;
  readonly path: string;
}

/** The name for a client that is not recognised by its file. */
export const UNKNOWN_CLIENT = "MCP client";

type Place = (machine: PlacedMachine) => readonly string[];

interface PlacedMachine {
  readonly join: (...parts: string[]) => string;
  readonly home: string;
  /** Where programs keep their settings: `~/.config`, `~/Library/Application Support` or `%APPDATA%`. */
  readonly settings: string;
  readonly machine: Machine;
}

/** VS Code and its variants by the same makers, by folder name. */
const codeFolders = ["Code", "Code - Insiders", "VSCodium"] as const;

/**
 * Where each client keeps its servers, according to its documentation and reports of users (2026-11). Files of a
 * project are not searched: they are shared with other people, for whom an absolute path would be wrong.
 */
const clients: readonly (readonly [client: string, places: Place])[] = [
  ["Claude Desktop", claudeDesktop],
  [
    "Claude Code",
    ({ join: at, home, machine }) => [at(machine.env["CLAUDE_CONFIG_DIR"] || home, ".claude.json")],
  ],
  ["Cursor", ({ join: at, home }) => [at(home, ".cursor", "mcp.json")]],
  ["VS Code", visualStudioCode],
  ["Windsurf", ({ join: at, home }) => [at(home, ".codeium", "windsurf", "mcp_config.json")]],
  [
    "Codex",
    ({ join: at, home, machine }) => [at(machine.env["CODEX_HOME"] || at(home, ".codex"), "config.toml")],
  ],
  ["Zed", zed],
  [
    "Copilot",
    ({ join: at, home, machine }) => [
      at(machine.env["COPILOT_HOME"] || at(home, ".copilot"), "mcp-config.json"),
    ],
  ],
];

function claudeDesktop({ join: at, settings, machine }: PlacedMachine): string[] {
  const name = "claude_desktop_config.json";
  const local = machine.env["LOCALAPPDATA"];
  // For a program installed from the store, Windows replaces %APPDATA% by a folder of its own.
  const packages =
    machine.platform === "win32" && local
      ? [
          ...foldersIn(at(local, "Packages"), /claude/i).map((each) =>
            at(each, "LocalCache", "Roaming", "Claude", name),
          ),
          ...foldersIn(at(local, "Claude-Data"), /^claude(_|$)/i).map((each) => at(each, name)),
        ]
      : [];
  return [at(settings, "Claude", name), ...packages];
}

function visualStudioCode({ join: at, settings }: PlacedMachine): string[] {
  return codeFolders.flatMap((folder) => {
    const user = at(settings, folder, "User");
    const profiles = foldersIn(at(user, "profiles"), /./).map((each) => at(each, "mcp.json"));
    return [at(user, "mcp.json"), ...profiles];
  });
}

function zed({ join: at, home, settings, machine }: PlacedMachine): string[] {
  // On macOS Zed uses the folder that is usual on Linux.
  const folder =
    machine.platform === "darwin"
      ? at(home, ".config", "zed")
      : at(settings, machine.platform === "win32" ? "Zed" : "zed");
  return [at(folder, "settings.json")];
}

function foldersIn(folder: string, name: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((each) => name.test(each))
      .sort()
      .map((each) => join(folder, each));
  } catch {
    return [];
  }
}

/** Every file in which a known client of this user would keep its servers. */
export function clientPlaces(machine: Machine): ClientConfig[] {
  const { home, platform, env } = machine;
  if (home === undefined) return [];
  const paths = platform === "win32" ? win32 : posix;
  const at = (...parts: string[]): string => paths.join(...parts);
  const settings = settingsFolder(platform, env, home, at);
  return clients.flatMap(([client, places]) =>
    places({ join: at, home, settings, machine }).map((path) => ({ client, path })),
  );
}

function settingsFolder(
  platform: NodeJS.Platform,
  env: Machine["env"],
  home: string,
  at: (...parts: string[]) => string,
): string {
  if (platform === "win32") return env["APPDATA"] || at(home, "AppData", "Roaming");
  if (platform === "darwin") return at(home, "Library", "Application Support");
  const named = env["XDG_CONFIG_HOME"];
  return named !== undefined && posix.isAbsolute(named) ? named : at(home, ".config");
}

/** The existing config files of this user's clients. */
export function findClientConfigs(machine: Machine): ClientConfig[] {
  return clientPlaces(machine).filter(({ path }) => {
    try {
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
}

/** Whether a file belongs to a project rather than to this user, so that other people may receive it. */
export function isProjectFile(path: string, machine: Machine): boolean {
  if (clientPlaces(machine).some((place) => place.path === path)) return false;
  return projectFiles.some(([pattern, , isShared]) => isShared && pattern.test(path.replaceAll("\\", "/")));
}

/** The client's name for a file that a person named, if the client is known. */
export function clientOf(path: string, machine: Machine): string {
  const known = clientPlaces(machine).find((place) => place.path === path);
  if (known !== undefined) return known.client;
  const [, client] = projectFiles.find(([pattern]) => pattern.test(path.replaceAll("\\", "/"))) ?? [];
  return client ?? UNKNOWN_CLIENT;
}

const projectFiles: readonly (readonly [pattern: RegExp, client: string, isShared: boolean])[] = [
  [/(^|\/)\.mcp\.json$/, "Claude Code", true],
  [/(^|\/)claude_desktop_config\.json$/, "Claude Desktop", false],
  [/(^|\/)\.cursor\/mcp\.json$/, "Cursor", true],
  [/(^|\/)\.vscode\/mcp\.json$/, "VS Code", true],
  [/(^|\/)\.codex\/config\.toml$/, "Codex", true],
  [/(^|\/)\.zed\/settings\.json$/, "Zed", true],
];
