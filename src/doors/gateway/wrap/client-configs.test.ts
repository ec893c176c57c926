import { describe, expect, it } from "vitest";
import { clientOf, clientPlaces } from "./client-configs.ts";
import { wrapFolder } from "../state-folder.ts";

const pathsOf = (
  platform: NodeJS.Platform,
  home: string,
  env: Record<string, string> = {},
): Record<string, string> =>
  Object.fromEntries(
    clientPlaces({ platform, home, env })
      .map(({ client, path }) => [client, path])
      .reverse(),
  );

describe("where clients keep their servers", () => {
  it("is known for macOS", () => {
    expect(pathsOf("darwin", "/Users/ada")).toEqual({
      "Claude Desktop": "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json",
      "Claude Code": "/Users/ada/.claude.json",
      Cursor: "/Users/ada/.cursor/mcp.json",
      "VS Code": "/Users/ada/Library/Application Support/Code/User/mcp.json",
      Windsurf: "/Users/ada/.codeium/windsurf/mcp_config.json",
      Codex: "/Users/ada/.codex/config.toml",
      Zed: "/Users/ada/.config/zed/settings.json",
      Copilot: "/Users/ada/.copilot/mcp-config.json",
      "Copilot for JetBrains": "/Users/ada/.config/github-copilot/intellij/mcp.json",
      Junie: "/Users/ada/.junie/mcp/mcp.json",
      "Gemini CLI": "/Users/ada/.gemini/settings.json",
      "Qwen Code": "/Users/ada/.qwen/settings.json",
      opencode: "/Users/ada/.config/opencode/opencode.json",
      Cline: "/Users/ada/.cline/data/settings/cline_mcp_settings.json",
      "Roo Code":
        "/Users/ada/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
      "LM Studio": "/Users/ada/.lmstudio/mcp.json",
      Amp: "/Users/ada/.config/amp/settings.json",
    });
  });

  it("is known for Linux, with the folders that variables name", () => {
    const env = {
      XDG_CONFIG_HOME: "/cfg",
      CODEX_HOME: "/codex",
      CLAUDE_CONFIG_DIR: "/claude",
      COPILOT_HOME: "/copilot",
    };
    expect(pathsOf("linux", "/home/ada", env)).toMatchObject({
      "Claude Desktop": "/cfg/Claude/claude_desktop_config.json",
      "Claude Code": "/claude/.claude.json",
      "VS Code": "/cfg/Code/User/mcp.json",
      Codex: "/codex/config.toml",
      Zed: "/cfg/zed/settings.json",
      Copilot: "/copilot/mcp-config.json",
      opencode: "/cfg/opencode/opencode.json",
      "Roo Code": "/cfg/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
      Amp: "/home/ada/.config/amp/settings.json",
    });
    expect(pathsOf("linux", "/home/ada")).toMatchObject({ Zed: "/home/ada/.config/zed/settings.json" });
  });

  it("is known for Windows", () => {
    const env = {
      APPDATA: "C:\\Users\\ada\\AppData\\Roaming",
      LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local",
    };
    expect(pathsOf("win32", "C:\\Users\\ada", env)).toMatchObject({
      "Claude Desktop": "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
      "Claude Code": "C:\\Users\\ada\\.claude.json",
      "VS Code": "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json",
      Windsurf: "C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json",
      Zed: "C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json",
      "Copilot for JetBrains": "C:\\Users\\ada\\AppData\\Local\\github-copilot\\intellij\\mcp.json",
      "Gemini CLI": "C:\\Users\\ada\\.gemini\\settings.json",
      opencode: "C:\\Users\\ada\\.config\\opencode\\opencode.json",
      Amp: "C:\\Users\\ada\\.config\\amp\\settings.json",
    });
  });

  it("is told for a named file by its name", () => {
    const machine = { platform: "linux", home: "/home/ada", env: {} } as const;
    const names = [
      "/home/ada/.cursor/mcp.json",
      "/srv/shop/.vscode/mcp.json",
      "/srv/shop/.mcp.json",
      "/srv/shop/other.json",
    ];
    expect(names.map((path) => clientOf(path, machine))).toEqual([
      "Cursor",
      "VS Code",
      "Claude Code",
      "MCP client",
    ]);
  });

  it("is nowhere for a user without a home", () => {
    const machine = { platform: "linux", home: undefined, env: {} } as const;
    expect(clientPlaces(machine)).toEqual([]);
    expect(wrapFolder(machine)).toBeUndefined();
  });
});
