import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestPage } from "../../src/engine/digest/page/digest-page.ts";
import { sampleDigest } from "../../src/engine/digest/page/sample-digest.fixture.ts";
import { type Browser, openChromium, hasChromium } from "../services/chromium.fixture.ts";

/** What a page would do to be noticed: run, or ask this server for something. */
function attacksOn(origin: string): string[] {
  const run = "globalThis.ran=true";
  return [
    `<script>${run}</script>`,
    `</script><script src="${origin}/a.js"></script>`,
    `<img src="${origin}/b.png" onerror="${run}">`,
    `<svg onload="${run}"><use href="${origin}/c.svg#x"/></svg>`,
    `<iframe src="${origin}/d"></iframe>`,
    `<link rel="stylesheet" href="${origin}/e.css">`,
    `</style><style>body{background:url(${origin}/f.png)}`,
    `<meta http-equiv="refresh" content="0;url=${origin}/g">`,
    `<base href="${origin}/">`,
    `<form action="${origin}/h"><input autofocus onfocus="${run}"></form>`,
    `" onmouseover="${run}" x="`,
    `</mark></p></article></main></body></html><script>${run}</script>`,
    `<a href="javascript:${run}" id="evidence-1">click</a>`,
  ];
}

describe.skipIf(!hasChromium())("the page of a digest in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-digest-page-"));
  const asked: string[] = [];
  const complaints: string[] = [];
  let server: Server;
  let browser: Browser;
  let tab: Page;

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const attacks = attacksOn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const text = [...attacks, "The mill burned down in 1831.", ...attacks].join("\n\n");
    const quotes = ["The mill burned down in 1831.", ...attacks.slice(0, 3)];
    const input = await sampleDigest({
      text,
      title: attacks.join(" "),
      evidence: quotes,
      summary: attacks.slice(3, 6),
      keyPoints: attacks.slice(6, 9),
      url: `javascript:${attacks[0] ?? ""}`,
    });
    const warnings = attacks.map((message) => ({ message }));
    const file = join(folder, "page.html");
    writeFileSync(file, digestPage({ ...input, warnings }, { query: attacks.join(" ") }));
    browser = await openChromium();
    tab = await browser.context.newPage();
    tab.on("request", (request) => void (request.url().startsWith("file:") || asked.push(request.url())));
    tab.on("console", (message) => void complaints.push(message.text()));
    tab.on("pageerror", (error) => void complaints.push(error.message));
    await tab.goto(pathToFileURL(file).href);
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("runs nothing and asks for nothing, whatever the document holds", async () => {
    await tab.mouse.move(300, 300);
    await tab.waitForLoadState("networkidle");
    expect(await tab.evaluate("globalThis.ran ?? false")).toBe(false);
    expect(
      await tab.evaluate("document.querySelectorAll('script, img, iframe, form, link, base').length"),
    ).toBe(0);
    expect(asked).toEqual([]);
  });

  it("keeps to its own policy: the style is in force and nothing is complained about", async () => {
    expect(complaints).toEqual([]);
    expect(
      await tab.evaluate("getComputedStyle(document.querySelector('article p')).whiteSpaceCollapse"),
    ).toBe("preserve-breaks");
  });

  it("leads from a quote in the list to its mark, and back", async () => {
    await tab.click("#quote-1 blockquote a");
    expect(await tab.evaluate("document.querySelector('mark:target').textContent")).toBe(
      "The mill burned down in 1831.",
    );
    await tab.click("a.tag[href='#quote-1']");
    expect(await tab.evaluate("document.querySelector(':target').id")).toBe("quote-1");
  });

  it.each([390, 1280])("has nothing to scroll sideways at a width of %i", async (width) => {
    await tab.setViewportSize({ width, height: 800 });
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });
});
