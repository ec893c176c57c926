// The code of a new project for Cloudflare Workers: one function from a request to a response, and who may call. Our tests
// compile it, and run it on Node and on workerd.

import { callersFile, callersTestFile } from "./http-code.ts";
import { testFile, toolFile } from "./stdio-code.ts";

function serverFile(name: string): string {
  return `import { type FetchServer, serveFetch } from "waybill/web";
import { readCallers } from "./callers.ts";
import { taskGet } from "./task-get.ts";

/** The server as a function from a Request to a Response. Limits and archives live as long as an instance of the Worker. */
export function serverFor(callers: string | undefined): FetchServer {
  const tokens = readCallers(callers);
  return serveFetch({
    name: ${JSON.stringify(name)},
    version: "0.1.0",
    instructions: "Tasks by their ids, such as task-1.",
    tools: [taskGet],
    rateLimit: { limit: 600, periodSeconds: 60 },
    // Without callers it answers at the addresses of this machine alone, so that nothing open is deployed by mistake.
    ...(tokens === undefined ? { allowedHosts: [] } : { auth: { tokens } }),
  });
}
`;
}

const workerFile = `import { serverFor } from "./server.ts";

// With nodejs_compat, variables and secrets of the Worker are in process.env.
export default { fetch: serverFor(process.env["CALLERS"]) };
`;

const serverTestFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { serverFor } from "./server.ts";

const token = "token-of-ada-1234";

function request(url: string, headers: Record<string, string> = {}): Request {
  const params = { name: "task_get", arguments: { id: "task-1" } };
  return new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

test("answers on this machine, and nowhere else, as long as it has no callers", async () => {
  const server = serverFor(undefined);
  const answer = await server(request("http://127.0.0.1:3000/mcp"));
  assert.match(await answer.text(), /Read the README/);
  assert.equal((await server(request("https://tasks.example.workers.dev/mcp"))).status, 403);
  await server.close();
});

test("answers its callers everywhere", async () => {
  const server = serverFor(\`ada:\${token}\`);
  const url = "https://tasks.example.workers.dev/mcp";
  assert.equal((await server(request(url))).status, 401);
  const answer = await server(request(url, { authorization: \`Bearer \${token}\` }));
  assert.match(await answer.text(), /Read the README/);
  await server.close();
});
`;

/** Cloudflare takes 63 characters, and fewer kinds of them than npm. */
function workerName(name: string): string {
  const taken = name.replaceAll(/[^a-z0-9]+/g, "-").slice(0, 63);
  return taken.replaceAll(/^-|-$/g, "") || "server";
}

function wranglerFile(name: string): string {
  return `{
  "name": ${JSON.stringify(workerName(name))},
  "main": "src/worker.ts",
  // Behaviour of the runtime as of this day; a later day brings what changed until then.
  "compatibility_date": "2026-10-01",
  "compatibility_flags": ["nodejs_compat"],
}
`;
}

export function workerCode(serverName: string): readonly (readonly [path: string, text: string])[] {
  return [
    ["wrangler.jsonc", wranglerFile(serverName)],
    ["src/worker.ts", workerFile],
    ["src/server.ts", serverFile(serverName)],
    ["src/server.test.ts", serverTestFile],
    ["src/callers.ts", callersFile],
    ["src/callers.test.ts", callersTestFile],
    ["src/task-get.ts", toolFile],
    ["src/task-get.test.ts", testFile],
  ];
}

/** The end of the README. */
export const workerNotes = `Who may call is in \`CALLERS\`: names and tokens, \`ada:9f0c…,bob:41d7…\`; make a token with \`openssl rand -hex 16\`. In place of a token its
hash will do, \`sha256:\` and 64 hex digits. Clients send the token as \`Authorization: Bearer …\`. Here \`CALLERS\` is read from the file \`.dev.vars\`, as
\`CALLERS="ada:9f0c…"\`. Without it everybody on this machine may call, and a deployed Worker answers 403 to everybody.

To deploy it:

\`\`\`sh
npx wrangler secret put CALLERS
npm run deploy
\`\`\`

Cloudflare starts and ends instances as it likes. A rate limit counts for one of them, and what was cut from a long result lives in the memory of one: give
\`store\` a store of your own, over KV, R2 or a Durable Object, to keep it. Set the secret \`WAYBILL_SECRET\` too, so that every instance takes the cursors of
the others. What else a Worker does not have is in docs/edge.md of Waybill.`;
