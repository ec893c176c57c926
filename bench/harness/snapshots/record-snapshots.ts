// Snapshots of real pages, as @playwright/mcp takes them in Chromium. They are kept in .cache, where a second run finds
// them; without the network a page takes half a second.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chromiumPath } from "../../../test/services/chromium.fixture.ts";

const server = "@playwright/mcp";
const manifest = createRequire(import.meta.url).resolve(`${server}/package.json`);
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
const folder = fileURLToPath(new URL(`../../../.cache/snapshots-${version}/`, import.meta.url));

export interface PageSnapshot {
  readonly page: string;
  readonly text: string;
}

/** What is kept of an earlier run, else what is recorded now; undefined if neither is possible, which a line says. */
export async function readSnapshots(data: string): Promise<readonly PageSnapshot[] | undefined> {
  const pages = join(data, "articles/html");
  if (!existsSync(pages)) {
    console.log(`No articles/html in ${data}: name a folder with --data.`);
    return undefined;
  }
  const names = readdirSync(pages).filter((name) => name.endsWith(".html.gz"));
  const isMissing = (name: string): boolean => !existsSync(recordOf(name));
  const missing = names.filter(isMissing);
  const chromium = chromiumPath();
  if (missing.length > 0 && chromium === undefined) {
    console.log(
      "Chromium is not installed, so no snapshot can be taken: install it, or name it in CHROMIUM_PATH.",
    );
    return undefined;
  }
  if (chromium !== undefined) await record(pages, missing, chromium);
  return names.map((name) => ({ page: name.slice(0, 8), text: readFileSync(recordOf(name), "utf8") }));
}

function recordOf(name: string): string {
  return join(folder, name.replace(/\.html\.gz$/, ".txt"));
}

async function record(pages: string, names: readonly string[], chromium: string): Promise<void> {
  if (names.length === 0) return;
  mkdirSync(folder, { recursive: true });
  console.log(`${names.length} pages are opened in Chromium.`);
  const site = await servePages(pages);
  const client = await startBrowser(site.origin, chromium);
  try {
    for (const name of names) {
      await call(client, "browser_navigate", { url: `${site.origin}/${name}` });
      const text = await call(client, "browser_snapshot", {});
      // A port is new in each run.
      writeFileSync(recordOf(name), text.replaceAll(site.origin, "http://127.0.0.1:8080"));
    }
  } finally {
    await client.close();
    site.server.closeAllConnections();
    site.server.close();
  }
}

/** Only the pages themselves: whatever they ask for besides is not there. */
async function servePages(pages: string): Promise<{ readonly server: Server; readonly origin: string }> {
  const site = createServer(({ url = "/" }, response) => {
    const file = join(pages, url.slice(1));
    if (!/^\/[0-9a-f]+\.html\.gz$/.test(url) || !existsSync(file)) response.writeHead(404).end();
    else response.setHeader("content-type", "text/html; charset=utf-8").end(gunzipSync(readFileSync(file)));
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  return { server: site, origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}` };
}

/** Nothing listens at its proxy, so every address but loopback fails at once. */
const NOWHERE = "http://127.0.0.1:9";

async function startBrowser(origin: string, chromium: string): Promise<Client> {
  const flags = ["--headless", "--isolated", "--no-sandbox", "--executable-path", chromium];
  const alone = ["--allowed-origins", origin, "--proxy-server", NOWHERE, "--proxy-bypass", "127.0.0.1"];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(dirname(manifest), "cli.js"), ...flags, ...alone, "--output-dir", join(folder, "output")],
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  if (result.isError === true) throw new Error(`${name} ${JSON.stringify(args)}: ${text.slice(0, 300)}`);
  return text;
}
