import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // Nothing may be inline: the page's policy lets in only files of the gateway.
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Browsers that know light-dark(): both schemes then stand in one line of the sheet.
    target: ["chrome125", "firefox128", "safari18"],
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // `npx vite --config dashboard/vite.config.ts` beside a gateway whose page is on port 3334.
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:3334" } },
});
