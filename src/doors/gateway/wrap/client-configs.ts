import { readdirSync, statSync, type Stats } from "node:fs";
import { join, posix, win32, basename, dirname } from "node:path";
import type { Machine } from "../state-folder.ts";
import { randomBytes } from "node:crypto";
import { chmod, chown, open, readFile, realpath, rename, stat, unlink } from "node:fs/promises";
import { decodeUtf8 } from "../../../core/json/decode-utf8.ts";

/** Larger files are refused. A client's config has a few KB; Claude Code's may hold a history of some MB. */
const MAX_CONFIG_FILE_BYTES = 64 * 1024 * 1024;

export interface ConfigFile {
  /** The path as it was given. */
  readonly path: string;
  /** The file itself if the path is a link. */
  readonly realPath: string;
  readonly bytes: Buffer;
  readonly text: string;
  readonly stats: Stats;
}

/** A config file cannot be read or written; the message is for people. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
  readonly kind: "absent" | "unreadable" | "unwritable" | "changed";

  constructor(kind: ConfigFileError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const realPath = await realpath(path);
    const stats = await stat(realPath);
    if (!stats.isFile()) throw new ConfigFileError("unreadable", "It is not a file.");
    if (stats.size > MAX_CONFIG_FILE_BYTES) {
      throw new ConfigFileError(
        "unreadable",
        `It is larger than ${MAX_CONFIG_FILE_BYTES / 1024 / 1024} MiB.`,
      );
    }
    const bytes = await readFile(realPath);
    const decoded = decodeUtf8(bytes);
    if (!decoded.ok) {
      const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
      throw new ConfigFileError(
        "unreadable",
        isWide ? "It is UTF-16: save it as UTF-8 first." : "It is not UTF-8.",
      );
    }
    return { path, realPath, bytes, text: decoded.text, stats };
  } catch (error) {
    throw error instanceof ConfigFileError ? error : explain(error, "unreadable");
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file.",
  ENOTDIR: "There is no such file.",
  EISDIR: "It is not a file.",
  ELOOP: "Its links lead back to themselves.",
  EACCES: "Permission is denied.",
  EPERM: "Permission is denied, or another program holds the file.",
  EBUSY: "Another program holds the file.",
  EROFS: "It is on a file system that cannot be written to.",
  ENOSPC: "The disk is full.",
};

function explain(error: unknown, kind: "unreadable" | "unwritable"): ConfigFileError {
  const { code } = error as NodeJS.ErrnoException;
  const isAbsent = kind === "unreadable" && (code === "ENOENT" || code === "ENOTDIR");
  const message = reasons[code ?? ""] ?? `The system says ${code ?? "that it failed"}.`;
  return new ConfigFileError(isAbsent ? "absent" : kind, message, { cause: error });
}

/** Refuses a file that a person protected, since a rename would bypass that protection. */
function refuseProtected({ stats }: ConfigFile): void {
  if ((stats.mode & 0o222) === 0) {
    throw new ConfigFileError(
      "unwritable",
      "It is read-only. If a program makes it, change it there; else make it writable.",
    );
  }
  if (stats.nlink > 1) {
    throw new ConfigFileError(
      "unwritable",
      "It has more than one name (hard links), of which only one would be changed.",
    );
  }
}

/**
 * Replaces the content that was read: written beside the file, with the same mode and owner, then renamed, so that no
 * program ever reads half of it. Refused if the file has changed since it was read.
 */
export async function replaceConfigFile(file: ConfigFile, bytes: Uint8Array): Promise<void> {
  refuseProtected(file);
  const { realPath, stats } = file;
  const temporary = join(dirname(realPath), `.${basename(realPath)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeNew(temporary, bytes, stats);
    await refuseChanged(file);
    await rename(temporary, realPath);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error instanceof ConfigFileError ? error : explain(error, "unwritable");
  }
}

async function writeNew(path: string, bytes: Uint8Array, { mode, uid, gid }: Stats): Promise<void> {
  // 0600 until the owner is set: the file may hold secrets.
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (process.getuid?.() === 0) await chown(path, uid, gid);
  await chmod(path, mode & 0o7777);
}

async function refuseChanged({ path, realPath, bytes }: ConfigFile): Promise<void> {
  const message = "It was changed by another program in the meantime, so nothing was written. Try again.";
  const isSame = (await realpath(path)) === realPath && (await readFile(realPath)).equals(bytes);
  if (!isSame) throw new ConfigFileError("changed", message);
}

/** A file in which a client keeps its servers for one user. */
export interface ClientConfig {
  /** The client's name for people. */
  readonly client: string;
  readonly path: string;
}

/** The name for a client that is not recognised by its file. */
export const UNKNOWN_CLIENT = "MCP client";

type Place = (machine: PlacedMachine) => readonly string[];
type Places = readonly (readonly [client: string, places: Place])[];

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
const clients = [
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
  ["Copilot for JetBrains", copilotForJetBrains],
  ["Junie", ({ join: at, home }) => [at(home, ".junie", "mcp", "mcp.json")]],
  ["Gemini CLI", ({ join: at, home }) => [at(home, ".gemini", "settings.json")]],
  ["Qwen Code", ({ join: at, home }) => [at(home, ".qwen", "settings.json")]],
  ["opencode", openCode],
  [
    "Cline",
    (placed) => [
      placed.join(placed.home, ".cline", "data", "settings", "cline_mcp_settings.json"),
      ...extensionFiles(placed, "saoudrizwan.claude-dev", "cline_mcp_settings.json"),
    ],
  ],
  ["Roo Code", (placed) => extensionFiles(placed, "rooveterinaryinc.roo-cline", "mcp_settings.json")],
  [
    "LM Studio",
    // Where it was first installed before it had a folder of its own, it keeps the older place.
    ({ join: at, home }) => [at(home, ".lmstudio", "mcp.json"), at(home, ".cache", "lm-studio", "mcp.json")],
  ],
  [
    "Amp",
    ({ join: at, home }) =>
      ["settings.json", "settings.jsonc"].map((name) => at(home, ".config", "amp", name)),
  ],
  ["Continue", ({ join: at, home }) => jsonFilesIn(at(home, ".continue", "mcpServers"))],
] as const satisfies Places;

/** Clients whose file is YAML, which is not rewritten. */
const yamlClients = [
  ["Continue", ({ join: at, home }) => [at(home, ".continue", "config.yaml")]],
  [
    "Goose",
    ({ join: at, home, settings, machine }) =>
      machine.platform === "win32"
        ? [at(settings, "Block", "goose", "config", "config.yaml")]
        : [at(home, ".config", "goose", "config.yaml")],
  ],
] as const satisfies Places;

/** A client whose files are known. */
export type ClientName = (typeof clients | typeof yamlClients)[number][0];

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

/** The file of an extension of VS Code. */
function extensionFiles({ join: at, settings }: PlacedMachine, extension: string, name: string): string[] {
  return codeFolders.map((folder) =>
    at(settings, folder, "User", "globalStorage", extension, "settings", name),
  );
}

function copilotForJetBrains({ join: at, home, machine }: PlacedMachine): string[] {
  const local = machine.env["LOCALAPPDATA"] || at(home, "AppData", "Local");
  const folder = machine.platform === "win32" ? local : at(home, ".config");
  return [at(folder, "github-copilot", "intellij", "mcp.json")];
}

/** On every platform opencode uses the folder that is usual on Linux. */
function openCode({ join: at, home, machine }: PlacedMachine): string[] {
  const folder = machine.env["XDG_CONFIG_HOME"] || at(home, ".config");
  return ["opencode.json", "opencode.jsonc"].map((name) => at(folder, "opencode", name));
}

/** Continue reads every JSON file of a folder. */
function jsonFilesIn(folder: string): string[] {
  return foldersIn(folder, /\.json$/i);
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
  return placesOf(clients, machine);
}

function placesOf(known: Places, machine: Machine): ClientConfig[] {
  const { home, platform, env } = machine;
  if (home === undefined) return [];
  const paths = platform === "win32" ? win32 : posix;
  const at = (...parts: string[]): string => paths.join(...parts);
  const settings = settingsFolder(platform, env, home, at);
  return known.flatMap(([client, places]) =>
    places({ join: at, home, settings, machine }).map((path) => ({ client, path })),
  );
}

/** The file of each client to which a server is added by hand; of several the usual one. */
export function usualFiles(machine: Machine): ReadonlyMap<string, string> {
  // Continue reads both, and its YAML is always there.
  const places = [...placesOf(yamlClients, machine), ...placesOf(clients, machine)];
  return new Map(places.toReversed().map(({ client, path }) => [client, path]));
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
  return clientPlaces(machine).filter(isThere);
}

/** The existing config files of this user's clients that must be changed by hand. */
export function findYamlConfigs(machine: Machine): ClientConfig[] {
  return placesOf(yamlClients, machine).filter(isThere);
}

function isThere({ path }: ClientConfig): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
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
  [/(^|\/)\.gemini\/settings\.json$/, "Gemini CLI", true],
  [/(^|\/)\.qwen\/settings\.json$/, "Qwen Code", true],
  [/(^|\/)opencode\.jsonc?$/, "opencode", true],
  [/(^|\/)\.roo\/mcp\.json$/, "Roo Code", true],
  [/(^|\/)\.junie\/mcp\/mcp\.json$/, "Junie", true],
  [/(^|\/)\.amp\/settings\.jsonc?$/, "Amp", true],
];
