// The system's Chromium, driven over its own protocol: nothing is downloaded.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

export function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH: told } = process.env;
  return [...(told === undefined ? [] : [told]), ...usualPlaces].find((path) => existsSync(path));
}

/** Whether tests that need a browser can run. */
export function hasChromium(): boolean {
  return chromiumPath() !== undefined;
}

export interface Browser {
  readonly context: BrowserContext;
  /** Ends it and removes its profile. */
  close(): Promise<void>;
}

/** A browser with a fresh profile, which keeps to itself. */
export async function openChromium({ deviceScaleFactor = 1 } = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "waybill-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath() ?? "",
    headless: true,
    deviceScaleFactor,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
