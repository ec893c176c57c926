import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const upstream = fileURLToPath(new URL("large-upstream.mjs", import.meta.url));
const stateFolder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
process.on("exit", () => rmSync(stateFolder, { recursive: true, force: true }));

/** Starts a process and waits until it has said its address. */
async function start(
  args: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const env = { ...process.env, XDG_STATE_HOME: stateFolder };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (bytes: Buffer): void => {
      said += bytes.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/\S*mcp/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended: ${said}`)));
  });
  return { child, url };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

export interface LargeGateway {
  readonly pid: number;
  readonly url: string;
  close(): Promise<void>;
}

/** The gateway as users start it, over HTTP, in front of a server that is a command or has a URL. */
export async function openLargeGateway(cli: string, isUrl: boolean): Promise<LargeGateway> {
  const server = isUrl ? await start([upstream, "--http"]) : undefined;
  const target = server === undefined ? ["--", process.execPath, upstream] : ["--upstream", server.url];
  const { child, url } = await start([cli, "gateway", "--http", "0", ...target]);
  const close = async (): Promise<void> => {
    await stop(child);
    if (server !== undefined) await stop(server.child);
  };
  return { pid: child.pid ?? 0, url, close };
}
