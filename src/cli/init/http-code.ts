// The code of a new project that listens over HTTP: as on stdio, and who may call. One of our tests compiles and runs it.

import { testFile, toolFile } from "./stdio-code.ts";

function serverFile(name: string): string {
  return `import { serve } from "waybill/server";
import { readCallers } from "./callers.ts";
import { taskGet } from "./task-get.ts";

const callerOf = readCallers(process.env["CALLERS"]);

await serve({
  name: ${JSON.stringify(name)},
  version: "0.1.0",
  instructions: "Tasks by their ids, such as task-1.",
  tools: [taskGet],
  http: true,
  metrics: true,
  rateLimit: { limit: 600, periodSeconds: 60 },
  // Without callers only this machine can reach the server, and everybody on it may call.
  auth: callerOf && ((request) => callerOf(request.headers.get("authorization"))),
});
`;
}

const callersFile = `import { createHash } from "node:crypto";

/** The name of the caller who has this token. */
export type CallerOf = (authorization: string | null) => string | undefined;

const MIN_TOKEN_LENGTH = 16;

/** Hashes are looked up, so how long that takes says nothing of the tokens. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Reads names and their tokens: \`ada:9f0c…,bob:41d7…\`. Undefined where there are none. */
export function readCallers(text = ""): CallerOf | undefined {
  if (text.trim() === "") return undefined;
  const names = new Map<string, string>();
  for (const pair of text.split(",")) {
    const [name = "", token = ""] = pair.trim().split(":");
    if (name === "" || token.length < MIN_TOKEN_LENGTH)
      throw new Error(\`CALLERS: Write name:token, with at least \${MIN_TOKEN_LENGTH} characters in a token.\`);
    names.set(hashOf(token), name);
  }
  return (authorization) => {
    const token = /^Bearer +(\\S+)$/i.exec(authorization ?? "")?.[1];
    return token === undefined ? undefined : names.get(hashOf(token));
  };
}
`;

const callersTestFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { readCallers } from "./callers.ts";

const callerOf = readCallers("ada:token-of-ada-1234, bob:token-of-bob-5678");

test("knows callers by their tokens", () => {
  assert.equal(callerOf?.("Bearer token-of-ada-1234"), "ada");
  assert.equal(callerOf?.("bearer token-of-bob-5678"), "bob");
});

test("knows nobody else", () => {
  for (const authorization of [null, "", "Bearer ada", "Basic token-of-ada-1234"])
    assert.equal(callerOf?.(authorization), undefined);
});

test("refuses a short token, and reads nothing as nobody", () => {
  assert.throws(() => readCallers("ada:short"), /at least 16/);
  assert.equal(readCallers(""), undefined);
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
\`openssl rand -hex 16\`. Clients send it as \`Authorization: Bearer …\`. Without \`CALLERS\` everybody on this machine may call,
and no other machine can reach the server. With it, \`npm start -- --http 0.0.0.0:3000\` lets others in; TLS is for a proxy in front.

| address | |
| --- | --- |
| \`/mcp\` | where clients call |
| \`/healthz\` | 200 while the server takes requests |
| \`/metrics\` | figures for Prometheus; it names tools, so keep it from others by a rule of the proxy |

On SIGTERM the server ends what it has begun, within 10 seconds.`;
