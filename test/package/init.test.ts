import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const quiet = ["--silent", "--no-audit", "--no-fund", "--prefer-offline"];
let folder = "";
const demo = (): string => join(folder, "empty", "demo");

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The one package that is not fetched from where packages are: the one that was just built. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waybill-init-"));
  run("npm", ["pack", "--silent", "--pack-destination", folder], root);
  const archive = join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "");
  mkdirSync(join(folder, "empty"));
  run("npx", ["--yes", "--package", archive, "waybill", "init", "demo"], join(folder, "empty"));
  run("npm", ["install", ...quiet, archive], demo());
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("a project made by waybill init", () => {
  it("has seven files", () => {
    const entries = readdirSync(demo(), { recursive: true, encoding: "utf8" });
    const own = entries.filter((path) => !/^node_modules|^package-lock|^src$/.test(path));
    expect(own).toHaveLength(7);
  });

  it("passes its own test, and compiles", () => {
    expect(run("npm", ["test", "--silent"], demo())).toContain("# fail 0");
    expect(run("npm", ["run", "--silent", "types"], demo())).toBe("");
  });

  it("answers the call of its README over HTTP, and ends when it is asked to", async () => {
    const { scripts } = JSON.parse(readFileSync(join(demo(), "package.json"), "utf8")) as {
      readonly scripts: { readonly start: string };
    };
    // As npm starts it, but for the shell between, which would not pass a signal on.
    const [command, ...args] = [...scripts.start.split(" "), "--http", "0"];
    const child = spawn(command, args, { cwd: demo(), stdio: ["ignore", "ignore", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    await vi.waitFor(() => expect(stderr).toContain("listens on"), { timeout: 60_000, interval: 50 });
    const [, port = ""] = /listens on http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(stderr) ?? [];
    const [call = ""] = /^curl [^`]*/m.exec(readFileSync(join(demo(), "README.md"), "utf8")) ?? [];
    const { stdout } = await promisify(execFile)("sh", ["-c", call.replace("3000", port)]);
    expect(stdout).toContain('"data":{"task":{"id":"task-1"');
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("serves a client that starts it as its README says", async () => {
    const [config = ""] = /^\{\n[^`]*/m.exec(readFileSync(join(demo(), "README.md"), "utf8")) ?? [];
    const { mcpServers } = JSON.parse(config.replace("/path/to/demo", demo())) as {
      readonly mcpServers: { readonly demo: { readonly command: string; readonly args: string[] } };
    };
    const client = new Client({ name: "journey", version: "1.0.0" });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ ...mcpServers.demo, stderr: "ignore" }));
    const { isError } = await client.callTool({ name: "task_get", arguments: { id: "task-9" } });
    expect(isError).toBe(true);
  });
});
