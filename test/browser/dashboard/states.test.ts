import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { isFullRun } from "../../arbitrary/law-runs.ts";
import { type Browser, hasChromium, openChromium } from "../../services/chromium.fixture.ts";
import {
  type ShownGateway,
  buildPage,
  openTab,
  problemsAtEverySize,
  removeFolder,
  showGateway,
} from "./dashboard-page.fixture.ts";

const places = ["", "traffic", "tools", "archive", "check", "config"] as const;

describe.skipIf(!hasChromium() || !isFullRun)("the dashboard in states without traffic", () => {
  let folder: string | undefined;
  let browser: Browser;
  let shown: ShownGateway;
  let tab: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = await buildPage();
    browser = await openChromium();
    shown = await showGateway(folder, {});
    ({ tab, complaints } = await openTab(browser.context));
    await tab.goto(shown.link);
  });

  afterAll(async () => {
    await browser?.close();
    await shown?.close();
    removeFolder(folder);
  });

  it.each(places)("says what to do where nothing is there yet: #/%s", async (place) => {
    await tab.goto(`${new URL(shown.link).origin}/#/${place}`);
    await tab.locator("h1").waitFor();
    await tab.locator(".loading").waitFor({ state: "detached" });
    expect(await problemsAtEverySize(tab)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
