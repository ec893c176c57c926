// `npm run screenshots`: pictures of every view of the dashboard, beside a real gateway in front of four real servers.
// It takes some two minutes. Those that the README shows go to docs/pictures, the others to .cache/screenshots.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkServers } from "../examples/gateway/check-servers.ts";
import type { DashboardOptions } from "../src/doors/gateway/dashboard/dashboard-parts.ts";
import { openGateway } from "../src/doors/gateway/create-gateway.ts";
import type { Gateway } from "../src/doors/gateway/gateway-options.ts";
import { buildPage, removeFolder } from "../test/browser/dashboard/dashboard-page.fixture.ts";
import { hasChromium, openChromium } from "../test/services/chromium.fixture.ts";
import { fillProjects } from "./screenshots/errands.ts";
import { setClockBack } from "./screenshots/faster-clock.ts";
import { makeTraffic } from "./screenshots/make-traffic.ts";
import { takePictures } from "./screenshots/take-pictures.ts";

/** What the charts show at first, and how long its traffic really takes. */
const SHOWN_MS = 600_000;
const TAKES_MS = 100_000;
const WARM_MS = 6_000;

const root = fileURLToPath(new URL("../", import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** A server of node_modules as a command. */
function published(name: string, ...args: string[]) {
  const folder = dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`));
  return { command: process.execPath, args: [join(folder, "dist/index.js"), ...args] };
}

if (!hasChromium()) {
  console.error("These pictures need Chromium; CHROMIUM_PATH says where it is.");
  process.exit(1);
}

const scratch = mkdtempSync(join(tmpdir(), "waybill-screenshots-"));
const projects = join(scratch, "projects");
mkdirSync(projects);
fillProjects(projects);
const upstreams = {
  files: { ...published("filesystem", "."), cwd: projects },
  memory: { ...published("memory"), env: { MEMORY_FILE_PATH: join(scratch, "memory.jsonl") } },
  workshop: { command: process.execPath, args: ["--import", "tsx", "examples/workshop/stdio.ts"], cwd: root },
  everything: published("everything", "stdio"),
};

const pageFolder = await buildPage();
const clock = setClockBack(SHOWN_MS, TAKES_MS);
const open = (dashboard?: DashboardOptions): Gateway =>
  openGateway(
    { upstreams, http: { port: 0 }, store: "memory", logLevel: "silent", dashboard },
    { pageFolder, announce: () => undefined, serverNote: () => undefined },
  );

// The first calls of a process load what the later ones find: the pictures show how it is after that.
const first = open();
const warm = performance.now() + WARM_MS;
await makeTraffic((await first.listen()).urls, () => performance.now() > warm);
await first.close();

const gateway = open({ port: 0, actions: true, bodies: true, check: checkServers(upstreams) });
const browser = await openChromium({ deviceScaleFactor: 2 });
try {
  const { urls, dashboard = "" } = await gateway.listen();
  clock.start();
  await makeTraffic(urls, clock.isOver);
  const folders = { shown: join("docs", "pictures"), others: join(".cache", "screenshots") };
  await takePictures(browser.context, dashboard, folders);
} finally {
  await browser.close();
  await gateway.close();
  removeFolder(pageFolder);
  rmSync(scratch, { recursive: true, force: true });
}
