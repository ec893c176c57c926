// Prints the key points of READMEs and manuals that npm has installed here, for a person who reads them one by one and
// counts those that stand by themselves: `npx tsx bench/harness/key-points.ts`; with `read`, those of
// the documents that the rules were made with.
import { readFileSync } from "node:fs";
import { digestDocument } from "../../src/engine/digest/index.ts";

/** The rules were made with these, in four rounds of reading. */
const read =
  "@cantoo/pdf-lib @hono/node-server @jridgewell/trace-mapping @modelcontextprotocol/conformance " +
  "@mozilla/readability @noble/ciphers @octokit/request @opentelemetry/sdk-trace @preact/signals-core " +
  "@sindresorhus/is @toon-format/toon acorn axios/MIGRATION_GUIDE.md body-parser braces chokidar " +
  "cacheable-request commander cookie cors css-select debug dependency-cruiser diff enhanced-resolve " +
  "express-rate-limit fast-glob fflate focus-trap follow-redirects got graceful-fs highlight.js htmlparser2 " +
  "ignore js-yaml jsonc-parser koa lru-cache magic-string @noble/hashes @playwright/mcp " +
  "@modelcontextprotocol/sdk @xmldom/xmldom @octokit/core axe-core before-after-hook chalk cjs-module-lexer " +
  "cli-table3 convert-source-map cookies enquirer es-module-lexer eta execa expect-type fast-check fontkit " +
  "form-data fs-extra glob http-cache-semantics ip-address json5 keyv micromatch minimatch minipass " +
  "oniguruma-to-es prompts qs rate-limiter-flexible/CONTEXT.md safer-buffer/Porting-Buffer.md semver " +
  "tapable turndown undici ws yargs-parser accepts acorn-walk agent-base ai ajv ansi-escapes any-promise " +
  "ast-v8-to-istanbul asynckit bytes cacheable-lookup co combined-stream content-disposition cross-spawn " +
  "defuddle depd devlop eventsource file-type formatly get-stream hookable iconv-lite ipaddr.js jiti jose " +
  "jszip/CHANGES.md linkedom minisearch on-finished pako path-to-regexp pg-pool preact re2js router send " +
  "source-map-js tabbable copy-anything fuse.js get-tsconfig gpt-tokenizer hast-util-to-html html-entities " +
  "http2-wrapper jsesc json-with-bigint linkify-it magicast mcp-proxy mdast-util-to-hast mri node-emoji " +
  "normalize-url oxc-resolver path-scurry pdfkit playwright pretty-ms proxy-addr pure-rand quick-lru " +
  "raw-body readdirp regex regexp-tree restructure rfdc rollup sade serve-static smol-toml speakingurl " +
  "superjson tinypool tsconfig-paths uplot vfile";
/** These were read once, after the last change of a rule. */
const fresh =
  "@arethetypeswrong/cli @changesets/cli @colors/colors @jmespath-community/jmespath " +
  "@jridgewell/sourcemap-codec @koa/cors @modelcontextprotocol/ext-apps " +
  "@modelcontextprotocol/server-filesystem @modelcontextprotocol/server-memory " +
  "@modelcontextprotocol/server-pdf @napi-rs/canvas @octokit/endpoint @octokit/graphql @opentelemetry/api " +
  "@preact/signals @standard-schema/spec axios chai clone crypto-js css-what csstype eslint-visitor-keys " +
  "etag eventsource-parser express fast-uri fastq figures fill-range globby http-errors is-number openai " +
  "property-information tldjs to-regex-range unpdf uri-js zod-to-json-schema";

const packages = new URL("../../node_modules/", import.meta.url);

function textOf(name: string): string {
  const names = name.endsWith(".md") ? [""] : ["/README.md", "/readme.md", "/Readme.md"];
  for (const file of names) {
    try {
      return readFileSync(new URL(`${name}${file}`, packages), "utf8");
    } catch {
      // Another spelling.
    }
  }
  throw new Error(`${name} has no README here: run \`npm ci\`.`);
}

let count = 0;
for (const name of (process.argv[2] === "read" ? read : fresh).split(" ")) {
  const { payload } = await digestDocument(textOf(name), { contentType: "text/markdown", policy: "always" });
  console.log(`\n${name}`);
  for (const point of payload?.key_points ?? []) console.log(`${String(++count).padStart(4)} ${point}`);
}
