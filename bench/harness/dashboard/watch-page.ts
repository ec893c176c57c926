import type { CDPSession, Page } from "playwright-core";
import { hasChromium, openChromium } from "../../../test/services/chromium.fixture.ts";
import { quantile } from "../compare-sides.ts";

/** Who has the dashboard open: the page in Chromium, or without Chromium a reader of its events. */
export interface Watcher {
  readonly kind: "Chromium" | "events only";
  /** What the page did since it was opened; undefined without a page. */
  tasks(): Promise<PageTasks | undefined>;
  /** Calls that the dashboard has counted, and those of them that failed. */
  counted(): Promise<{ readonly calls: number; readonly failed: number }>;
  close(): Promise<void>;
}

/** Milliseconds. The browser tells of tasks from 50 ms on; a timer that is late tells of shorter ones too. */
export interface PageTasks {
  readonly longTasks: number;
  readonly longTaskP95: number;
  readonly longestTask: number;
  readonly lateP95: number;
  readonly rows: number;
}

export interface ColdLoad {
  readonly firstPaintMs: number;
  readonly firstContentMs: number;
  readonly transferredBytes: number;
}

interface Seen {
  readonly long: number[];
  readonly late: number[];
}

// Runs in the page before its own scripts do.
const watchTasks = `
  globalThis.seen = { long: [], late: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.long.push(duration);
  }).observe({ type: "longtask", buffered: true });
  let due = performance.now() + 20;
  setInterval(() => {
    const now = performance.now();
    if (seen.late.length < 20000) seen.late.push(Math.max(0, now - due));
    due = now + 20;
  }, 20);
`;

const SETTLE_MS = 2_000;

async function overviewOf(page: Page): Promise<{ calls: number; failed: number }> {
  const answer = (await page.evaluate("fetch('/api/overview').then((answer) => answer.json())")) as {
    totals: { calls: number; failed: number };
  };
  return answer.totals;
}

async function openPage(link: string): Promise<Watcher> {
  const browser = await openChromium();
  const page = await browser.context.newPage();
  await page.addInitScript(watchTasks);
  await page.goto(link);
  await page.goto(`${new URL(link).origin}/#/traffic`);
  await page.waitForLoadState("load");
  await page.waitForTimeout(SETTLE_MS);
  // What loading took is measured by itself.
  await page.evaluate("seen.long.length = 0; seen.late.length = 0");
  return {
    kind: "Chromium",
    tasks: async () => {
      const { long, late } = (await page.evaluate("globalThis.seen")) as Seen;
      const rows = (await page.evaluate("document.querySelectorAll('[role=row], tr').length")) as number;
      return {
        longTasks: long.length,
        longTaskP95: long.length === 0 ? 0 : quantile(long, 0.95),
        longestTask: Math.max(0, ...long),
        lateP95: quantile(late, 0.95),
        rows,
      };
    },
    counted: () => overviewOf(page),
    close: () => browser.close(),
  };
}

/** Signs in as a browser does, and gives the cookie. */
async function signIn(link: string): Promise<string> {
  const answer = await fetch(link, { redirect: "manual" });
  await answer.body?.cancel();
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

async function readEvents(link: string): Promise<Watcher> {
  const { origin } = new URL(link);
  const headers = { cookie: await signIn(link) };
  const ending = new AbortController();
  const events = await fetch(`${origin}/api/events`, { headers, signal: ending.signal });
  const reading = (async () => {
    for await (const _chunk of events.body ?? []);
  })().catch(() => undefined);
  return {
    kind: "events only",
    tasks: async () => undefined,
    counted: async () => {
      const answer = await fetch(`${origin}/api/overview`, { headers });
      return ((await answer.json()) as { totals: { calls: number; failed: number } }).totals;
    },
    close: async () => {
      ending.abort();
      await reading;
    },
  };
}

export function openWatcher(link: string): Promise<Watcher> {
  return hasChromium() ? openPage(link) : readEvents(link);
}

const READ_PAINT = `new Promise((resolve) => {
  const read = () => {
    const at = (name) => performance.getEntriesByName(name)[0]?.startTime;
    const content = at("first-contentful-paint");
    if (content === undefined) return setTimeout(read, 20);
    resolve({ paint: at("first-paint") ?? content, content });
  };
  read();
})`;

async function loadCold(page: Page, session: CDPSession, address: string): Promise<ColdLoad> {
  let transferredBytes = 0;
  const add = ({ encodedDataLength }: { encodedDataLength: number }): void =>
    void (transferredBytes += encodedDataLength);
  session.on("Network.loadingFinished", add);
  await page.goto("about:blank");
  await session.send("Network.clearBrowserCache");
  await page.goto(address, { waitUntil: "load" });
  const { paint, content } = (await page.evaluate(READ_PAINT)) as { paint: number; content: number };
  session.off("Network.loadingFinished", add);
  return { firstPaintMs: paint, firstContentMs: content, transferredBytes };
}

/** Loads the page without a cache again and again; undefined without Chromium. The first load warms the browser up. */
export async function measureColdLoads(
  link: string,
  loads: number,
): Promise<readonly ColdLoad[] | undefined> {
  if (!hasChromium()) return undefined;
  const browser = await openChromium();
  const { context } = browser;
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await page.goto(link);
    const measured: ColdLoad[] = [];
    for (let load = -1; load < loads; load++) {
      const one = await loadCold(page, session, `${new URL(link).origin}/`);
      if (load >= 0) measured.push(one);
    }
    return measured;
  } finally {
    await browser.close();
  }
}
