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

function isEvents(address: string): boolean {
  const { pathname } = new URL(address);
  return pathname === "/api/events" || pathname === "/api/hello";
}

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
    shown = await showGateway(folder, { check: () => Promise.reject(new Error("Nobody checks here.")) });
    ({ tab, complaints } = await openTab(browser.context));
    await tab.goto(shown.link);
  });

  afterAll(async () => {
    await browser?.close();
    await shown?.close();
    removeFolder(folder);
  });

  const open = async (place: string): Promise<void> => {
    await tab.goto(`${new URL(shown.link).origin}/#/${place}`);
    await tab.locator("h1").waitFor();
  };

  it.each(places)("says what to do where nothing is there yet: #/%s", async (place) => {
    await open(place);
    await tab.locator(".loading").waitFor({ state: "detached" });
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it.each([
    ["tools/tickets/close_ticket", "Calling tools is switched off."],
    ["check", "--dashboard-actions"],
    ["config", "--dashboard-actions"],
  ])("names the flag that switches on what is off: #/%s", async (place, says) => {
    await open(place);
    await tab.getByText(says).first().waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it.each([
    ["calls/999999", "Try again"],
    ["nowhere", "This address leads to no view."],
  ])("says so where an address leads to nothing: #/%s", async (place, says) => {
    await open(place);
    await tab.getByText(says).first().waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it.each(["tools", "archive", "check", "config"])(
    "shows that an answer is on its way: #/%s",
    async (place) => {
      await tab.route(
        "**/api/**",
        (route) => void (isEvents(route.request().url()) ? route.continue() : undefined),
      );
      await tab.goto("about:blank");
      await open(place);
      await tab.locator(".loading").first().waitFor();
      expect(await problemsAtEverySize(tab)).toEqual([]);
      await tab.unrouteAll({ behavior: "ignoreErrors" });
    },
  );

  it.each(["tools", "archive", "check", "config"])(
    "says what went wrong, and tries again when it is told to: #/%s",
    async (place) => {
      const error = { code: "failed", message: "The store does not answer.", remedy: "Look at the log." };
      await tab.route("**/api/**", (route) =>
        isEvents(route.request().url())
          ? route.continue()
          : route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ error }) }),
      );
      await tab.goto("about:blank");
      await open(place);
      await tab.getByText("The store does not answer.").first().waitFor();
      await tab.getByText("Look at the log.").first().waitFor();
      expect(await problemsAtEverySize(tab)).toEqual([]);
      await tab.unrouteAll({ behavior: "ignoreErrors" });
      await tab.getByRole("button", { name: "Try again" }).first().click();
      await tab.getByText("The store does not answer.").first().waitFor({ state: "detached" });
    },
  );

  it.each(["calls/1", "archive"])("shows no content where that is switched off: #/%s", async (place) => {
    await shown.call("list_tickets", { count: 200 });
    await open(place);
    await tab.getByText("--dashboard-bodies").first().waitFor();
    expect(await tab.locator("body").textContent()).not.toContain("Parcel");
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("says that a browser is not signed in, and how to sign in", async () => {
    await browser.context.clearCookies();
    const { tab: stranger } = await openTab(browser.context);
    await stranger.goto(new URL(shown.link).origin);
    await stranger.locator("h1").waitFor();
    expect(await stranger.locator("body").textContent()).toContain("link");
    expect(await problemsAtEverySize(stranger)).toEqual([]);
    await stranger.close();
  });

  it("says that the gateway is gone, keeps what it showed, and tries to connect by itself", async () => {
    await tab.goto("about:blank");
    await shown.close();
    shown = await showGateway(folder ?? "", {});
    await tab.goto(shown.link);
    await tab.getByText("No call has passed yet.").waitFor();
    const tries: string[] = [];
    tab.on("request", (request) => void (isEvents(request.url()) && tries.push(request.url())));
    await shown.close();
    await tab.getByText("Disconnected.").waitFor();
    expect(await tab.getByText("No call has passed yet.").isVisible()).toBe(true);
    expect(await problemsAtEverySize(tab)).toEqual([]);
    expect(await tab.getByRole("region", { name: "Servers" }).textContent()).toContain("unknown");
    await expect.poll(() => tries.length, { timeout: 60_000 }).toBeGreaterThan(1);
  });

  it("complains of nothing all the while", () => {
    expect(complaints).toEqual([]);
  });
});
