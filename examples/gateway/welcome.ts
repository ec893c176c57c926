const era = "2026-07-28";

/** A call of the modern era needs no session, so one command is enough. */
const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "task",
    arguments: { action: "query", spec_id: "my-feature" },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": era,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

/** What someone who started the gateway needs next: its page, its addresses, a client's configuration, a first call. */
export function welcome(urls: Readonly<Record<string, string>>, dashboard = ""): string {
  const mcpServers = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, { type: "http", url }]),
  );
  const listed = Object.entries(urls).map(([name, url]) => `  ${name.padEnd(12)}${url}`);
  return `The Waybill gateway serves:
${listed.join("\n")}

See what passes through, in your browser (the link works once):
  ${dashboard}

Client configuration:
${JSON.stringify({ mcpServers }, null, 2)}

A first call:
curl -s ${urls["workshop"] ?? ""} \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -H 'MCP-Protocol-Version: ${era}' \\
  -H 'Mcp-Method: tools/call' -H 'Mcp-Name: task' \\
  -d '${JSON.stringify(call)}'

In front of a server of yours: npx waybill gateway -- <the command that starts it>
Stop with Ctrl+C.
`;
}
