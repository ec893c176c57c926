import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareForms } from "../../src/cli/tokens/write-forms.ts";
import { comparisonPage } from "../../src/cli/tokens/comparison-page.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Browser, hasChromium, openChromium } from "../services/chromium.fixture.ts";

const records = Array.from({ length: 400 }, (_, id) => ({
  id,
  name: `Room ${id}`,
  floor: id % 9,
  open: true,
}));
const longName = `${"a-very-long-name-without-a-break".repeat(4)}.json`;

describe.skipIf(!hasChromium() || !isFullRun)("the page of a comparison in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-comparison-page-"));
  const complaints: string[] = [];
  let browser: Browser;
  let tab: Page;

  const show = async (source: string, text: string): Promise<void> => {
    const file = join(folder, "page.html");
    writeFileSync(file, comparisonPage(await compareForms(source, text, 8_000)));
    await tab.goto(pathToFileURL(file).href);
  };

  beforeAll(async () => {
    browser = await openChromium();
    tab = await browser.context.newPage();
    tab.on(
      "request",
      (request) => void (request.url().startsWith("file:") || complaints.push(request.url())),
    );
    tab.on("console", (message) => void complaints.push(message.text()));
    tab.on("pageerror", (error) => void complaints.push(error.message));
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    [360, "rooms.json"],
    [360, longName],
    [820, "rooms.json"],
    [1_920, longName],
  ])("never scrolls sideways, %s pixels wide", async (width, source) => {
    await tab.setViewportSize({ width, height: 800 });
    await show(source, JSON.stringify(records, null, 2));
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(complaints).toEqual([]);
  });

  it.each(["light", "dark"] as const)("has no barrier that axe finds, %s", async (colorScheme) => {
    await tab.emulateMedia({ colorScheme });
    for (const text of [JSON.stringify(records), "no JSON at all"]) {
      await show("rooms.json", text);
      await tab.evaluate(axe.source);
      const { violations } = (await tab.evaluate("axe.run()")) as { violations: readonly { id: string }[] };
      expect(violations.map(({ id }) => id)).toEqual([]);
    }
  });
});
