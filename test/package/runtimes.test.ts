import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { contractClient } from "waybill/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleWorker, findWorkerd, startWorker } from "./workerd.fixture.ts";

/** What a runtime said of each feature: true, or why not. */
type Story = Readonly<Record<string, true | string>>;

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const story = pathOf("test/package/tell-story.mjs");
const page = readFileSync(pathOf("docs/edge.md"), "utf8");
const shownTable = /<!-- runtimes:begin -->\n([^]*?)<!-- runtimes:end -->/.exec(page)?.[1]?.trim() ?? "";
const server = pathOf("test/package/stdio-server.mjs");
const stdioFeature = "`serve` speaks on stdio";
let folder = "";

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** A program that a script fetches from npm; undefined where that cannot be, unless everything has to be there. */
function find(script: string): string | undefined {
  try {
    return run(process.execPath, [pathOf(`scripts/${script}`)]).trim();
  } catch (error) {
    if (process.env["WAYBILL_REQUIRE_SERVICES"] === "1") throw error;
    process.stderr.write(`${script} cannot fetch its program here: it is not tried.\n`);
    return undefined;
  }
}

const told = (output: string): Story => JSON.parse(output) as Story;

/** What the program finds, and whether a client of the SDK can talk to a server of the runtime on stdio. */
async function tellWith(program: string | undefined, args: readonly string[]): Promise<Story | undefined> {
  if (program === undefined) return undefined;
  const client = new Client({ name: "runtimes", version: "1.0.0" });
  const transport = new StdioClientTransport({ command: program, args: [...args, server], cwd: folder });
  await client.connect(transport);
  const { data } = await contractClient(client).call("hello");
  await client.close();
  const speaks = isDeepStrictEqual(data, { said: "hi" }) ? true : JSON.stringify(data);
  return { ...told(run(program, [...args, story])), [stdioFeature]: speaks };
}

async function tellInWorker(flags: readonly string[]): Promise<Story | undefined> {
  const workerd = findWorkerd();
  if (workerd === undefined) return undefined;
  const bundle = await bundleWorker(`
    import { tellStory } from "../../test/package/runtime-story.mjs";
    export default {
      fetch: async (request) =>
        request.url.endsWith("/mcp") ? Response.json(await tellStory()) : new Response("It runs."),
    };`);
  const worker = await startWorker(workerd, bundle, flags);
  try {
    const response = await fetch(worker.url);
    const said = (await response.json()) as Story;
    // A Worker has no standard input; it says of `serve` as a whole why it is not for Workers.
    return { ...said, [stdioFeature]: said["`serve` listens over HTTP"] ?? "" };
  } finally {
    await worker.stop();
    bundle.remove();
  }
}

/** Those of the page, and no other. */
const denoPermissions = ["net", "env", "read", "sys", "write"].map((name) => `--allow-${name}`);

const columns: Readonly<Record<string, () => Story | undefined | Promise<Story | undefined>>> = {
  "Node 20": () => tellWith(process.execPath, []),
  "Node 24": () => tellWith(process.execPath, [pathOf("scripts/node24.mjs"), "--"]),
  "Bun 1.4": () => tellWith(find("bun.mjs"), []),
  "Deno 2.9": () =>
    tellWith(find("deno.mjs"), ["run", ...denoPermissions, "--no-lock", "--node-modules-dir=manual"]),
  "workerd, `nodejs_compat`": () => tellInWorker(["nodejs_compat"]),
  workerd: () => tellInWorker([]),
};

const cellsOf = (line: string): readonly string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

const [head = "", , ...lines] = shownTable.split("\n");
const titles = cellsOf(head).slice(1);
const rows = lines.map(cellsOf);

/** What the page says of one runtime. */
function shownOf(title: string): Readonly<Record<string, string | undefined>> {
  const column = titles.indexOf(title) + 1;
  return Object.fromEntries(rows.map((cells) => [cells[0] ?? "", cells[column]]));
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waybill-runtimes-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("root, client, server and digest, unchanged", () => {
  it("have a column in docs/edge.md for each runtime that is tried", () => {
    expect(titles).toEqual(Object.keys(columns));
  });

  it.each(Object.keys(columns))("do on %s what the page says", async (title) => {
    const said = await columns[title]?.();
    if (said === undefined) return;
    const seen = Object.entries(said).map(([feature, works]) => [feature, works === true ? "yes" : "no"]);
    const reasons = Object.entries(said).filter(([, works]) => works !== true);
    expect({ seen: Object.fromEntries(seen), reasons }).toEqual({
      seen: shownOf(title),
      reasons: reasons.filter(([, why]) => typeof why === "string" && page.includes(why)),
    });
  });
});
