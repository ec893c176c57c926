import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import type { WatchedGateway } from "../../../src/doors/gateway/dashboard/dashboard-parts.ts";
import { type OpenedDashboard, openDashboard } from "../../../src/doors/gateway/dashboard/open-dashboard.ts";
import {
  toolCalls,
  watchedState,
} from "../../../src/doors/gateway/dashboard/traffic/watched-state.fixture.ts";
import { isFullRun } from "../../arbitrary/law-runs.ts";
import { type Browser, hasChromium, openChromium } from "../../services/chromium.fixture.ts";
import { buildPage, openTab, removeFolder } from "./dashboard-page.fixture.ts";

const isRowInTheMiddle = `(() => {
  const { top, height } = document.querySelector('[role="grid"]').getBoundingClientRect();
  const shown = document.elementFromPoint(innerWidth / 2, top + height / 2);
  return shown?.closest('[role="row"]')?.id.startsWith("call-") ?? false;
})()`;

const CALLS = 100_000;
const FAILS_EVERY = 10_000;

describe.skipIf(!hasChromium() || !isFullRun)("a list of 100,000 calls", () => {
  let folder: string | undefined;
  let browser: Browser;
  let dashboard: OpenedDashboard;
  let tab: Page;
  let complaints: string[];
  const upstream = watchedState("archive");
  const gateway: WatchedGateway = { transport: "stdio", urls: () => ({}), upstreams: () => [upstream] };

  const count = (selector: string): Promise<number> => tab.locator(selector).count();
  const grid = (): ReturnType<Page["locator"]> => tab.getByRole("grid");

  beforeAll(async () => {
    folder = await buildPage();
    browser = await openChromium();
    dashboard = await openDashboard(
      gateway,
      { port: 0 },
      { announce: () => undefined, onFailure: () => undefined, pageFolder: folder },
    );
    const call = toolCalls(upstream);
    for (let at = 1; at <= CALLS; at += 1) {
      const fails = at % FAILS_EVERY === 0;
      const text = fails ? "Error: 404 Not Found" : `record ${at}`;
      await call(fails ? "find" : "read", {
        content: [{ type: "text", text }],
        ...(fails ? { isError: true } : {}),
      });
    }
    ({ tab, complaints } = await openTab(browser.context));
    await tab.goto(dashboard.link);
    await tab.goto(`${new URL(dashboard.link).origin}/#/traffic`);
  });

  afterAll(async () => {
    await browser?.close();
    await dashboard?.close();
    removeFolder(folder);
  });

  it("loads all that are kept, and draws only what is in view", async () => {
    await tab.getByRole("button", { name: "Load all that are kept" }).click();
    await expect.poll(() => grid().getAttribute("aria-rowcount"), { timeout: 120_000 }).toBe(`${CALLS + 1}`);
    expect(await count('[role="row"]')).toBeLessThan(120);
  });

  it("is walked by the keyboard from one end to the other", async () => {
    await grid().focus();
    await tab.keyboard.press("End");
    await expect.poll(() => grid().getAttribute("aria-activedescendant")).toBe("call-1");
    expect(await tab.locator("#call-1").isVisible()).toBe(true);
    await tab.keyboard.press("Home");
    await expect.poll(() => grid().getAttribute("aria-activedescendant")).toBe(`call-${CALLS}`);
    await tab.keyboard.press("ArrowDown");
    await expect.poll(() => grid().getAttribute("aria-activedescendant")).toBe(`call-${CALLS - 1}`);
    expect(await count('[role="row"]')).toBeLessThan(120);
  });

  it("shows the rows of any place that is scrolled to", async () => {
    for (const share of [0.25, 0.5, 0.9]) {
      await grid().evaluate((element, part) => (element.scrollTop = element.scrollHeight * part), share);
      await expect.poll(() => tab.evaluate(isRowInTheMiddle)).toBe(true);
    }
  });

  it("is filtered by outcome, tool, error code and request id", async () => {
    await tab.getByLabel("Outcome").selectOption("failed");
    await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe(`${CALLS / FAILS_EVERY + 1}`);
    await tab.getByLabel("Error code").fill("not_found");
    await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe(`${CALLS / FAILS_EVERY + 1}`);
    const request = await tab.locator('[role="row"] .request').first().textContent();
    await tab.getByRole("button", { name: "Clear" }).click();
    await tab.getByLabel("Request id").fill((request ?? "").trim());
    await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe("2");
    await tab.getByLabel("Request id").fill("no such request");
    await tab.getByText("No loaded call passes this filter.").waitFor();
    expect(complaints).toEqual([]);
  });
});
