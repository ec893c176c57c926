import { allBlocks, pageFiles, readText } from "./read-blocks.ts";

/** A piece of code in a sentence of a page. */
export interface Span {
  readonly page: string;
  readonly code: string;
}

function spansIn(page: string): Span[] {
  const prose = readText(page)
    .replaceAll(/^\s*(`{3,}|~{3,})[^]*?^\s*\1/gm, "")
    .replaceAll(/<!--[^]*?-->/g, "");
  return Array.from(prose.matchAll(/(`+)([^]*?[^`])\1(?!`)/g), ([, , code = ""]) => ({
    page,
    code: code.trim(),
  }));
}

/** Every piece of code between backquotes. */
export const spans: readonly Span[] = pageFiles.flatMap(spansIn);

/** Lines of blocks that are typed into a shell; transcripts are left out, since they are run and may show mistakes. */
export const commandLines: readonly Span[] = allBlocks.flatMap(({ page, language, code }) =>
  language === "sh" || language === ""
    ? code
        .split("\n")
        .filter((line) => /\bwaybill /.test(line))
        .map((line) => ({ page, code: line }))
    : [],
);

/** Options that the command line does not have, each with whose they are. */
export const foreignFlags: ReadonlySet<string> = new Set([
  "--cli", // the MCP inspector
  "--platform", // esbuild
  "--conditions", // esbuild
  "--import", // Node
  "--package-lock-only", // npm
  "--list", // npm run release
  "--node-modules-dir", // Deno
  "--allow-write", // Deno
  "--files", // npm run walk
  "--only", // npm run bench
  "--part", // a benchmark
  "--rates", // a benchmark
  "--stdio", // a program that calls serve()
  "--port", // the same
  "--htpp", // a mistake that serve() explains
  "--wrapped", // written by `waybill wrap`, ignored by the gateway, hidden from help
]);

/** Words of other programs and of our tests, and names that a reader fills in. */
export const foreignWords: ReadonlySet<string> = new Set([
  "NODE_EXTRA_CA_CERTS",
  "CHOKIDAR_USEPOLLING",
  "HTTP_PROXY",
  "RING_HASH",
  "TSX_TSCONFIG_PATH",
  "WAYBILL_TEST_FULL",
  "WAYBILL_WITH_DBHUB",
  "EXAMPLE_KEY",
  "NEXT_TOKEN",
  "minContains", // JSON Schema
  "maxContains", // the same
  "envFile", // VS Code
]);
