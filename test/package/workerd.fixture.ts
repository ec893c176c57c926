import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where workerd is; undefined where it cannot be fetched, unless everything has to be there. */
export function findWorkerd(): string | undefined {
  try {
    const script = join(root, "scripts/workerd.mjs");
    return execFileSync(process.execPath, [script], { encoding: "utf8" }).trim();
  } catch (error) {
    if (process.env["WAYBILL_REQUIRE_SERVICES"] === "1") throw error;
    process.stderr.write("workerd cannot be fetched here: the Worker is not tried.\n");
    return undefined;
  }
}

/** The texts of a folder by their paths. */
export function textsIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(
    files.map((path) => [
      relative(folder, join(folder, path)).replaceAll("\\", "/"),
      readFileSync(join(folder, path), "utf8"),
    ]),
  );
}

export interface Bundle {
  readonly folder: string;
  readonly bytes: number;
  /** What the bundle imports from outside: modules of the runtime. */
  readonly imports: readonly string[];
  remove(): void;
}

/**
 * Bundles a Worker's module as wrangler does: for a browser-like platform, under the conditions of Workers. `missing`
 * are packages that are not installed beside it: where an import may fail, esbuild leaves it for the runtime.
 */
export async function bundleWorker(contents: string, missing: readonly string[] = []): Promise<Bundle> {
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "worker-"));
  const { metafile } = await build({
    stdin: { contents, resolveDir: join(root, "examples/workshop"), loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    outfile: join(folder, "worker.js"),
    format: "esm",
    platform: "browser",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: [...missing],
    loader: { ".bin": "copy" },
    assetNames: "[name]",
    // By its name, as an installed package; the checkout's own settings lead to the sources.
    tsconfigRaw: "{}",
    metafile: true,
    logLevel: "silent",
  });
  const [output] = Object.entries(metafile.outputs).filter(([path]) => path.endsWith("worker.js"));
  if (output === undefined) throw new Error("No worker.js was written.");
  const imports = output[1].imports.map(({ path }) => path);
  return {
    folder,
    bytes: output[1].bytes,
    imports: imports.filter((path) => !path.endsWith(".bin")),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface RunningWorker {
  readonly url: string;
  readonly logged: () => string;
  stop(): Promise<void>;
}

/** A port on which nothing listens at the moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}

/** What a Worker is configured with, as in `wrangler.jsonc`. */
interface WorkerSettings {
  readonly date?: string;
  /** Its variables and secrets. */
  readonly variables?: Readonly<Record<string, string>>;
}

function configOf(
  port: number,
  files: readonly string[],
  flags: readonly string[],
  { date = "2025-01-01", variables = {} }: WorkerSettings,
): string {
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)})`,
  );
  const modules = files.map((file) =>
    file.endsWith(".bin")
      ? `(name = "${file}", data = embed "${file}")`
      : `(name = "${file}", esModule = embed "${file}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [${modules.join(", ")}],
    compatibilityDate = "${date}",
    compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(", ")}],
    bindings = [${bindings.join(", ")}],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}

async function untilAnswering(url: string, child: ChildProcess, logged: () => string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`workerd ended: ${logged()}`);
    const isUp = await fetch(new URL("/", url)).then(
      (response) => response.text().then(() => true),
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error(`workerd does not answer: ${logged()}`);
}

export async function startWorker(
  workerd: string,
  { folder }: Bundle,
  flags: readonly string[],
  settings: WorkerSettings = {},
): Promise<RunningWorker> {
  const port = await freePort();
  const vocabularies = readdirSync(folder).filter((file) => file.endsWith(".bin"));
  writeFileSync(
    join(folder, "worker.capnp"),
    configOf(port, ["worker.js", ...vocabularies], flags, settings),
  );
  const child = spawn(workerd, ["serve", "worker.capnp"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const logged = (): string => text;
  const url = `http://127.0.0.1:${port}/mcp`;
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  try {
    await untilAnswering(url, child, logged);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, logged, stop };
}
