import * as fc from "fast-check";
import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import type { CheckReport } from "../check-report.ts";
import {
  hostileReport,
  hostileTexts,
  sampleFindings,
  sampleReport,
  untestedReport,
} from "../sample-report.fixture.ts";
import { checkPage } from "./check-page.ts";
import { checkPageStyle } from "./check-page.ts";

interface ReadElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function elementsOf(html: string): readonly ReadElement[] {
  const elements: ReadElement[] = [];
  const parser = new Parser({ onopentag: (name, attributes) => void elements.push({ name, attributes }) });
  parser.end(html);
  return elements;
}

/** The words of a page, without its style. */
function wordsOf(html: string): string {
  let words = "";
  let isStyle = false;
  const parser = new Parser({
    onopentag: (name) => void (isStyle = name === "style"),
    ontext: (text) => void (words += isStyle ? "" : text),
    onclosetag: () => void (isStyle = false),
  });
  parser.end(html);
  return words.replaceAll(/\s+/g, " ");
}

const ownElements = new Set(elementsOf(checkPage(hostileReport())).map(({ name }) => name));
const ownAttributes = new Set(
  elementsOf(checkPage(sampleReport())).flatMap(({ attributes }) => Object.keys(attributes)),
);

describe("checkPage", () => {
  it("says the score, the verdict and its reasons", () => {
    const words = wordsOf(checkPage(sampleReport()));
    expect(words).toContain("Score 79");
    expect(words).toContain("Failed 2 errors");
    expect(words).toContain("6 of 7 rules could be tested.");
    expect(words).toContain("−8result/output-schema: 1 error");
  });

  it("shows a finding with its tool, its fix and the call that shows it", () => {
    const words = wordsOf(checkPage(sampleReport()));
    expect(words).toContain(
      'search_issues /structuredContent/items/0/numberitems[0].number is the text "42"',
    );
    expect(words).toContain("Fix Return what outputSchema promises, or correct the schema.");
    expect(words).toContain('search_issues { "query": "label:bug", "limit": 1 }');
  });

  it("draws tokens by tool and findings by group, and says the figures beside", () => {
    const page = checkPage(sampleReport());
    expect(elementsOf(page).filter(({ name }) => name === "figure")).toHaveLength(3);
    expect(wordsOf(page)).toContain("Tokens of the definitions: 2,716 in all search_issues2,410");
    expect(wordsOf(page)).toContain("definition1 warning, 1 remark");
  });

  it("lists every rule as kept, broken or untested, with the reason", () => {
    const words = wordsOf(checkPage(sampleReport()));
    expect(words).toMatch(/kept ?jsonrpc\/id/);
    expect(words).toMatch(/broken ?list\/order-stable/);
    expect(words).toMatch(/untested ?call\/cancel ?no call took long enough to be cancelled/);
  });

  it("folds many findings of one rule, and stays small", () => {
    const [first] = sampleFindings;
    const findings =
      first === undefined
        ? []
        : Array.from({ length: 5_000 }, (_, index) => ({ ...first, tool: `tool_${index}` }));
    const page = checkPage(sampleReport({ findings }));
    expect(wordsOf(page)).toContain("4,997 more");
    expect(wordsOf(page)).toContain("and 4,950 that are in the JSON report");
    expect(page.length).toBeLessThan(120_000);
  });

  it("says that nothing was found, and that nothing was reached", () => {
    expect(wordsOf(checkPage(sampleReport({ findings: [] })))).toContain("Nothing was found.");
    const away = sampleReport({
      isReachable: false,
      server: null,
      tools: [],
      rules: [],
      stopped: "no such command",
    });
    expect(wordsOf(checkPage(away))).toContain("Not reached no such command");
  });

  it("says first how many tools were called, and has no score where none was", () => {
    const page = checkPage(untestedReport());
    expect(page).toMatch(/<header>\s*<p class="cut coverage">0 of 3 tools called: nothing was tested\. /);
    expect(page).toContain("There is no score: no tool was called.");
    expect(page).not.toContain("of 100");
    expect(checkPage(sampleReport())).toContain(
      '<p class="tried coverage">2 of 3 tools called. 1 not called',
    );
  });

  it("says that no call succeeded in place of a score", () => {
    const tools = sampleReport().tools.map((tool) => ({ ...tool, succeeded: 0 }));
    const page = checkPage(sampleReport({ tools }));
    expect(page).toMatch(/<p class="cut coverage">2 of 3 tools called, and no call succeeded: /);
    expect(page).toContain("There is no score: no call succeeded.");
  });

  it("lets nothing in but its own style, and asks for nothing from elsewhere", () => {
    const page = checkPage(sampleReport());
    expect(page).toMatch(
      /default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'/,
    );
    expect(checkPageStyle).not.toMatch(/url\(|@import|@font-face/);
    expect(elementsOf(page).some(({ attributes }) => "style" in attributes)).toBe(false);
  });

  it("law: no element, attribute or link of a server survives", () => {
    const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "binary", maxLength: 20 }));
    const words = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(""));
    const reports = fc
      .record({
        target: words,
        name: words,
        tool: words,
        path: words,
        message: words,
        rule: words,
        because: words,
      })
      .map(({ target, name, tool, path, message, rule, because }): CheckReport => {
        const call = {
          tool,
          arguments: { [path]: message },
          purpose: "valid" as const,
          replyExcerpt: message,
        };
        return sampleReport({
          target,
          server: { name, version: message },
          findings: sampleFindings.map((finding) => ({
            ...finding,
            rule,
            tool,
            path,
            message,
            fix: message,
            call,
          })),
          rules: [{ id: rule, status: "untested", because, findings: 0 }],
          tools: sampleReport().tools.map((one) => ({ ...one, name: tool, notProbed: because })),
          stale: [{ rule, tool, path }],
          changes: [{ kind: "harmless", tool, path, message }],
          stopped: because,
        });
      });
    fc.assert(
      fc.property(reports, (report) => {
        const elements = elementsOf(checkPage(report));
        expect(elements.filter(({ name }) => !ownElements.has(name))).toEqual([]);
        const attributes = elements.flatMap((element) => Object.keys(element.attributes));
        expect(attributes.filter((name) => !ownAttributes.has(name))).toEqual([]);
        const links = elements.flatMap((element) => element.attributes["href"] ?? []);
        expect(links.filter((link) => !link.startsWith("#"))).toEqual([]);
      }),
      lawRuns(1_000),
    );
  });
});
