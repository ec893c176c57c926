// The dashboard as a person has it: a real gateway in front of a real server, the built page, the system's Chromium.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { build } from "vite";
import type { DashboardOptions } from "../../../src/doors/gateway/dashboard/dashboard-parts.ts";
import { openGateway } from "../../../src/doors/gateway/create-gateway.ts";
import type { Gateway, GatewayOptions } from "../../../src/doors/gateway/gateway-options.ts";

const server = fileURLToPath(new URL("records-server.fixture.ts", import.meta.url));
const configFile = fileURLToPath(new URL("../../../dashboard/vite.config.ts", import.meta.url));

/** Builds the page into a folder of its own; the test that asked removes it. */
export async function buildPage(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "waybill-dashboard-"));
  await build({ configFile, logLevel: "error", build: { outDir, emptyOutDir: true } });
  return outDir;
}

export interface ShownGateway {
  readonly gateway: Gateway;
  readonly link: string;
  /** Calls a tool as a client of the gateway. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** A gateway over HTTP with a dashboard, in front of the server with tickets. */
export async function showGateway(
  pageFolder: string,
  dashboard: DashboardOptions = { actions: true, bodies: true },
  more: Partial<GatewayOptions> = {},
  clientName = "browser-test",
): Promise<ShownGateway> {
  const gateway = openGateway(
    {
      upstreams: { tickets: { command: process.execPath, args: ["--import", "tsx", server] } },
      http: { port: 0 },
      store: "memory",
      budget: { tokens: 1_000 },
      logLevel: "silent",
      ...more,
      dashboard: { port: 0, ...dashboard },
    },
    { pageFolder, announce: () => undefined, serverNote: () => undefined },
  );
  const { urls, dashboard: link = "" } = await gateway.listen();
  let client: Client | undefined;
  const connected = async (): Promise<Client> => {
    if (client !== undefined) return client;
    client = new Client({ name: clientName, version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(urls["tickets"] ?? "")));
    return client;
  };
  return {
    gateway,
    link,
    call: async (name, args = {}) => (await connected()).callTool({ name, arguments: args }),
    close: async () => {
      await client?.close().catch(() => undefined);
      await gateway.close();
    },
  };
}

export function removeFolder(folder: string | undefined): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** A tab that notes what the page complains about: errors, and what its policy refuses. */
export async function openTab(context: BrowserContext): Promise<{ tab: Page; complaints: string[] }> {
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on("console", (message) => {
    // The browser itself reports every answer over 399 and every lost connection; tests of these states cause them.
    if (message.type() === "error" && !/Failed to load resource|net::ERR_/.test(message.text()))
      complaints.push(message.text());
  });
  tab.on("pageerror", (error) => complaints.push(error.message));
  return { tab, complaints };
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Whatever axe finds, serious or not. The page's policy lets no script in, so axe comes by the browser's own door. */
async function axeFindings(tab: Page): Promise<string[]> {
  if (!(await tab.evaluate("'axe' in globalThis"))) await tab.evaluate(axe.source);
  const { violations } = (await tab.evaluate(
    "axe.run(document, { resultTypes: ['violations'] })",
  )) as AxeResult;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
}

const widths = [360, 1_280, 2_560] as const;
/** Resolves when the page is drawn at this size and in this scheme: colours on their way are no colours to judge. */
const drawnAt = (width: number, scheme: string): string => `(async () => {
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  while (innerWidth !== ${width} || !matchMedia("(prefers-color-scheme: ${scheme})").matches) await frame();
  await frame();
  await frame();
  const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime));
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  await frame();
})()`;
const schemes = ["light", "dark"] as const;

/** What is wrong with what is shown at three widths, in both schemes; nothing is reloaded between them. */
export async function problemsAtEverySize(tab: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const width of widths) {
    await tab.setViewportSize({ width, height: 900 });
    for (const colorScheme of schemes) {
      await tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await tab.evaluate(drawnAt(width, colorScheme));
      const at = `${width} ${colorScheme}`;
      const wide = (await tab.evaluate("document.documentElement.scrollWidth")) as number;
      if (wide > width) problems.push(`${at}: scrolls sideways, ${wide} px`);
      problems.push(...(await axeFindings(tab)).map((finding) => `${at}: ${finding}`));
    }
  }
  return problems;
}
