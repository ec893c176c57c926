import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readPackage } from "../version.ts";
import { isAtLeast } from "./check-node.ts";
import type { Check } from "./check.ts";

const uses: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/server": "contract.server() wraps its McpServer",
  "@redis/client": "a redis:// store speaks through it",
  zod: "every command reads with it",
};

/** The packages beside this one: which are there, and whether their version is one we know. */
export function checkPackages(
  store: string | undefined,
  versionOf: (name: string) => string | undefined = installedVersion,
): readonly Check[] {
  const wantsRedis = store !== undefined && /^\s*(redis|valkey)s?:/i.test(store);
  return Object.entries(readPackage().peerDependencies)
    .filter(([name]) => name !== "@redis/client" || wantsRedis)
    .map(([name, wanted]) =>
      checkPackage(name, wanted, versionOf(name), name !== "@modelcontextprotocol/server"),
    );
}

function checkPackage(name: string, wanted: string, version: string | undefined, isNeeded: boolean): Check {
  const id = `package ${name}`;
  const advice = `Run \`npm i ${name}@${wanted}\`.`;
  const details = { wanted, version: version ?? null };
  if (version === undefined) {
    const says = `not installed; ${uses[name] ?? "it is a peer"}`;
    return { id, status: isNeeded ? "problem" : "note", says, advice, details };
  }
  const says = `${version}, wanted ${wanted}`;
  if (isInCaret(version, wanted)) return { id, status: "ok", says, details };
  return { id, status: "problem", says, advice, details };
}

/** Caret ranges from major 1 up, which is all that package.json asks for. */
function isInCaret(version: string, wanted: string): boolean {
  const least = wanted.replace(/^\^/, "");
  return version.split(".")[0] === least.split(".")[0] && isAtLeast(version.replace(/-.*$/, ""), least);
}

/** As Node would find it from here, without loading it. */
function installedVersion(name: string): string | undefined {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    try {
      const text = readFileSync(join(folder, name, "package.json"), "utf8");
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      continue;
    }
  }
  return undefined;
}
