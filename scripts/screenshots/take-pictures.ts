import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { smallPng } from "./small-png.ts";

export interface Folders {
  /** Of the pictures that the README shows. */
  readonly shown: string;
  /** Of all others. */
  readonly others: string;
}

const sizes = [
  { width: 1_280, height: 872 },
  { width: 360, height: 740 },
] as const;
const TALLEST = 4_000;
const schemes = ["light", "dark"] as const;
/** Shown by the README, one screen of them at the larger size. */
const inReadme = new Set(["overview"]);

const MAX_SHOWN_BYTES = 150_000;
const LONGEST_WAIT_MS = 120_000;

interface View {
  readonly name: string;
  readonly path: string;
  /** What a person does there first. */
  readonly prepare?: ((tab: Page) => Promise<void>) | undefined;
}

async function openNewest(tab: Page, words: string): Promise<void> {
  await tab.locator('[role="row"]').filter({ hasText: words }).first().click();
  await tab.getByText("As it travelled").first().waitFor();
}

/** On a wide screen only the part beside the menu scrolls: the window is made as tall as what is there. */
async function makeRoom(tab: Page, { width, height }: (typeof sizes)[number]): Promise<void> {
  const tall = (await tab.evaluate("document.querySelector('main').scrollHeight")) as number;
  await tab.setViewportSize({ width, height: Math.min(TALLEST, Math.max(height, tall)) });
}

const views: readonly View[] = [
  { name: "overview", path: "" },
  { name: "traffic", path: "traffic" },
  {
    name: "call",
    path: "traffic?tool=read_graph",
    prepare: async (tab) => {
      await openNewest(tab, "partial");
      await tab.getByLabel("Ask it").fill("count_by(entities, &entityType)");
      await tab.getByRole("button", { name: "Ask", exact: true }).click();
      await tab.getByText("Computed from").first().waitFor();
      await tab.getByRole("button", { name: "Retrieve and verify" }).first().click();
      await tab.getByText("their SHA-256 is the one that was announced").first().waitFor();
    },
  },
  { name: "failure", path: "traffic?tool=read_text_file", prepare: (tab) => openNewest(tab, "NOT_FOUND") },
  {
    name: "tools",
    path: "tools",
    prepare: (tab) => tab.getByText("directory_tree").first().waitFor(),
  },
  {
    name: "tool",
    path: "tools/memory/search_nodes",
    prepare: (tab) => tab.getByRole("button", { name: "Call search_nodes" }).waitFor(),
  },
  {
    name: "archive",
    path: "archive",
    prepare: (tab) => tab.getByRole("button", { name: "Verify" }).first().waitFor(),
  },
  {
    name: "check",
    path: "check",
    prepare: async (tab) => {
      await tab.getByRole("button", { name: "Run the check" }).first().click();
      await tab.locator(".score").first().waitFor({ timeout: LONGEST_WAIT_MS });
    },
  },
  { name: "config", path: "config" },
];

/** Every view at both sizes in both schemes. What went wrong with one view is said, and the others are still taken. */
export async function takePictures(context: BrowserContext, link: string, folders: Folders): Promise<void> {
  for (const folder of Object.values(folders)) mkdirSync(folder as string, { recursive: true });
  const tab = await context.newPage();
  await tab.emulateMedia({ reducedMotion: "reduce" });
  await tab.goto(link);
  const { origin } = new URL(link);
  for (const { name, path, prepare } of views) {
    await tab.setViewportSize(sizes[0]);
    await tab.goto(`${origin}/#/${path}`);
    await tab.locator("h1").waitFor();
    await tab.locator(".loading").waitFor({ state: "detached" });
    await prepare?.(tab).catch((error: unknown) => {
      console.error(`${name}: ${String(error)}`);
      process.exitCode = 1;
    });
    for (const size of sizes) {
      await tab.setViewportSize(size);
      for (const colorScheme of schemes) {
        await tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await tab.evaluate(
          "document.activeElement?.blur(); scrollTo(0, 0); document.querySelector('main').scrollTo(0, 0)",
        );
        const isShown = inReadme.has(name) && size === sizes[0];
        if (!isShown) await makeRoom(tab, size);
        // Charts are drawn anew for another scheme or width.
        await tab.waitForTimeout(400);
        const file = isShown
          ? join(folders.shown, `${name}-${colorScheme}.png`)
          : join(folders.others, `${name}-${size.width}-${colorScheme}.png`);
        const picture = smallPng(await tab.screenshot({ fullPage: !isShown }));
        if (isShown && picture.length > MAX_SHOWN_BYTES)
          throw new Error(
            `${file} would have ${picture.length} bytes; at most ${MAX_SHOWN_BYTES} are kept in the repository.`,
          );
        writeFileSync(file, picture);
        console.log(`${file}  ${Math.round(picture.length / 1_000)} kB`);
      }
    }
  }
}
