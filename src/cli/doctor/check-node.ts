import { readPackage } from "../version.ts";
import type { Check } from "./check.ts";

/** This Node against the oldest one the package runs on. */
export function checkNode(version: string = process.versions.node): Check {
  const wanted = readPackage().engines.node;
  const isEnough = isAtLeast(version, wanted.replace(/^>=\s*/, ""));
  return {
    id: "node",
    status: isEnough ? "ok" : "problem",
    says: `Node ${version}, wanted ${wanted}`,
    ...(isEnough ? {} : { advice: "Install a newer Node: https://nodejs.org." }),
    details: { version, wanted },
  };
}

export function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split(".").map(Number));
  for (let place = 0; place < 3; place++) {
    const difference = (own?.[place] ?? 0) - (other?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
