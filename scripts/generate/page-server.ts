import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type ServeOptions, type Served, serve } from "../../src/doors/server/index.ts";
import { watchServe } from "../../src/doors/server/serve-watch.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/page-server/`;

/** What the program on the page of source 003 hands to `serve`. */
async function readPageServer(): Promise<ServeOptions> {
  const page = readFileSync(`${root}docs/documents/003-drf-mcp-schemas.md`, "utf8");
  const [, program] = /^```ts\n(import [^]*?)^```/m.exec(page) ?? [];
  if (program === undefined) throw new Error("The page of document 003 has no program");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}server.mts`, program);
  let given: ServeOptions | undefined;
  watchServe({
    called: (options) => {
      given = options;
      return "hold";
    },
  });
  await import(/* @vite-ignore */ pathToFileURL(`${folder}server.mts`).href);
  watchServe(undefined);
  if (given === undefined) throw new Error("The program on the page of document 003 serves nothing");
  return given;
}

let options: Promise<ServeOptions> | undefined;

/** The server on the page of source 003, as written there, on a free port. */
export async function startPageServer(): Promise<Served> {
  options ??= readPageServer();
  return serve({ ...(await options), config: false, logLevel: "silent", http: { port: 0 } });
}
