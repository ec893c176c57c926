// The code of a new project that listens over HTTP: as on stdio, and who may call. One of our tests compiles and runs it.

import { testFile, toolFile } from "./stdio-code.ts";

function serverFile(name: string): string {
  return `import { serve } from "waybill/server";
import { readCallers } from "./callers.ts";
import { taskGet } from "./task-get.ts";

const tokens = readCallers(process.env["CALLERS"]);

await serve({
  name: ${JSON.stringify(name)},
  version: "0.1.0",
  instructions: "Tasks by their ids, such as task-1.",
  tools: [taskGet],
  http: true,
  metrics: true,
  rateLimit: { limit: 600, periodSeconds: 60 },
  // Without callers only this machine can reach the server, and everybody on it may call.
  auth: tokens && { tokens },
});
`;
}

export const callersFile = `/** Tokens by the names of their callers: \`ada:9f0c…,bob:41d7…\`. Undefined where there are none. */
export function readCallers(text = ""): Record<string, string> | undefined {
  if (text.trim() === "") return undefined;
  const tokens: Record<string, string> = {};
  for (const pair of text.split(",")) {
    // A token may have colons too.
    const [, name, token] = /^([^:]+):(.+)$/.exec(pair.trim()) ?? [];
    if (name === undefined || token === undefined) throw new Error("CALLERS: Write name:token,name:token.");
    if (Object.hasOwn(tokens, name)) throw new Error("CALLERS: A name is there twice. Give each caller one token.");
    tokens[name] = token;
  }
  return tokens;
}
`;

export const callersTestFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { readCallers } from "./callers.ts";

test("reads names and tokens; only the first colon separates", () => {
  const tokens = readCallers("ada:0123456789abcdef:xyz, bob:token-of-bob-5678");
  assert.deepEqual(tokens, { ada: "0123456789abcdef:xyz", bob: "token-of-bob-5678" });
});

test("refuses half a pair and a name that is there twice", () => {
  for (const text of ["ada", "ada:", ":token-of-ada-1234", "ada:token-of-ada-1234,"])
    assert.throws(() => readCallers(text), /Write name:token/);
  assert.throws(() => readCallers("ada:token-of-ada-1234,ada:token-of-ada-5678"), /twice/);
});

test("reads nothing as nobody", () => {
  assert.equal(readCallers(), undefined);
  assert.equal(readCallers(" "), undefined);
});
`;

export function httpCode(serverName: string): readonly (readonly [path: string, text: string])[] {
  return [
    ["src/server.ts", serverFile(serverName)],
    ["src/callers.ts", callersFile],
    ["src/callers.test.ts", callersTestFile],
    ["src/task-get.ts", toolFile],
    ["src/task-get.test.ts", testFile],
  ];
}

/** The end of the README. */
export const httpNotes = `Who may call is in \`CALLERS\`: names and tokens, \`CALLERS=ada:9f0c…,bob:41d7… npm start\`; make a token with
\`openssl rand -hex 16\`. In place of a token its hash will do, \`sha256:\` and 64 hex digits. Clients send the token as \`Authorization: Bearer …\`. Without \`CALLERS\` everybody on this machine may call,
and no other machine can reach the server. With it, \`npm start -- --http 0.0.0.0:3000\` lets others in; TLS is for a proxy in front.

| address | |
| --- | --- |
| \`/mcp\` | where clients call |
| \`/healthz\` | 200 while the server takes requests |
| \`/metrics\` | figures for Prometheus; it names tools, so keep it from others by a rule of the proxy |

On SIGTERM the server ends what it has begun, within 10 seconds.`;
