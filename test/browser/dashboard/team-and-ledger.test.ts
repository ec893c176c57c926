import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WatchedGateway } from "../../../src/doors/gateway/dashboard/dashboard-parts.ts";
import { type OpenedDashboard, openDashboard } from "../../../src/doors/gateway/dashboard/open-dashboard.ts";
import type { LedgerRow } from "../../../src/doors/gateway/ledger/ledger-file.ts";
import { dayOf } from "../../../src/doors/gateway/ledger/ledger.ts";
import { isFullRun } from "../../arbitrary/law-runs.ts";
import { type Browser, hasChromium, openChromium } from "../../services/chromium.fixture.ts";
import { buildPage, openTab, problemsAtEverySize, removeFolder } from "./dashboard-page.fixture.ts";

const DAY_MS = 86_400_000;
const token = "ada-token-0123456789";

function rowOf(daysAgo: number, server: string, tokens_in: number, tokens_out: number): LedgerRow {
  const day = dayOf(new Date(Date.now() - daysAgo * DAY_MS));
  const counts = { calls: 10, is_estimated: daysAgo > 1, cuts: 2, retrievals: 1, errors_repaired: 0 };
  return { day, server, tokens_in, tokens_out, ...counts };
}

const rows: readonly LedgerRow[] = [
  rowOf(40, "long-ago", 900_000, 900_000),
  rowOf(3, "notes", 200_000, 50_000),
  rowOf(1, "a-server-whose-name-is-as-long-as-names-of-servers-may-ever-be-64", 9_000, 9_400),
  rowOf(0, "notes", 84_000, 20_000),
];

const gateway: WatchedGateway = {
  transport: "stdio",
  urls: () => ({}),
  upstreams: () => [],
  ledger: () => Promise.resolve(rows),
};

describe.skipIf(!hasChromium() || !isFullRun)("the page of a team, with the ledger", () => {
  let folder: string | undefined;
  let browser: Browser;
  let opened: OpenedDashboard;
  let tab: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = await buildPage();
    browser = await openChromium();
    opened = await openDashboard(
      gateway,
      { port: 0, auth: { tokens: { ada: token } } },
      { announce: () => undefined, onFailure: () => undefined, pageFolder: folder },
    );
    ({ tab, complaints } = await openTab(browser.context));
    tab.setDefaultTimeout(20_000);
    await tab.goto(opened.link);
  });

  afterAll(async () => {
    await opened.close();
    await browser.close();
    removeFolder(folder);
  });

  it("asks for a token, refuses a wrong one in words, and opens with a right one", async () => {
    expect(new URL(opened.link).search).toBe("");
    const field = tab.getByLabel("Your token for this dashboard");
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await field.fill("a-token-that-nobody-has");
    await tab.getByRole("button", { name: "Sign in" }).click();
    expect(await tab.getByRole("alert").textContent()).toContain("not known");
    await field.fill(token);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByRole("link", { name: "Ledger" }).waitFor();
    expect(tab.url()).not.toContain(token);
  });

  it("shows what each server cost and saved in thirty days, and one server by itself", async () => {
    await tab.getByRole("link", { name: "Ledger" }).click();
    const byServer = tab.getByRole("group", { name: "What each server cost and saved", exact: true });
    await byServer.waitFor();
    const names = await byServer.locator("tbody tr td:first-child").allTextContents();
    expect(names).toEqual(["notes", rows[2]?.server]);
    expect(await tab.locator(".day-bars g").count()).toBe(30);
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await tab.setViewportSize({ width: 1_280, height: 900 });
    await tab.getByLabel("Server").first().selectOption("notes");
    await tab.getByText("75 % of what servers sent").waitFor();
    expect(await byServer.locator("tbody tr").count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
