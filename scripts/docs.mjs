// `npm run docs` builds the manual into .cache/docs-site; `npm run docs -- --serve` shows it on this machine; `--dev` follows edits.
import { fileURLToPath } from "node:url";
import { createServer, build, serve } from "vitepress";
import { register } from "tsx/esm/api";

const site = fileURLToPath(new URL("site", import.meta.url));

if (process.argv.includes("--dev")) {
  const server = await createServer(site, { host: "127.0.0.1" });
  await server.listen();
  server.printUrls();
} else {
  await build(site);
  register();
  const { writeForAgents } = await import("./site/for-agents.ts");
  await writeForAgents();
  if (process.argv.includes("--serve")) await serve({ root: site, port: 4173 });
}
