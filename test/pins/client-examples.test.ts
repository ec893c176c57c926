import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { format } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { ClientOptions } from "../../src/doors/client/client-options.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/client-docs/`;
const page = readFileSync(`${root}docs/client.md`, "utf8");

interface Example {
  readonly name: string;
  readonly code: string;
  /** What the page says it prints; undefined where it only has to compile. */
  readonly output: string | undefined;
}

const examples: Example[] = [
  ...page.matchAll(/<!-- client: (\S+) -->\n```ts\n([^]*?)```\n(?:\n```\n([^]*?)```)?/g),
].map(([, name = "", code = "", output]) => ({ name, code, output }));

/** What the page has told before: a connected client, and `tools` unless the example makes its own. */
function programOf({ code }: Example): string {
  const tools = /\bconst tools = /.test(code)
    ? ""
    : "const tools = door.contractClient<door.ToolsOf<typeof contract>>(client);\n";
  return `import { client, contract } from "../../test/pins/client-examples.fixture.ts";
import * as door from "waybill/client";
void contract; void client; void door;
${tools}${code}`;
}

mkdirSync(folder, { recursive: true });
for (const example of examples) writeFileSync(`${folder}${example.name}.ts`, programOf(example));
writeFileSync(
  `${folder}tsconfig.json`,
  JSON.stringify({
    extends: "../../tsconfig.json",
    files: examples.map(({ name }) => `${name}.ts`),
    include: [],
  }),
);

async function linesOf(name: string): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words: unknown[]) => {
    lines.push(format(...words).replace(/req_\d{12}/g, "req_…"));
  });
  try {
    await import(/* @vite-ignore */ pathToFileURL(`${folder}${name}.ts`).href);
  } finally {
    log.mockRestore();
  }
  return lines.map((line) => `${line}\n`).join("");
}

describe("docs/client.md", () => {
  it.runIf(isFullRun)("has examples that compile", () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const run = (): string =>
      execFileSync(process.execPath, [tsc, "-p", `${folder}tsconfig.json`], { encoding: "utf8" });
    expect(run()).toBe("");
    expect(examples.length).toBeGreaterThan(8);
  });

  it.each(examples.filter(({ output }) => output !== undefined))(
    "shows what $name really prints",
    async ({ name, output }) => {
      expect(await linesOf(name)).toBe(output);
    },
  );

  it("names every option of the client", () => {
    const options: Readonly<Record<keyof ClientOptions, true>> = {
      budget: true,
      dialect: true,
      profile: true,
      retry: true,
      strict: true,
      strictWarnings: true,
      onWarning: true,
      onConflict: true,
      onCall: true,
      timeoutMs: true,
      maxArchiveBytes: true,
      now: true,
      random: true,
      wait: true,
    };
    for (const name of Object.keys(options)) expect(page).toContain(`\`${name}\``);
  });
});
