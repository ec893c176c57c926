import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
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

describe.skipIf(!hasChromium() || !isFullRun)("the dashboard beside clients", () => {
  let folder: string;
  let browser: Browser;
  let shown: ShownGateway | undefined;
  let tab: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = await buildPage();
    browser = await openChromium();
    ({ tab, complaints } = await openTab(browser.context));
  });

  afterEach(async () => {
    await shown?.close();
    shown = undefined;
  });

  afterAll(async () => {
    await browser?.close();
    removeFolder(folder);
  });

  const start = async (client: string, bodies = true): Promise<ShownGateway> => {
    shown = await showGateway(folder, { bodies }, {}, client);
    await tab.goto(shown.link);
    return shown;
  };
  const place = async ({ link }: ShownGateway, path: string): Promise<void> => {
    await tab.goto(`${new URL(link).origin}/#/${path}`);
    await tab.locator("h1").waitFor();
    await tab.locator(".loading").waitFor({ state: "detached" });
  };
  const given = (): Promise<string> =>
    tab.getByRole("region", { name: "What the model was given" }).innerText();

  it("shows what the model behind a known client was given, and what was changed for it", async () => {
    const gateway = await start("opencode");
    await gateway.call("count_tickets");
    await place(gateway, "calls/1");
    const says = await given();
    expect(says).toMatch(/opencode\s+by its own name/);
    expect(says).toMatch(/Of its 51,200 bytes\s+\d+\s+0\.\d %/);
    expect(says).toContain("between the texts an empty line");
    expect(says).toContain("[link: overdue, tickets://overdue]");
    expect(says).toContain("ticket-41");
    expect(says).toContain("The structure was added as text");
    expect(says).toMatch(/so sent as text: resource_link/);
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("shows each channel by itself where the client is not known", async () => {
    const gateway = await start("browser-test");
    await gateway.call("count_tickets");
    await place(gateway, "calls/1");
    const says = await given();
    expect(says).toMatch(/Not known\s+it calls itself browser-test/);
    expect(says.match(/If it gets/g)).toHaveLength(2);
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("says without bodies how much it was, and no word of it", async () => {
    const gateway = await start("Cline", false);
    await gateway.call("list_tickets", { count: 300 });
    await gateway.call("get_ticket", { id: "ticket-1" });
    for (const seq of [1, 2]) {
      await place(gateway, `calls/${seq}`);
      const says = await given();
      expect(says).toMatch(/Of its 8,000 characters\s+[\d,]+\s+[\d.]+ %/);
      expect(says).not.toContain("ticket-1");
    }
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("says before the first call what the file of each client needs", async () => {
    const gateway = await start("browser-test");
    await place(gateway, "");
    const choice = tab.getByRole("combobox", { name: "Client" });
    const text = tab.locator(".state pre");
    await expect.poll(() => text.textContent()).toContain("mcpServers");
    for (const [client, word] of [
      ["Gemini CLI", "httpUrl"],
      ["opencode", '"remote"'],
      ["Goose", "extensions:"],
      ["Codex", "[mcp_servers.tickets]"],
    ] as const) {
      await choice.selectOption(client);
      await expect.poll(() => text.textContent()).toContain(word);
    }
    expect(await problemsAtEverySize(tab)).toEqual([]);
    await choice.selectOption("Junie");
    await tab.getByText("It takes servers only as commands").waitFor();
    expect(await problemsAtEverySize(tab)).toEqual([]);
  });

  it("complains of nothing all the while", () => {
    expect(complaints).toEqual([]);
  });
});
