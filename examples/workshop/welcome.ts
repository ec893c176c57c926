const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "task", arguments: { action: "query", spec_id: "my-feature" } },
};

/** What someone who started the server needs next: its URL, a client's configuration, a first call. */
export function welcome(url: string): string {
  const config = { mcpServers: { workshop: { type: "http", url } } };
  return `Workshop, an MCP server under the Waybill contract, listens on ${url}

Client configuration:
${JSON.stringify(config, null, 2)}

A first call:
curl -s ${url} \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '${JSON.stringify(call)}'

More calls, one for each example of the source documents: examples/workshop/README.md
Stop with Ctrl+C.
`;
}
