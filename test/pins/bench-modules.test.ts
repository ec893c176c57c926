import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const files = readdirSync(new URL("bench/", root), { recursive: true, encoding: "utf8" });

// Types follow a moved file by their import; the path a benchmark loads at run time does not.
it("a benchmark names only modules that there are", () => {
  const named = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(new URL(`bench/${file}`, root), "utf8");
      return [...text.matchAll(/\bloadModule<[^;]*?>\(\s*"([^"]+)"/g)].map(([, path]) => path ?? "");
    });
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(new URL(`src/${path}.ts`, root)))).toEqual([]);
});
