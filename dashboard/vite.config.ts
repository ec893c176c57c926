import { readFileSync } from "node:fs";
import { type Plugin, defineConfig } from "vite";

/** What is bundled into the page, and may only be passed on with its licence. */
const bundled = ["preact", "@preact/signals", "@preact/signals-core", "uplot"];

/** Writes licenses.txt beside the page. */
const licenses: Plugin = {
  name: "waybill-licenses",
  generateBundle() {
    const texts = bundled.map((name) => {
      const text = readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), "utf8");
      return `${name}\n\n${text.trim()}\n`;
    });
    this.emitFile({ type: "asset", fileName: "licenses.txt", source: texts.join("\n---\n\n") });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [licenses],
  // Nothing may be inline: the page's policy lets in only files of the gateway.
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Browsers that know light-dark(): both schemes are then in one line of the sheet.
    target: ["chrome125", "firefox128", "safari18"],
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // `npx vite --config dashboard/vite.config.ts` beside a gateway whose page is on port 3334.
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:3334" } },
});
