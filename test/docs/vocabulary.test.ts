import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pageNaming } from "../../scripts/generate/exports.ts";
import { pages } from "../../scripts/site/pages.ts";
import { publicNames } from "../../scripts/site/public-names.ts";
import { describeTree } from "../../src/cli/commands/completion.ts";
import { createProgram } from "../../src/cli/run.ts";
import { errorRegistry } from "../../src/core/contract/error-registry.ts";
import { warningRows } from "../../src/core/contract/warning-rows.ts";
import { messageRules } from "../../src/core/protocol/rules.ts";
import { nestedRules } from "../../src/core/pipeline/outcome/nested-failure.ts";
import { payloadRules } from "../../src/core/pipeline/outcome/failure-payload.ts";
import { failureTextRules } from "../../src/core/pipeline/outcome/failure-rules.ts";
import { listValidationRules } from "../../src/core/rules/result/contract-rules.ts";
import { serverRules } from "../../src/core/rules/server-rules.ts";
import { lintRules } from "../../src/doors/server/judge-tools.ts";
import { commandLines, foreignFlags, foreignWords, type Span, spans } from "./named-in-docs.ts";
import { pageFiles, readText, root } from "./read-blocks.ts";

const sink = { write: () => undefined };
const isTTY = { stdin: false, stdout: false, stderr: false };
const io = { stdin: (async function* () {})(), stdout: sink, stderr: sink, env: {}, cwd: "/", isTTY };
const tree = describeTree(
  createProgram({ io, give: () => undefined, say: () => undefined, hasColors: false }),
);
const flagsOf = new Map(
  tree.commands.map(({ name, options }) => [name, options.flatMap(({ flags }) => flags)]),
);
const allFlags = new Set([...flagsOf.values(), tree.options.flatMap(({ flags }) => flags)].flat());

/** The sources of a folder without their tests, as one text. */
function sourceOf(folder: string): string {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|py)$/.test(name) && !/\.(?:test|test-d|fixture)\.ts$/.test(name))
    .map((name) => readFileSync(`${root}${folder}/${name}`, "utf8"))
    .join("\n");
}

const source = sourceOf("src");
const examples = sourceOf("examples");

function placesOf(found: readonly Span[]): string[] {
  return [...new Set(found.map(({ page, code }) => `${page}: ${code}`))];
}

describe("the manual names no option that does not exist", () => {
  /** `waybill check --strict …` up to `--`, a pipe or a remark; the command may have a command of its own. */
  const typed = [...spans, ...commandLines].flatMap(({ page, code }) =>
    Array.from(
      code.matchAll(/(?<![\w/.@:-])(?<!(?:install|npm i|add) (?:-g )?)waybill ([a-z][^|#;\n]*)/g),
      ([, line = ""]) => {
        const words = (line.split(/ --(?: |$)/)[0] ?? "").split(/\s+/);
        const [first = "", second = ""] = words;
        const name = flagsOf.has(`${first} ${second}`) ? `${first} ${second}` : first;
        return { page, code: `waybill ${line}`, name, flags: words.filter((word) => /^--?[a-z]/.test(word)) };
      },
    ),
  );

  it("finds commands", () => {
    expect(typed.length).toBeGreaterThan(100);
  });

  it("after waybill comes a command", () => {
    expect(placesOf(typed.filter(({ name }) => !flagsOf.has(name)))).toEqual([]);
  });

  it("and its own options", () => {
    const wrong = typed.filter(({ name, flags }) =>
      flags.some((flag) => flagsOf.has(name) && !flagsOf.get(name)?.includes(flag.replace(/[=,;].*$/, ""))),
    );
    expect(placesOf(wrong)).toEqual([]);
  });

  it("an option alone is one of some command, or is known to be another program's", () => {
    const alone = spans.flatMap(({ page, code }) =>
      Array.from(code.matchAll(/(?<![\w-])(--[a-z][\w-]*)/g), ([, flag = ""]) => ({ page, code: flag })),
    );
    expect(placesOf(alone.filter(({ code }) => !allFlags.has(code) && !foreignFlags.has(code)))).toEqual([]);
  });
});

describe("the manual names no code that does not exist", () => {
  it("every word in capitals is a word of the source, or is known to be another program's", () => {
    const words = spans.flatMap(({ page, code }) =>
      Array.from(code.matchAll(/(?<![\w/.-])[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+(?!\w)/g), ([word]) => ({
        page,
        code: word,
      })),
    );
    const unknown = words.filter(
      ({ code }) => !source.includes(code) && !examples.includes(code) && !foreignWords.has(code),
    );
    expect(placesOf(unknown)).toEqual([]);
  });

  it("has all error and warning codes in the reference", () => {
    const page = readText("docs/reference/error-codes.md");
    const codes = [...errorRegistry.entries, ...warningRows].map(({ code }) => code);
    expect(codes.filter((code) => !new RegExp(`(?<!\\w)${code}(?!\\w)`).test(page))).toEqual([]);
  });

  it("explains every variable that the source reads", () => {
    const read = new Set(
      Array.from(
        source.matchAll(/["'`.]((?:WAYBILL|SCALPEL_MCP|CODE_SCALPEL)_[A-Z_]+)\b/g),
        ([, name = ""]) => name,
      ),
    );
    const named = new Set(spans.flatMap(({ code }) => code.match(/[A-Z][A-Z_]+/g) ?? []));
    expect([...read].filter((name) => !named.has(name)).toSorted()).toEqual([]);
    expect(read.size).toBeGreaterThan(8);
  });
});

describe("the manual and the rules", () => {
  const ids = [...listValidationRules(), ...serverRules, ...lintRules, ...messageRules].map(({ id }) => id);
  const known = new Set(ids);
  // Failures of other servers are told by rules of their own, on the page of errors.
  const ofFailures = new Set([...failureTextRules, ...payloadRules, ...nestedRules].map(({ id }) => id));
  const groups = new Set(ids.map((id) => id.slice(0, id.indexOf("/"))));

  it("every rule has its place", () => {
    const text = readText("docs/reference/rules.md");
    expect([...known].filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
  });

  it("every rule that is named exists", () => {
    const named = spans.filter(
      ({ code }) => /^[a-z]+\/[a-z-]+$/.test(code) && groups.has(code.split("/")[0] ?? ""),
    );
    expect(named.length).toBeGreaterThan(150);
    expect(placesOf(named.filter(({ code }) => !known.has(code) && !ofFailures.has(code)))).toEqual([]);
  });
});

describe("the manual and the exports", () => {
  it("every name such as `batchResponse` is a word of the source, or is known to be another program's", () => {
    const words = new Set(`${source}\n${examples}`.match(/\w+/g));
    const named = spans.flatMap(({ page, code }) =>
      Array.from(code.matchAll(/^([a-z]+(?:[A-Z][a-z]+)+)(?:\(\))?$/g), ([, name = ""]) => ({
        page,
        code: name,
      })),
    );
    expect(named.length).toBeGreaterThan(250);
    expect(placesOf(named.filter(({ code }) => !words.has(code) && !foreignWords.has(code)))).toEqual([]);
  });

  it("every function and value is named on a page that explains something", () => {
    const values = publicNames.filter(({ isType }) => !isType);
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter(({ name }) => pageNaming(name) === undefined)).toEqual([]);
  });

  it("every name that is said to be of an entry is one of it", () => {
    const known = new Set(publicNames.map(({ entry, name }) => `${entry} ${name}`));
    // `serve`, `defineTool` of `waybill/server`
    const said = pageFiles.flatMap((page) =>
      Array.from(readText(page).matchAll(/((?:`\w+(?:\(\))?`(?:, | and )?)+) of `(waybill\/\w+)`/g)).flatMap(
        ([, names = "", entry]) =>
          (names.match(/\w+(?=(?:\(\))?`)/g) ?? []).map((name) => ({ page, code: `${entry} ${name}` })),
      ),
    );
    expect(said.length).toBeGreaterThan(20);
    expect(placesOf(said.filter(({ code }) => !known.has(code)))).toEqual([]);
  });
});

describe("the menu of the manual", () => {
  it("has every page once", () => {
    const files = pageFiles
      .filter((name) => name.startsWith("docs/") && name !== "docs/README.md")
      .map((name) => name.slice("docs/".length, -".md".length));
    expect(pages.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
  });
});
