import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cli = here("../../../dist/cli/main.js");

const stateFolder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
process.on("exit", () => rmSync(stateFolder, { recursive: true, force: true }));

export interface OpenGateway {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Where clients connect; undefined on stdio. */
  readonly url: string | undefined;
  /** Signs a browser in; undefined without a dashboard. */
  readonly link: string | undefined;
  close(): Promise<void>;
}

export interface GatewayKind {
  readonly isHttp: boolean;
  readonly hasDashboard: boolean;
  readonly hasBodies?: boolean;
}

/** Starts the gateway as users do, in front of a server that answers at once. */
export async function openGateway({ isHttp, hasDashboard, hasBodies }: GatewayKind): Promise<OpenGateway> {
  const args = [
    cli,
    "gateway",
    ...(isHttp ? ["--http", "0"] : []),
    ...(hasDashboard ? ["--dashboard", "0"] : []),
    ...(hasBodies === true ? ["--dashboard-bodies"] : []),
    "--",
    process.execPath,
    here("./raw-upstream.mjs"),
  ];
  const env = { ...process.env, XDG_STATE_HOME: stateFolder };
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"], env });
  let said = "";
  const hear = (bytes: Buffer): void => void (said += bytes.toString());
  child.stderr.on("data", hear);
  // On stdio what it prints there is answers.
  if (isHttp) child.stdout.on("data", hear);
  const find = async (pattern: RegExp): Promise<string> => {
    for (let attempt = 0; attempt < 400; attempt++) {
      const [found] = pattern.exec(said) ?? [];
      if (found !== undefined) return found;
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The gateway did not say ${pattern}: ${said}`);
  };
  const link = hasDashboard ? await find(/http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/) : undefined;
  const url = isHttp ? await find(/http:\/\/127\.0\.0\.1:\d+\/\S*mcp/) : undefined;
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "exit");
  };
  return { child, pid: child.pid ?? 0, url, link, close };
}
