// Two servers behind one gateway: the workshop beside this folder, and the official server that has everything.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGateway } from "waybill/gateway";
import { checkServers } from "./check-servers.ts";
import { threeAnswers } from "./three-answers.ts";
import { welcome } from "./welcome.ts";

const everything = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/package.json",
);
const workshop = fileURLToPath(new URL("../workshop/stdio.ts", import.meta.url));
const tsconfig = process.env["TSX_TSCONFIG_PATH"];

const upstreams = {
  workshop: {
    command: process.execPath,
    args: ["--import", "tsx", workshop],
    // A server gets a short list of safe variables, and what is named here.
    env: tsconfig === undefined ? {} : { TSX_TSCONFIG_PATH: tsconfig },
  },
  everything: {
    command: process.execPath,
    args: [join(dirname(everything), "dist/index.js"), "stdio"],
  },
};

const gateway = createGateway({
  upstreams,
  http: { port: Number(process.env["PORT"] ?? 0) },
  // These servers are examples, so the page may do everything.
  dashboard: { actions: true, bodies: true, check: checkServers(upstreams) },
  store: "memory",
});

const { urls, dashboard = "" } = await gateway.listen();
process.stdout.write(welcome(urls, dashboard, await threeAnswers(urls["workshop"] ?? "")));

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void gateway.close().then(() => process.exit(0)));
}
