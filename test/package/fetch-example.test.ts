// The server of examples/fetch from the built package, on the runtimes that it is for: one file, unchanged.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { expectedVisit, visitTasks } from "../journeys/visit-tasks.fixture.ts";
import { bundleWorker, findWorkerd, startWorker } from "./workerd.fixture.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const program = "examples/fetch/server.ts";

/** A program that a script fetches from npm; undefined where that cannot be, unless everything has to be there. */
function find(script: string): string | undefined {
  try {
    return execFileSync(process.execPath, [pathOf(`scripts/${script}`)], { encoding: "utf8" }).trim();
  } catch (error) {
    if (process.env["WAYBILL_REQUIRE_SERVICES"] === "1") throw error;
    process.stderr.write(`${script} cannot fetch its program here: it is not tried.\n`);
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function untilAnswering(address: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    const isUp = await fetch(address).then(
      (response) => response.text().then(() => true),
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error("It does not answer.");
}

type Arguments = (port: number) => readonly string[];

/** Starts the file with a runtime, visits it, and ends it. */
async function visitOn(runtime: string, args: Arguments): Promise<unknown> {
  const port = await freePort();
  const child = spawn(runtime, args(port), {
    cwd: pathOf("."),
    env: { ...process.env, PORT: String(port), HOST: "127.0.0.1" },
    stdio: "ignore",
  });
  const address = `http://127.0.0.1:${port}/mcp`;
  try {
    await untilAnswering(address, child);
    return await visitTasks(address);
  } finally {
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
}

const permissions = ["net", "env", "read", "sys"].map((name) => `--allow-${name}`);
const denoArguments: Arguments = (port) => [
  "serve",
  ...permissions,
  "--no-lock",
  "--node-modules-dir=manual",
  "--host=127.0.0.1",
  `--port=${port}`,
  program,
];

describe("examples/fetch/server.ts", () => {
  it("answers on Bun", async () => {
    const bun = find("bun.mjs");
    if (bun === undefined) return;
    expect(await visitOn(bun, () => [program])).toEqual(expectedVisit);
  });

  it("answers on Deno", async () => {
    const deno = find("deno.mjs");
    if (deno === undefined) return;
    expect(await visitOn(deno, denoArguments)).toEqual(expectedVisit);
  });

  it.each([
    ["without any module of Node", []],
    ["with nodejs_compat", ["nodejs_compat"]],
  ] as const)("answers on workerd %s", async (_name, flags) => {
    const workerd = findWorkerd();
    if (workerd === undefined) return;
    const bundle = await bundleWorker('export { default } from "../fetch/server.ts";');
    const worker = await startWorker(workerd, bundle, flags);
    try {
      expect(await visitTasks(worker.url)).toEqual(expectedVisit);
    } finally {
      await worker.stop();
      bundle.remove();
    }
  });

  it("takes tokens of an issuer on workerd without any module of Node", async () => {
    const workerd = findWorkerd();
    if (workerd === undefined) return;
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }];
    const jwt = { issuer: "https://id.example", audience: "tasks", jwks: "https://id.example/keys" };
    const token = await new SignJWT({ scope: "tasks:read" })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(jwt.issuer)
      .setAudience(jwt.audience)
      .setSubject("ada")
      .setExpirationTime("5m")
      .sign(privateKey);
    // Only the issuer is not there: what a Worker would fetch from it is in the bundle.
    const bundle = await bundleWorker(`
      import { defineTool } from "waybill/server";
      import { serveFetch } from "waybill/web";
      globalThis.fetch = async () => Response.json({ keys: ${JSON.stringify(keys)} });
      const whoami = defineTool("whoami", { description: "Who calls" }, (_args, ctx) => ({ ...ctx.auth }));
      export default { fetch: serveFetch({ name: "tasks", version: "1.0.0", tools: [whoami], auth: { jwt: ${JSON.stringify(jwt)} } }) };`);
    const worker = await startWorker(workerd, bundle, []);
    const ask = (authorization: string): Promise<Response> =>
      fetch(worker.url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", authorization },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami" } }),
      });
    try {
      const known = await ask(`Bearer ${token}`);
      expect([known.status, await known.text()]).toEqual([
        200,
        expect.stringContaining('"subject":"ada","clientId":"ada","scopes":["tasks:read"]'),
      ]);
      const forged = await ask(`Bearer ${token.slice(0, -6)}AAAAAA`);
      expect([forged.status, forged.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining("/.well-known/oauth-protected-resource/mcp"),
      ]);
    } finally {
      await worker.stop();
      bundle.remove();
    }
  });

  it("is started as its page says", () => {
    const page = readFileSync(pathOf("examples/fetch/README.md"), "utf8");
    expect(page).toContain(`deno serve ${permissions.join(" ")} server.ts`);
    expect(page).toContain("bun server.ts");
  });
});
