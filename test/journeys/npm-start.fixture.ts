import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished, vi } from "vitest";
import { requestOf } from "../../examples/gateway/three-answers.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What `npm start` runs once it has built the package. */
export function startCommand(): string {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  const [, command = ""] = /&& (exec .*)$/.exec(scripts.start) ?? [];
  return command;
}

/** What the handle that it prints leads to. */
async function fetchRest(printed: string): Promise<string> {
  const [, url = ""] = /^ {2}workshop +(\S+)$/m.exec(printed) ?? [];
  const [, tool = "", archive = ""] =
    /^ {4}rest +the tool (\S+) .*\n {4}(sha256:\w{64})$/m.exec(printed) ?? [];
  const { headers, body } = requestOf({ tool, arguments: { archive } });
  return (await fetch(url, { method: "POST", headers, body })).text();
}

/** Starts the example, does the calls that it prints, and stops it as its last line says. */
export async function firstCall(command: string): Promise<{
  readonly printed: string;
  readonly answer: string;
  readonly rest: string;
  readonly code: number | null;
}> {
  const env = { ...process.env, PORT: "0" };
  const child = spawn("sh", ["-c", command], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [printed, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (printed += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  await vi.waitFor(
    () => {
      if (!printed.includes("Stop with Ctrl+C.")) throw new Error(`It does not say that it runs: ${stderr}`);
    },
    { timeout: 60_000, interval: 50 },
  );
  const [, curl = ""] = /A first call:\n(curl [^]*?)\n\n/.exec(printed) ?? [];
  const { stdout: answer } = await promisify(execFile)("sh", ["-c", curl], { timeout: 60_000 });
  const rest = await fetchRest(printed);
  child.kill("SIGINT");
  const [code] = (await once(child, "exit")) as [number | null];
  return { printed, answer, rest, code };
}
