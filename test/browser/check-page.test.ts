import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckReport } from "../../src/doors/check/report/check-report.ts";
import { checkPage } from "../../src/doors/check/report/page/check-page.ts";
import { hostileReport, sampleReport } from "../../src/doors/check/report/sample-report.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Browser, hasChromium, openChromium } from "../services/chromium.fixture.ts";

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

const changed: CheckReport = sampleReport({
  stale: [{ rule: "list/gone", path: "" }],
  changes: [
    {
      kind: "breaking",
      tool: "read_file",
      path: "/inputSchema/properties/path",
      message: "is not taken any more",
    },
    { kind: "harmless", tool: "write_file", path: "", message: "the tool is new" },
  ],
});

describe.skipIf(!hasChromium() || !isFullRun)("the page of a check in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-check-page-"));
  const asked: string[] = [];
  const complaints: string[] = [];
  let browser: Browser;
  let tab: Page;

  const show = async (report: CheckReport): Promise<void> => {
    const file = join(folder, "page.html");
    writeFileSync(file, checkPage(report));
    await tab.goto(pathToFileURL(file).href);
  };

  beforeAll(async () => {
    browser = await openChromium();
    tab = await browser.context.newPage();
    tab.on("request", (request) => void (request.url().startsWith("file:") || asked.push(request.url())));
    tab.on("console", (message) => void complaints.push(message.text()));
    tab.on("pageerror", (error) => void complaints.push(error.message));
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("runs nothing, asks for nothing and keeps to its own policy, whatever a server is called", async () => {
    await show(hostileReport());
    await tab.mouse.move(200, 200);
    await tab.waitForLoadState("networkidle");
    expect(await tab.evaluate("globalThis.ran ?? false")).toBe(false);
    expect(
      await tab.evaluate("document.querySelectorAll('script, img, iframe, form, link, base').length"),
    ).toBe(0);
    expect(await tab.evaluate("document.querySelectorAll('style').length")).toBe(1);
    expect(asked).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await tab.evaluate("getComputedStyle(document.querySelector('.tiles')).display")).toBe("grid");
  });

  it.each([
    ["a sample", changed],
    ["an attack", hostileReport()],
    [
      "a server that was not reached",
      sampleReport({ isReachable: false, server: null, tools: [], rules: [] }),
    ],
  ])("has nothing to scroll sideways at 360 and 1280: %s", async (_, report) => {
    await show(report);
    for (const width of [360, 1280]) {
      await tab.setViewportSize({ width, height: 800 });
      expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });

  const views = [
    ["dark", 360],
    ["light", 1280],
    ["light", 360],
    ["dark", 1280],
  ] as const;
  it.each(isFullRun ? views : views.slice(0, 1))(
    "has nothing that axe calls serious, %s at %i",
    async (colorScheme, width) => {
      await tab.emulateMedia({ colorScheme });
      await tab.setViewportSize({ width, height: 800 });
      await show(changed);
      // Folded parts are judged as well; the page's policy lets no script in, so axe comes by the browser's own door.
      await tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      await tab.evaluate(axe.source);
      const { violations } = (await tab.evaluate("axe.run(document)")) as AxeResult;
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
      expect(violations.map(({ id }) => id)).toEqual([]);
    },
  );

  it("shows a call when somebody opens it", async () => {
    await show(changed);
    const shown = "document.querySelector('details.call pre').checkVisibility()";
    expect(await tab.evaluate(shown)).toBe(false);
    await tab.click("details.call summary");
    expect(await tab.evaluate(shown)).toBe(true);
  });
});
