import { requestOf } from "./three-answers.ts";

const firstCall = requestOf({ tool: "task", arguments: { action: "query", spec_id: "my-feature" } });

/** What someone who started the gateway needs next: its page, three answers, its addresses, a client's configuration, a first call. */
export function welcome(urls: Readonly<Record<string, string>>, dashboard: string, answers: string): string {
  const mcpServers = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, { type: "http", url }]),
  );
  const listed = Object.entries(urls).map(([name, url]) => `  ${name.padEnd(12)}${url}`);
  const headers = Object.entries(firstCall.headers).map(([name, value]) => `  -H '${name}: ${value}' \\`);
  return `Three answers of the workshop, through the gateway, just now:

${answers}

The Waybill gateway serves:
${listed.join("\n")}

See what passes through, in your browser (the link works once):
  ${dashboard}

Client configuration:
${JSON.stringify({ mcpServers }, null, 2)}

A first call:
curl -s ${urls["workshop"] ?? ""} \\
${headers.join("\n")}
  -d '${firstCall.body}'

In front of a server of yours: npx waybill gateway -- <the command that starts it>
Stop with Ctrl+C.
`;
}
