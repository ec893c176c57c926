import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/readme/`;
const readme = readFileSync(`${root}README.md`, "utf8");

/** The programs of the page by the names they are to be saved under. */
const programs = new Map([
  ...[...readme.matchAll(/<!-- readme: (\S+) -->\n```ts\n([^]*?)```/g)].map(
    ([, name = "", code = ""]) => [name, code] as const,
  ),
  ["server.mts", /<!-- quick-start:begin -->\n```ts\n([^]*?)```/.exec(readme)?.[1] ?? ""] as const,
]);
const outputs = [...readme.matchAll(/<!-- readme-output: (\S+) -->\n```\n([^]*?)```/g)].map(
  ([, name = "", output = ""]) => ({ name, output }),
);

// Imports of the package by name lead to its source, for tsc and for tsx, which reads this file where it runs.
mkdirSync(folder, { recursive: true });
for (const [name, code] of programs) writeFileSync(`${folder}${name}`, code);
writeFileSync(
  `${folder}tsconfig.json`,
  JSON.stringify({ extends: "../../tsconfig.json", files: [...programs.keys()], include: [] }),
);

/** What a program prints, as for a person who saved it and started it with tsx; why it failed is on stderr. */
function start(name: string): string {
  const { NODE_OPTIONS: _, ...env } = process.env;
  try {
    return execFileSync(process.execPath, ["--import", "tsx", name], {
      cwd: folder,
      encoding: "utf8",
      env,
      input: "",
      stdio: "pipe",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    // The last line of one example throws on purpose.
    if (stderr.includes("Spec not found: login")) return stdout;
    throw new Error(stderr, { cause: error });
  }
}

describe("the README", () => {
  it("shows an envelope and its two commands on the first screen, and then the documents", () => {
    const firstScreen = readme.split("\n").slice(0, 36).join("\n");
    expect(firstScreen).toContain('"success": true');
    expect(readme.indexOf("## The five documents")).toBeLessThan(readme.indexOf("<picture>"));
    expect(firstScreen).toContain("npm ci && npm start");
    expect(firstScreen).toContain("npm ci && npm test");
  });

  it("shows a picture of the page, light and dark, with words for those who do not see it", () => {
    const files = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, file = ""]) => file);
    expect(files).toEqual(["docs/pictures/overview-dark.png", "docs/pictures/overview-light.png"]);
    // Clones of the repository pay for each picture that was ever in it.
    expect(files.filter((file) => statSync(root + file).size > 150_000)).toEqual([]);
    expect(/ alt="([^"]+)"/.exec(readme)?.[1]?.length).toBeGreaterThan(40);
  });

  it("has a name for each of its programs, so that all of them are run here", () => {
    expect([...readme.matchAll(/^```ts$/gm)]).toHaveLength(programs.size);
    expect(programs.size).toBeGreaterThan(3);
  });

  it.runIf(isFullRun).each(outputs)("shows what $name really prints", ({ name, output }) => {
    expect(start(name)).toBe(output);
  });

  it.runIf(isFullRun)("has programs that compile", () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const run = (): string =>
      execFileSync(process.execPath, [tsc, "-p", `${folder}tsconfig.json`], { encoding: "utf8" });
    expect(run()).toBe("");
  });

  it("links only to what the package has", () => {
    const { files } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { files: string[] };
    const targets = [...readme.matchAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !files.includes(target.split("/")[0] ?? ""))).toEqual([]);
    expect(targets.length).toBeGreaterThan(10);
  });
});

// The quick suite has these by way of the client, which starts the server, and in tests of their own.
describe.runIf(isFullRun)("a program of the README without output", () => {
  it.each([...programs.keys()].filter((name) => !outputs.some((shown) => shown.name === name)))(
    "starts and ends with its input: %s",
    (name) => {
      expect(start(name)).toBe("");
    },
  );
});
