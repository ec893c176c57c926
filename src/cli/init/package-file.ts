// The package.json of a new project. Versions are this package's own: its tests run with them.

import { readPackage } from "../cli-io.ts";
import type { ProjectName } from "./project-name.ts";
import type { Template } from "./templates.ts";

/** Not among our own packages: it brings a runtime of 150 MB. It is the version that the template was tried with. */
const WRANGLER = "^4.164.0";
const WRANGLERS_NODE = ">=22.12";

const onNode = {
  start: "node --import tsx src/server.ts",
  dev: "waybill dev src/server.ts --http 3000",
  test: "node --import tsx --test src/*.test.ts",
  types: "tsc",
  lint: "waybill lint src/server.ts",
};

const onWorkers = {
  dev: "wrangler dev --port 3000",
  deploy: "wrangler deploy",
  test: onNode.test,
  types: onNode.types,
  lint: "waybill lint src/worker.ts",
};

export function packageFile({ packageName }: ProjectName, template: Template): object {
  const { version, engines, peerDependencies, devDependencies } = readPackage();
  const from = (name: string): string => `^${devDependencies[name] ?? ""}`;
  const sdk = peerDependencies["@modelcontextprotocol/server"];
  const isWorker = template === "worker";
  return {
    name: packageName,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: isWorker ? onWorkers : onNode,
    dependencies: {
      "@modelcontextprotocol/server": sdk,
      ...(!isWorker && { tsx: from("tsx") }),
      waybill: `^${version}`,
      zod: peerDependencies["zod"],
    },
    devDependencies: {
      // The test of the resources is a client.
      ...(template === "resources" && { "@modelcontextprotocol/client": sdk }),
      "@types/node": from("@types/node"),
      // On Workers only the tests run on Node.
      ...(isWorker && { tsx: from("tsx") }),
      typescript: from("typescript"),
      ...(isWorker && { wrangler: WRANGLER }),
    },
    engines: isWorker ? { node: WRANGLERS_NODE } : engines,
    // They work without their scripts; npm asks about scripts that are not listed here.
    allowScripts: { esbuild: false, ...(isWorker && { sharp: false, workerd: false }) },
  };
}
