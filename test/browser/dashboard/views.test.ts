import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Locator, Page } from "playwright-core";
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

const checked = {
  score: 82,
  reasons: [{ text: "1 error", points: 18 }],
  counts: { error: 1, warning: 0, info: 0, passed: 40, untested: 3 },
  calls: 12,
  durationMs: 1_500,
  findings: [
    {
      rule: "result/failure-as-success",
      severity: "error",
      tool: "get_ticket",
      message: "A failure is sent as a success.",
      fix: "Set isError.",
    },
  ],
} as const;

describe.skipIf(!hasChromium() || !isFullRun)("the dashboard beside a gateway that works", () => {
  let folder: string | undefined;
  let browser: Browser;
  let shown: ShownGateway;
  let tab: Page;
  let complaints: string[];

  const open = async (place: string): Promise<void> => {
    await tab.goto(`${new URL(shown.link).origin}/#/${place}`);
    await tab.locator("h1").waitFor();
    await tab.locator(".loading").waitFor({ state: "detached" });
  };
  /** The newest row of the list that shows this text. */
  const rowWith = (text: string): Locator => tab.locator('[role="row"]').filter({ hasText: text }).first();
  const choice = (name: string): Locator =>
    tab.locator("label").filter({ hasText: name }).locator("select").first();
  const openCall = async (text: string): Promise<void> => {
    await open("traffic");
    await rowWith(text).click();
    await tab.getByText("As it travelled").first().waitFor();
  };

  beforeAll(async () => {
    folder = await buildPage();
    browser = await openChromium();
    shown = await showGateway(folder, {
      actions: true,
      bodies: true,
      check: async (_upstream, tell) => {
        tell("Calling tools", 3, 12);
        return checked;
      },
    });
    ({ tab, complaints } = await openTab(browser.context));
    await tab.goto(shown.link);
    await shown.call("get_ticket", { id: "ticket-1" });
    await shown.call("list_tickets", { count: 300 });
    await shown.call("get_ticket", { id: "nobody" });
    await shown.call("close_ticket", { id: "ticket-1" });
  });

  afterAll(async () => {
    await browser?.close();
    await shown?.close();
    removeFolder(folder);
  });

  it("keeps no token in its address, and no script can read its cookie", async () => {
    await open("");
    expect(tab.url()).not.toContain("token");
    expect(await tab.evaluate("document.cookie")).toBe("");
    const again = await browser.context.newPage();
    const answer = await again.request.get(shown.link, { maxRedirects: 0, headers: { cookie: "" } });
    expect(answer.status()).not.toBe(200);
    await again.close();
  });

  it("says first what was saved", async () => {
    await open("");
    await tab.getByText("Tokens saved").waitFor();
    await expect.poll(() => tab.getByText("% of what servers sent").count()).toBe(1);
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("lists calls as they end, and opens one by keyboard", async () => {
    await open("traffic");
    await tab.setViewportSize({ width: 1_280, height: 900 });
    const grid = tab.getByRole("grid");
    const before = Number(await grid.getAttribute("aria-rowcount"));
    await shown.call("get_ticket", { id: "ticket-7" });
    await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe(`${before + 1}`);
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await grid.focus();
    await tab.keyboard.press("Home");
    await tab.keyboard.press("Enter");
    await tab.getByRole("heading", { name: "get_ticket" }).waitFor();
    await tab.getByText("it left as the very bytes that the server sent").waitFor();
  });

  it("shows a cut as it travelled, in every dialect and profile", async () => {
    await openCall("partial");
    const stages = await tab.locator(".stages h3").allTextContents();
    expect(stages).toEqual(["outcome", "shape", "fit", "archive", "dialect", "deliver"]);
    await expect.poll(() => tab.locator(".stages .tokens strong").count()).toBe(6);
    expect(await problemsAtEverySize(tab)).toEqual([]);
    const dialects = choice("Dialect");
    await expect.poll(() => dialects.locator("option").count()).toBeGreaterThan(5);
    const names = await dialects
      .locator("option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("value") ?? ""));
    for (const name of names.filter((one) => one !== "")) {
      await dialects.selectOption(name);
      await tab.getByText(`After: ${name}`).first().waitFor();
    }
    await choice("Profile").selectOption("debug");
    await tab
      .getByText(/After: .* debug/)
      .first()
      .waitFor();
  });

  it("brings back what was left out, verified, and answers questions about the whole", async () => {
    await openCall("partial");
    await tab.getByRole("button", { name: "Retrieve and verify" }).first().click();
    await tab.getByText("their SHA-256 is the one that was announced").first().waitFor();
    await tab.getByRole("button", { name: "count_by(tickets, &state)" }).click();
    const answer = tab.getByRole("status").filter({ hasText: "Computed from" }).last();
    await expect.poll(() => answer.textContent()).toMatch(/open\W+100/);
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await tab.getByLabel("Ask it").fill("count_by(");
    await tab.getByRole("button", { name: "Ask", exact: true }).click();
    await tab.getByRole("alert").waitFor();
  });

  it("says of a failure what the model was told", async () => {
    await openCall("FORBIDDEN");
    await tab.getByText("What the model was told").waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("calls a tool with a form that its schema makes", async () => {
    await open("tools");
    await tab.getByText("list_tickets").first().waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await open("tools/tickets/list_tickets");
    await tab.getByLabel(/^count/).fill("no number");
    await tab.getByRole("button", { name: "Call list_tickets" }).click();
    await tab.getByText("to mend first").waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await tab.getByLabel(/^count/).fill("200");
    await tab.getByRole("button", { name: "Call list_tickets" }).click();
    await tab.getByText(/See call \d+ as it travelled/).click();
    await tab.getByText("called from the dashboard").waitFor();
  });

  it("searches what is kept, reads it and verifies it", async () => {
    await open("archive");
    await tab.getByLabel("Words").fill("Parcel 277");
    await tab.getByRole("button", { name: "Search" }).click();
    await tab.getByText("Parcel 277 was delivered").first().waitFor();
    await tab.getByRole("button", { name: "Verify" }).first().click();
    await tab.getByText("verified", { exact: false }).first().waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("runs a check and shows its report", async () => {
    await open("check");
    await tab.getByRole("button", { name: /check/i }).first().click();
    await tab.getByText("A failure is sent as a success.").waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("changes a budget, and the next call keeps to it", async () => {
    await open("config");
    await tab.setViewportSize({ width: 1_280, height: 900 });
    await tab.getByRole("button", { name: "Change budget.tokens" }).first().click();
    await tab.getByLabel("budget.tokens").fill("-5");
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.locator(".field-problem").first().waitFor();
    await tab.getByLabel("budget.tokens").fill("400");
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.locator(".badge").filter({ hasText: "the dashboard" }).first().waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
    const result = (await shown.call("list_tickets", { count: 30 })) as { content: { text: string }[] };
    expect(result.content.map(({ text }) => text).join("")).toContain("dropped_content_ids");
  });

  it("leaves the keyboard at the row that was changed, and says what was done", async () => {
    await open("config");
    await tab.setViewportSize({ width: 1_280, height: 900 });
    const focused = (): Promise<string | null> => tab.locator(":focus").textContent();
    const change = tab.getByRole("button", { name: "Change budget.tokens" }).first();
    await change.press("Enter");
    await expect.poll(() => tab.locator("input:focus").count()).toBe(1);
    await tab.keyboard.press("Escape");
    await expect.poll(focused).toBe("Change budget.tokens");
    await change.press("Enter");
    await tab.getByLabel("budget.tokens").fill("500");
    await tab.keyboard.press("Enter");
    await tab.getByRole("status").filter({ hasText: "Saved: budget.tokens." }).waitFor();
    await expect.poll(focused).toBe("Change budget.tokens");
    await tab.getByRole("button", { name: "Take it back budget.tokens" }).press("Enter");
    await tab.getByRole("status").filter({ hasText: "Taken back: budget.tokens." }).waitFor();
    await expect.poll(focused).toBe("Change budget.tokens");
  });

  it.each(["traffic", "archive"])("scrolls nothing sideways on a tablet: #/%s", async (place) => {
    await open(place);
    for (const width of [780, 900, 1_010]) {
      await tab.setViewportSize({ width, height: 900 });
      const over = "document.documentElement.scrollWidth > innerWidth || main.scrollWidth > main.clientWidth";
      await expect.poll(() => tab.evaluate(`innerWidth === ${width} && !(${over})`)).toBe(true);
    }
  });

  it("calls nothing live, and no server up, when the gateway has gone", async () => {
    await open("traffic");
    await tab.getByText("Live, newest first.").or(tab.getByText("Held: new calls wait.")).waitFor();
    await shown.close();
    await tab.getByText("Not live: these calls are from before").waitFor();
    const servers = tab.getByRole("region", { name: "Servers" });
    await expect.poll(() => servers.textContent()).toMatch(/unknown$/);
  });

  it("complains of nothing all the while", () => {
    expect(complaints).toEqual([]);
  });
});
