/** Configs as people have them: comments, tabs, CRLF, byte order marks, trailing commas, secrets and odd spacing. */
export interface RealConfig {
  readonly title: string;
  /** The name decides how it is read. */
  readonly file: string;
  readonly text: string;
  /** The servers that are wrapped. */
  readonly wraps: readonly string[];
}

const claudeDesktop = `{
  "globalShortcut": "Alt+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/Users/ada/Desktop",
        "/Users/ada/Downloads"
      ]
    },
    "memory": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-memory"],
      "env": { "MEMORY_FILE_PATH": "/Users/ada/memory.json" }
    }
  }
}
`;

const claudeDesktopWindows = `\uFEFF{
\t"mcpServers": {
\t\t"sqlite": {
\t\t\t"command": "C:\\\\Program Files\\\\uv\\\\uvx.exe",
\t\t\t"args": ["mcp-server-sqlite", "--db-path", "C:\\\\Users\\\\ada\\\\test.db"]
\t\t},
\t\t"bare": { "command": "my-server.cmd" }
\t}
}
`.replaceAll("\n", "\r\n");

const claudeCodeProject = `{
  "mcpServers": {
    "api": {
      "type": "http",
      "url": "\${API_BASE_URL:-https://api.example.com}/mcp",
      "headers": {
        "Authorization": "Bearer \${API_KEY}"
      }
    },
    "asana": { "type": "sse", "url": "https://mcp.asana.com/sse" },
    "notion": { "type": "http", "url": "https://mcp.notion.com/mcp" },
    "db": {
      "command": "\${HOME}/bin/dbhub",
      "args": ["--dsn", "postgres://readonly:pw@localhost/app"],
      "env": {}
    }
  }
}`;

const claudeCodeUser = `{
  "numStartups": 184,
  "installMethod": "npm-global",
  "tipsHistory": { "shift-enter": 3 },
  "mcpServers": {
    "github": {
      "type": "stdio",
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345" }
    }
  },
  "projects": {
    "/Users/ada/work/shop": {
      "allowedTools": [],
      "history": [{ "display": "explain { \\"mcpServers\\": … }", "pastedContents": {} }],
      "mcpServers": {
        "postgres": { "type": "stdio", "command": "uvx", "args": ["postgres-mcp", "--access-mode=restricted"], "env": {} }
      },
      "hasTrustDialogAccepted": true
    },
    "/Users/ada/work/blog": { "allowedTools": [], "mcpServers": {} }
  },
  "userID": "3f5c"
}
`;

const cursor = `{"mcpServers":{"linear":{"url":"https://mcp.linear.app/mcp"},"context7":{"command":"npx","args":["-y","@upstash/context7-mcp"]},"tavily":{"url":"https://mcp.tavily.com/mcp/","headers":{"Authorization":"Bearer \${env:TAVILY_API_KEY}"}},"solo":{"command":"solo-mcp"}}}`;

const cursorProject = `{
    // Servers of this project
    "mcpServers": {
        "playwright": {
            "command": "npx", // keep in step with package.json
            "args": [
                "@playwright/mcp@latest",
                /* no window on the build machine */
                "--headless",
            ],
            "envFile": "\${workspaceFolder}/.env",
        },
    },
}
`;

const visualStudioCode = `{
\t"inputs": [
\t\t{ "type": "promptString", "id": "gh", "description": "GitHub token", "password": true }
\t],
\t"servers": {
\t\t"github": {
\t\t\t"type": "http",
\t\t\t"url": "https://api.githubcopilot.com/mcp/",
\t\t\t"headers": { "Authorization": "Bearer \${input:gh}" /* asked for once */ }
\t\t},
\t\t"files": {
\t\t\t"type": "stdio",
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspaceFolder}"],
\t\t\t"cwd": "\${workspaceFolder}/tools",
\t\t\t"dev": { "watch": "build/**/*.js" }
\t\t}
\t}
}
`;

const windsurf = `{
  "mcpServers": {
    "figma": { "serverUrl": "http://127.0.0.1:3845/mcp" },
    "sentry": {
      "serverUrl": "https://mcp.sentry.example/mcp",
      "headers": { "X-Token": "sntrys_abcdefghijklmnop", "X-Org": "shop" },
      "disabledTools": ["delete_issue"]
    },
    "git": { "command": "uvx", "args": [], "disabled": true }
  }
}
`;

const codex = `model = "gpt-5"
approval_policy = "on-request" # ask me

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
startup_timeout_sec = 20

# the company's own
[mcp_servers."shop api"]
url = "https://mcp.shop.example/mcp"
http_headers = { "X-Api-Key" = "k-1234567890", X-Team = 'a "b" team' }

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"

[mcp_servers.docs]
command = 'C:\\tools\\docs.exe'   # no arguments
enabled = false

[mcp_servers.docs.env]
DOCS_TOKEN = "abc"

[profiles.fast]
model = "o4-mini"
`;

const codexInline = `mcp_servers.one = { command = "uvx", args = ["one-mcp"], env = { A = "1" } }
mcp_servers.two.command = "two-mcp"
mcp_servers.two.cwd = "/srv"

[mcp_servers.three]
  command = "npx"
  args = [
    "-y", # yes to all
    "three-mcp",
  ]

[mcp_servers.four]
url = "https://four.example/mcp"
[mcp_servers.four.http_headers]
# rotates in May
Authorization = "Bearer t-0123456789"

[[notify]]
when = 2026-11-16T01:02:03Z
`.replaceAll("\n", "\r\n");

const zed = `// Zed settings
//
// For information on how to configure Zed, see the Zed documentation
{
  "ui_font_size": 16,
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
  "context_servers": {
    "mcp-server-github": { "source": "extension", "enabled": true, "settings": { "github_personal_access_token": "x" } },
    "hexdocs": { "source": "custom", "command": "npx", "args": ["-y", "hexdocs-mcp@0.5.0"], "env": {} },
    "old-form": {
      "command": {
        "path": "/opt/old/server",
        "args": ["run"],
        "env": { "TOKEN": "old-form-token" },
      },
      "settings": {},
    },
  },
}
`;

const generic = `
{ "mcpServers" :
  { "spaced" : { "command" : "node" , "args" : [ "server.js" ] }
  , "empty list" : { "command" : "node" , "args" : [ ] }
  , "unicode ü 🎉" : { "command" : "n\\u006fde", "args":
      [
        // first
        "a", "b"
      ] }
  , "ours already" : { "command" : "waybill", "args" : ["gateway", "--", "npx", "x"] }
  , "home" : { "command" : "~/bin/server" }
  }
}
`;

const gemini = `{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "mcp": { "allowed": ["git"] },
  "mcpServers": {
    "git": { "command": "uvx", "args": ["mcp-server-git"], "trust": true, "timeout": 30000 },
    "github": {
      "httpUrl": "https://api.githubcopilot.example/mcp/",
      "headers": { "Authorization": "Bearer ghp_0123456789" },
      "timeout": 5000
    },
    "old": { "url": "https://old.example/events", "headers": { "X-Key": "k-0123456789" } }
  }
}
`;

const openCode = `{
  "$schema": "https://opencode.ai/config.json",
  // mine
  "mcp": {
    "everything": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-everything"],
      "environment": { "TOKEN": "t-0123456789" },
      "enabled": true,
    },
    "bare": { "type": "local", "command": ["my-server"] },
    "lines": {
      "type": "local",
      "command": [
        "uvx",
        "mcp-server-git"
      ]
    },
    "alone": {
      "type": "local",
      "command": [
        "other", // why
      ]
    },
    "none": { "type": "local", "command": [] },
    "sentry": { "type": "remote", "url": "https://mcp.sentry.example/mcp", "headers": { "X-Key": "k-0123456789" } },
    "notes": {
      "url": "https://notes.example/mcp", // signs in
      "type": "remote",
      "enabled": false,
    },
    "empty": { "type": "remote", "url": "https://e.example/mcp", "headers": {} },
    "own": { "type": "remote", "url": "https://o.example/mcp", "oauth": { "clientId": "x" } }
  }
}
`;

const cline = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"], "disabled": false, "autoApprove": ["read"] },
    "api": {
      "type": "streamableHttp",
      "url": "https://api.example/mcp",
      "headers": { "Authorization": "Bearer a-0123456789" }
    },
    "plain": { "url": "https://plain.example/mcp", "headers": { "X-Key": "k-0123456789" } }
  }
}
`;

const amp = `{
  "amp.showCosts": true,
  "amp.mcpServers": {
    "qmd": { "command": "qmd", "args": ["mcp"] },
    "api": { "url": "https://api.example/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } },
  },
}
`;

export const realConfigs: readonly RealConfig[] = [
  {
    title: "Claude Desktop on macOS",
    file: "claude_desktop_config.json",
    text: claudeDesktop,
    wraps: ["filesystem", "memory"],
  },
  {
    title: "Claude Desktop on Windows, BOM, tabs, CRLF",
    file: "claude_desktop_config.json",
    text: claudeDesktopWindows,
    wraps: ["sqlite", "bare"],
  },
  {
    title: "Claude Code, project",
    file: ".mcp.json",
    text: claudeCodeProject,
    wraps: ["api", "asana", "notion", "db"],
  },
  {
    title: "Claude Code, user and projects",
    file: ".claude.json",
    text: claudeCodeUser,
    wraps: ["github", "postgres"],
  },
  {
    title: "Cursor, on one line",
    file: "mcp.json",
    text: cursor,
    wraps: ["linear", "context7", "tavily", "solo"],
  },
  { title: "Cursor, project with comments", file: "mcp.json", text: cursorProject, wraps: ["playwright"] },
  { title: "VS Code with inputs", file: "mcp.json", text: visualStudioCode, wraps: ["github", "files"] },
  { title: "Windsurf", file: "mcp_config.json", text: windsurf, wraps: ["figma", "sentry", "git"] },
  { title: "Codex", file: "config.toml", text: codex, wraps: ["context7", "shop api", "docs"] },
  {
    title: "Codex, inline and dotted, CRLF",
    file: "config.toml",
    text: codexInline,
    wraps: ["one", "two", "three", "four"],
  },
  { title: "Zed, both forms", file: "settings.json", text: zed, wraps: ["hexdocs", "old-form"] },
  {
    title: "an unusual mcpServers file",
    file: "servers.json",
    text: generic,
    wraps: ["spaced", "empty list", "unicode ü 🎉"],
  },
  { title: "Gemini CLI", file: ".gemini/settings.json", text: gemini, wraps: ["git", "github", "old"] },
  {
    title: "opencode, programs and arguments in one list",
    file: "opencode.json",
    text: openCode,
    wraps: ["everything", "bare", "lines", "alone", "sentry", "notes"],
  },
  { title: "Cline", file: "cline_mcp_settings.json", text: cline, wraps: ["files", "api", "plain"] },
  { title: "Amp", file: ".amp/settings.jsonc", text: amp, wraps: ["qmd", "api"] },
];
