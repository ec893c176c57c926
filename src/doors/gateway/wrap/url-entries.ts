// How each client's file names a server that is reached over HTTP, by the documentation of the clients (2026-11). The
// files themselves are in client-configs.ts.

import type { ClientName } from "./client-configs.ts";

/** The addresses of servers by their names. */
type Urls = Readonly<Record<string, string>>;
type Written = (urls: Urls) => string;

/** JSON with the servers under a key. */
function under(key: string, entry: (url: string) => object): Written {
  return (urls) => {
    const servers = Object.entries(urls).map(([name, url]) => [name, entry(url)] as const);
    return JSON.stringify({ [key]: Object.fromEntries(servers) }, undefined, 2);
  };
}

const typed = (type: string) => (url: string) => ({ type, url });
const bare = (url: string) => ({ url });
const asHttpUrl = (httpUrl: string) => ({ httpUrl });

/** For a client that is not in the table. */
const anyOther = under("mcpServers", typed("http"));

/** Undefined for a client that takes servers only as commands. */
const forms: Readonly<Record<ClientName, Written | undefined>> = {
  "Claude Desktop": undefined,
  "Claude Code": anyOther,
  Cursor: under("mcpServers", bare),
  "VS Code": under("servers", typed("http")),
  Windsurf: under("mcpServers", (serverUrl) => ({ serverUrl })),
  Codex: tomlTables,
  Zed: under("context_servers", bare),
  Copilot: under("mcpServers", (url) => ({ type: "http", url, tools: ["*"] })),
  "Copilot for JetBrains": under("servers", bare),
  Junie: undefined,
  "Gemini CLI": under("mcpServers", asHttpUrl),
  "Qwen Code": under("mcpServers", asHttpUrl),
  opencode: under("mcp", (url) => ({ type: "remote", url, enabled: true })),
  Cline: under("mcpServers", typed("streamableHttp")),
  "Roo Code": under("mcpServers", typed("streamable-http")),
  "LM Studio": under("mcpServers", bare),
  Amp: under("amp.mcpServers", bare),
  Continue: yamlList,
  Goose: yamlExtensions,
};

export const clientNames = Object.keys(forms) as ClientName[];

/** What is added to a client's file; undefined if its servers are commands. Without a client: what most understand. */
export function urlEntries(client: ClientName | undefined, urls: Urls): string | undefined {
  return client === undefined ? anyOther(urls) : forms[client]?.(urls);
}

function tomlTables(urls: Urls): string {
  return Object.entries(urls)
    .map(([name, url]) => `[mcp_servers.${isBare(name) ? name : quoted(name)}]\nurl = ${quoted(url)}`)
    .join("\n\n");
}

function isBare(name: string): boolean {
  return /^[\w-]+$/.test(name);
}

/** A text of JSON is one of TOML and of YAML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function yamlList(urls: Urls): string {
  const servers = Object.entries(urls).map(
    ([name, url]) => `  - name: ${quoted(name)}\n    type: streamable-http\n    url: ${quoted(url)}`,
  );
  return ["mcpServers:", ...servers].join("\n");
}

function yamlExtensions(urls: Urls): string {
  const servers = Object.entries(urls).map(([name, url]) =>
    [
      `  ${quoted(name)}:`,
      "    enabled: true",
      "    type: streamable_http",
      `    name: ${quoted(name)}`,
      `    uri: ${quoted(url)}`,
      "    timeout: 300",
    ].join("\n"),
  );
  return ["extensions:", ...servers].join("\n");
}
