import { expect, it, describe } from "vitest";
import { nodeArguments } from "./node-arguments.ts";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFiles } from "../temp-files.fixture.ts";
import { projectOf } from "./watch-sources.ts";

describe("how a module is started", () => {
  it("gives JavaScript to Node with its source maps", () => {
    const folder = tempFiles({ "server.mjs": "" });
    expect(nodeArguments(join(folder, "server.mjs"), folder)).toEqual([
      "--enable-source-maps",
      join(folder, "server.mjs"),
    ]);
  });

  it("takes the tsx of the project for TypeScript", () => {
    const module = resolve("src/doors/server/index.ts");
    const [flag, loader, last] = nodeArguments(module, process.cwd());
    expect([flag, last]).toEqual(["--import", module]);
    expect(loader).toMatch(/^file:.*\/tsx\//);
  });

  it.runIf(process.version.startsWith("v20."))("says what is missing for TypeScript", () => {
    const folder = tempFiles({ "server.ts": "" });
    const start = (): readonly string[] => nodeArguments(join(folder, "server.ts"), folder);
    expect(start).toThrow(/^Node 20\.[\d.]+ cannot read TypeScript by itself\.$/);
  });

  it.each([
    ["nothing.ts", "There is no file nothing.ts."],
    ["folder", "folder is not a file."],
    ["server.py", "server.py is neither JavaScript nor TypeScript."],
  ])("refuses %s", (name, sentence) => {
    const folder = tempFiles({ "server.py": "" });
    mkdirSync(join(folder, "folder"));
    expect(() => nodeArguments(join(folder, name), folder)).toThrow(sentence);
  });

  it("watches the folder with the nearest package.json", () => {
    expect(projectOf(resolve("src/doors/server/index.ts"))).toBe(process.cwd());
  });
});
