import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isFullRun } from "../../arbitrary/law-runs.ts";
import { type Browser, hasChromium, openChromium } from "../../services/chromium.fixture.ts";
import { type RedisServer, hasRedis, startRedis } from "../../services/redis.fixture.ts";
import {
  type ShownGateway,
  buildPage,
  openTab,
  problemsAtEverySize,
  removeFolder,
  showGateway,
} from "./dashboard-page.fixture.ts";

const WAIT = { timeout: 30_000, interval: 50 };
const canRun = hasChromium() && hasRedis() && isFullRun;

describe.skipIf(!canRun)("the page of one of two replicas that share a Redis", () => {
  let folder: string | undefined;
  let browser: Browser;
  let redis: RedisServer;
  let replicas: ShownGateway[];
  let tab: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = await buildPage();
    [browser, redis] = await Promise.all([openChromium(), startRedis()]);
    const pages = folder;
    const start = () => showGateway(pages, { actions: true }, { store: redis.url });
    replicas = await Promise.all([start(), start()]);
    ({ tab, complaints } = await openTab(browser.context));
    tab.setDefaultTimeout(WAIT.timeout);
  });

  afterAll(async () => {
    await browser?.close();
    for (const replica of replicas ?? []) await replica.close();
    await redis?.stop();
    removeFolder(folder);
  });

  const callsShown = (): Promise<string | null> =>
    tab.locator(".figure", { hasText: "Calls" }).first().locator("strong").textContent();

  it("shows the calls of both, and on request those of one", async () => {
    const [one, two] = replicas;
    if (one === undefined || two === undefined) throw new Error("A replica is missing");
    await one.call("get_ticket", { id: "ticket-1" });
    for (let at = 0; at < 2; at++) await two.call("count_tickets");
    await tab.goto(one.link);
    const choice = tab.getByRole("combobox", { name: "Replica" });
    await choice.waitFor();
    await vi.waitFor(async () => expect(await callsShown()).toBe("3"), WAIT);
    const names = await choice.locator("option").allTextContents();
    expect(names).toHaveLength(3);
    expect(names[0]).toBe("All replicas");
    const own = names.find((name) => name.endsWith(" (this one)")) ?? "";
    const other = names.slice(1).find((name) => name !== own) ?? "";
    const tools = tab.getByRole("main").locator("tbody");
    await choice.selectOption({ label: other });
    await vi.waitFor(async () => expect(await callsShown()).toBe("2"), WAIT);
    expect(tab.url()).toContain(`replica=${other}`);
    expect((await tools.allTextContents()).join()).not.toContain("get_ticket");
    await choice.selectOption({ label: own });
    await vi.waitFor(async () => expect(await callsShown()).toBe("1"), WAIT);
    expect((await tools.allTextContents()).join()).not.toContain("count_tickets");
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await tab.setViewportSize({ width: 1_280, height: 900 });
    await choice.selectOption({ label: "All replicas" });
    await vi.waitFor(async () => expect(await callsShown()).toBe("3"), WAIT);
    expect(complaints).toEqual([]);
  });

  it("goes on counting the calls of the chosen replica as they come", async () => {
    const [, two] = replicas;
    const choice = tab.getByRole("combobox", { name: "Replica" });
    const names = await choice.locator("option").allTextContents();
    await choice.selectOption({ label: names.slice(1).find((name) => !name.includes("(this one)")) ?? "" });
    await vi.waitFor(async () => expect(await callsShown()).toBe("2"), WAIT);
    await two?.call("get_ticket", { id: "ticket-2" });
    await vi.waitFor(async () => expect(await callsShown()).toBe("3"), WAIT);
  });
});
