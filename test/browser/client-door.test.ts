import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpWorkshop, startHttp } from "../journeys/clients/workshop-process.ts";
import { type Browser, openChromium, hasChromium } from "../services/chromium.fixture.ts";

const page = fileURLToPath(new URL("./page/", import.meta.url));
const entry = fileURLToPath(new URL("../../src/doors/client/index.ts", import.meta.url));
const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** The page as Vite bundles it for production; the entry is resolved as in an installed package. */
async function bundle(folder: string): Promise<void> {
  await build({
    root: page,
    base: "/",
    configFile: false,
    logLevel: "error",
    resolve: { alias: [{ find: /^waybill\/client$/, replacement: entry }] },
    build: { outDir: folder, emptyOutDir: true, modulePreload: { polyfill: false } },
  });
}

async function relay(request: IncomingMessage, response: ServerResponse, workshop: string): Promise<void> {
  const { "content-type": type = "", accept = "" } = request.headers;
  const answer = await fetch(workshop, {
    method: "POST",
    headers: { "Content-Type": type, Accept: accept },
    body: await readText(request),
  });
  response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
  response.end(await answer.text());
}

/** Serves the bundle, and the workshop behind the same origin, so that no rule of browsers is in the way. */
function serve(folder: string, workshop: string): Server {
  return createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (path === "/mcp") {
      void relay(request, response, workshop);
      return;
    }
    const file = join(folder, path === "/" ? "index.html" : path);
    response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
    response.end(readFileSync(file));
  });
}

describe.skipIf(!hasChromium())("waybill/client in Chromium, bundled by Vite", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-page-"));
  let workshop: HttpWorkshop;
  let server: Server;
  let browser: Browser;
  const errors: string[] = [];
  let story: Record<string, unknown> = {};

  beforeAll(async () => {
    await bundle(folder);
    workshop = await startHttp();
    server = serve(folder, workshop.url);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await openChromium();
    const tab = await browser.context.newPage();
    tab.on("pageerror", (error) => errors.push(error.message));
    tab.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.waitForFunction("globalThis.story !== undefined");
    story = (await tab.evaluate("globalThis.story")) as Record<string, unknown>;
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    await workshop?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("reads a cut answer and completes it, its hash checked in the browser", () => {
    expect(story["cut"]).toEqual({
      fidelity: "partial",
      dropped: ["finding-003", "finding-004", "finding-005"],
    });
    expect(story["whole"]).toEqual({ fidelity: "full", findings: 5 });
    expect(story["record"]).toBe("/findings/3");
  });

  it("refuses archived content that is not what its hash says", () => {
    expect(story["tampered"]).toBe("HASH_MISMATCH");
  });

  it("walks through every page, and meets every task once", () => {
    expect(story["tasks"]).toEqual({ count: 150, different: 150 });
  });

  it("turns a failure into an error with its code", () => {
    expect(story["missing"]).toBe("NOT_FOUND");
  });

  it("loads the strict validator and other dialects when they are needed", () => {
    expect([story["strict"], story["scalpel"]]).toEqual(["full", "scalpel"]);
    const scripts = readdirSync(join(folder, "assets")).filter((file) => file.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(1);
  });

  it("says nothing on the console", () => {
    expect(errors).toEqual([]);
  });
});
