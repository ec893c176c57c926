import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CheckReport, checkServer } from "../../src/doors/check/index.ts";
import { createPolicy } from "../../src/doors/check/policy/create-policy.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type PublishedServer, makeFolder, published } from "./published-servers.fixture.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

const MEBIBYTE = 1_048_576;
const line = "The mill stood by the river, and its wheel turned all night.\n";

/** What people keep in such servers: a log of 11 MiB, a memory of 2,000 things. */
const large: Readonly<Record<string, (folder: string) => Readonly<Record<string, JsonObject>>>> = {
  "server-filesystem": (folder) => {
    const path = join(folder, "big.log");
    writeFileSync(path, line.repeat(Math.ceil((11 * MEBIBYTE) / line.length)));
    return { read_text_file: { path } };
  },
  "server-memory": (folder) => {
    const entity = (at: number) =>
      JSON.stringify({
        type: "entity",
        name: `Thing ${at}`,
        entityType: "thing",
        observations: [line.trim()],
      });
    const entities = Array.from({ length: 2_000 }, (_, at) => entity(at));
    writeFileSync(join(folder, "memory.jsonl"), entities.join("\n"));
    return {};
  },
};

function argumentsFor(server: PublishedServer, folder: string) {
  const extra = large[server.server]?.(folder) ?? {};
  const given = server.calls(folder);
  return Object.fromEntries(
    Object.entries(given).map(([tool, first]) => [
      tool,
      [first, ...(extra[tool] === undefined ? [] : [extra[tool]])],
    ]),
  );
}

interface Row {
  readonly server: string;
  readonly before: CheckReport;
  readonly after: CheckReport;
  /** Rules that the policy says it repairs. */
  readonly claimed: ReadonlySet<string>;
}

/** They have tools that take their time; the others would miss a limit if they shared the processor. */
const slow = ["server-everything", "server-pdf"];

const rows = new Map<string, Row>();

async function beforeAndAfter(server: PublishedServer, folder: string): Promise<Row> {
  const target = {
    command: process.execPath,
    args: server.nodeArgs(folder),
    env: server.env?.(folder),
  };
  const options = { args: argumentsFor(server, folder) };
  const before = await checkServer(target, options);
  const policy = createPolicy(before, target);
  const file = join(folder, "policy.json");
  writeFileSync(file, policy.text);
  const gateway = ["--import", "tsx", main, "gateway", "--store", "memory", "--config", file];
  const after = await checkServer({ command: process.execPath, args: gateway }, options);
  const claimed = new Set(policy.settings.flatMap(({ repairs }) => repairs.map(({ rule }) => rule)));
  return { server: server.server, before, after, claimed };
}

const countsOf = ({ counts: { error, warning, info } }: CheckReport): string =>
  `${error}, ${warning}, ${info}`;

const rulesOf = (report: CheckReport): readonly string[] => [
  ...new Set(report.findings.map(({ rule }) => rule)),
];

/**
 * The table without what depends on the machine: how often a rule speaks, since a slow server is called less often. The
 * errors stay. The id that server-pdf makes for a viewer may hold the digits of its page, and then its text has all of
 * its structure.
 */
const steady = (page: string): string =>
  page
    .replace(/ (\d+), \d+, \d+ \| (\d+), \d+, \d+ \| \d+ → \d+ /g, " $1 | $2 ")
    .replace(/^\| server-pdf .*$/m, (row) => row.replace(/, `result\/mirror`|`result\/mirror`, /, ""));

const listed = (rules: readonly string[]): string => rules.map((rule) => `\`${rule}\``).join(", ");

describe.runIf(isFullRun)("a published server", () => {
  /** The errors that the gateway added; everything else is asserted here. */
  const addedErrors = async (server: PublishedServer, folder: string) => {
    const row = await beforeAndAfter(server, folder);
    rows.set(server.server, row);
    const { before, after, claimed } = row;
    expect(before.isReachable && after.isReachable).toBe(true);
    expect(before.isComplete && after.isComplete).toBe(true);
    expect(
      after.findings.filter(({ rule }) => claimed.has(rule)).map(({ rule, tool }) => [rule, tool]),
    ).toEqual([]);
    const known = rulesOf(before);
    return after.findings.filter(({ rule, severity }) => severity === "error" && !known.includes(rule));
  };

  it.for(published.filter(({ server }) => !slow.includes(server)))(
    "is repaired by its policy as far as the policy says: $server",
    async (server, { onTestFinished }) =>
      expect(await addedErrors(server, makeFolder(onTestFinished))).toEqual([]),
  );

  // Side by side, since most of the time is waiting.
  it.concurrent.for(published.filter(({ server }) => slow.includes(server)))(
    "is repaired by its policy as far as the policy says: $server",
    async (server, { onTestFinished }) =>
      expect(await addedErrors(server, makeFolder(onTestFinished))).toEqual([]),
  );

  it("is as the table of docs/check.md says", () => {
    const head = ["server", "before", "after", "score", "repaired", "stays"];
    const lines = [
      head,
      head.map(() => "---"),
      ...published
        .flatMap(({ server: name }) => rows.get(name) ?? [])
        .map(({ server, before, after }) => [
          server,
          countsOf(before),
          countsOf(after),
          `${before.score?.value} → ${after.score?.value}`,
          listed(rulesOf(before).filter((rule) => !rulesOf(after).includes(rule))),
          listed(rulesOf(after)),
        ]),
    ];
    const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    const path = new URL("../../docs/check.md", import.meta.url);
    const page = readFileSync(path, "utf8");
    expect(page).toContain("<!-- published:begin -->");
    const marked = /<!-- published:begin -->\n[^]*<!-- published:end -->/;
    const written = page.replace(marked, `<!-- published:begin -->\n${table}\n<!-- published:end -->`);
    if (process.env["WAYBILL_WRITE_DOCS"] === "1") writeFileSync(path, written);
    expect(steady(readFileSync(path, "utf8"))).toBe(steady(written));
    expect(steady(written)).toContain("| server-filesystem | 1 | 0 |");
  });
});
