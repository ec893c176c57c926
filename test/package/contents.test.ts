import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const MAX_PACKED_BYTES = 2_770_000;
const MAX_UNPACKED_BYTES = 6_960_000;

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** Every path that a condition of `exports` or `imports` leads to. */
function targetsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Object.values(value as Record<string, unknown>).flatMap(targetsOf);
}

describe("what npm pack takes", () => {
  let packed: Packed;
  let paths: ReadonlySet<string>;
  beforeAll(() => {
    const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 16 * 1024 * 1024,
    });
    const [first] = JSON.parse(output) as readonly Packed[];
    if (first === undefined) throw new Error("npm pack says nothing");
    packed = first;
    paths = new Set(packed.files.map(({ path }) => path));
  });

  it("has the built package, its pages, examples, schemas and data, and nothing else", () => {
    const tops = new Set([...paths].map((path) => path.split("/")[0] ?? ""));
    tops.delete("CHANGELOG.md");
    expect([...tops].sort()).toEqual([
      "LICENSE",
      "README.md",
      "deploy",
      "dist",
      "docs",
      "examples",
      "package.json",
      "schemas",
      "vocabulary",
    ]);
  });

  it("has no source, test, map, secret, picture or setting of a tool", () => {
    // The workshop shows where servers of Code Scalpel have their settings.
    const known = "examples/workshop/.code-scalpel/response_config.json";
    const others = [...paths].filter((path) => path !== known);
    const unwanted = others.filter(
      (path) =>
        /\.(map|tsbuildinfo|pem|key|png|jpe?g|log|tgz)$|\.test\.|\.fixture\.|(^|\/)\.|node_modules/.test(
          path,
        ) ||
        /(^|\/)(tsconfig|vite\.config|vitest\.config)/.test(path) ||
        (path.startsWith("dist/") && /\.tsx?$/.test(path) && !path.endsWith(".d.ts")),
    );
    expect(unwanted).toEqual([]);
  });

  it("has every file that exports, imports and bin lead to", () => {
    const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Record<string, unknown>;
    const targets = [manifest["exports"], manifest["imports"], manifest["bin"]].flatMap(targetsOf);
    // A target that is no path is a package: bundles for browsers take the installed Zod.
    expect(targets.filter((target) => !target.startsWith("./") && target !== "zod/mini")).toEqual([]);
    const missing = targets
      .filter((target) => target.startsWith("./"))
      .map((target) => target.slice("./".length))
      .filter((target) => {
        const [start = "", end = ""] = target.split("*");
        return ![...paths].some((path) =>
          target.includes("*") ? path.startsWith(start) && path.endsWith(end) : path === target,
        );
      });
    expect(missing).toEqual([]);
  });

  it("has the page of the dashboard, the workers and the counter's data", () => {
    expect([...paths]).toEqual(
      expect.arrayContaining([
        "dist/dashboard/index.html",
        "dist/document-worker.js",
        "dist/question-worker.js",
        "dist/result-worker.js",
        "dist/schema-worker.js",
        "vocabulary/o200k_base.bin",
      ]),
    );
  });

  it("has the files that waybill deploy writes, without archives and tests", () => {
    const shipped = readdirSync(`${root}deploy`).filter((name) => !/\.tgz$|test/i.test(name));
    expect([...paths].filter((path) => path.startsWith("deploy/")).sort()).toEqual(
      shipped.map((name) => `deploy/${name}`).sort(),
    );
    expect(shipped).toEqual(expect.arrayContaining(["Dockerfile", "compose.yaml", "kubernetes.yaml"]));
  });

  it("names no folder of the machine that built it", () => {
    const named = [...paths]
      .filter((path) => path.startsWith("dist/") && /\.(js|html|css|d\.ts)$/.test(path))
      .filter((path) => readFileSync(root + path, "utf8").includes(root));
    expect(named).toEqual([]);
  });

  it("stays below 2.75 MB, and below 6.9 MB unpacked", () => {
    expect(packed.size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
    expect(packed.unpackedSize).toBeLessThanOrEqual(MAX_UNPACKED_BYTES);
  });
});
