import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import type { CheckReport } from "./check-report.ts";
import { junitReport } from "./junit-report.ts";
import { hostileReport, sampleFindings, sampleReport, untestedReport } from "./sample-report.fixture.ts";

/** What junit-10.xsd of Jenkins' xUnit plugin says: for each element its attributes and what it may hold. */
const schema: Readonly<
  Record<
    string,
    { required: readonly string[]; optional: readonly string[]; holds: readonly string[]; text?: true }
  >
> = {
  testsuites: {
    required: [],
    optional: ["name", "time", "tests", "failures", "errors"],
    holds: ["testsuite"],
  },
  testsuite: {
    required: ["name", "tests", "failures", "errors"],
    optional: "group time skipped timestamp hostname id package file log url".split(" "),
    holds: ["testsuite", "properties", "testcase", "system-out", "system-err"],
  },
  properties: { required: [], optional: [], holds: ["property"] },
  property: { required: ["name", "value"], optional: [], holds: [] },
  testcase: {
    required: ["name"],
    optional: ["time", "classname", "group"],
    holds:
      "skipped error failure rerunFailure rerunError flakyFailure flakyError system-out system-err".split(
        " ",
      ),
  },
  skipped: { required: [], optional: ["type", "message"], holds: [], text: true },
  failure: { required: [], optional: ["type", "message"], holds: [], text: true },
  error: { required: [], optional: ["type", "message"], holds: [], text: true },
  "system-out": { required: [], optional: [], holds: [], text: true },
};
const SUREFIRE_TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element: XmlElement = { name, attributes, children: [], text: "" };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        const last = open.at(-1);
        if (last !== undefined) last.text += text;
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return root.children.find(({ name }) => name === "testsuites") ?? root;
}

/** Everything in which an element breaks the schema. */
function complaints(element: XmlElement): string[] {
  const { name, attributes, children, text } = element;
  const rule = schema[name];
  if (rule === undefined) return [`unknown element ${name}`];
  const given = Object.keys(attributes);
  return [
    ...rule.required.filter((key) => !given.includes(key)).map((key) => `${name} lacks ${key}`),
    ...given
      .filter((key) => !rule.required.includes(key) && !rule.optional.includes(key))
      .map((key) => `${name} has ${key}`),
    ...(name.startsWith("testsuite") && !SUREFIRE_TIME.test(attributes["time"] ?? "")
      ? [`${name} time`]
      : []),
    ...(rule.text !== true && text.trim() !== "" ? [`${name} has text`] : []),
    ...children
      .filter((child) => !rule.holds.includes(child.name))
      .map((child) => `${name} holds ${child.name}`),
    ...children.flatMap(complaints),
  ];
}

function casesOf(report: CheckReport, strict = false): ReadonlyMap<string, XmlElement> {
  const suites = parseXml(junitReport(report, { strict })).children;
  return new Map(
    suites.flatMap(({ children }) =>
      children.filter(({ name }) => name === "testcase").map((one) => [one.attributes["name"] ?? "", one]),
    ),
  );
}

const kinds = (element: XmlElement | undefined): readonly string[] =>
  element?.children.map(({ name }) => name) ?? ["no such case"];

describe("junitReport", () => {
  it("keeps to the schema, whatever was found", () => {
    const reports = [
      sampleReport(),
      sampleReport({ findings: [], rules: [] }),
      sampleReport({ isReachable: false, stopped: "no such command" }),
      sampleReport({ isComplete: false, durationMs: 3_723_456 }),
      hostileReport(),
    ];
    for (const report of reports)
      for (const strict of [false, true])
        expect(complaints(parseXml(junitReport(report, { strict })))).toEqual([]);
  });

  it("has only characters that XML can carry, and gives the others back as they were", () => {
    const xml = junitReport(hostileReport());
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect(Buffer.from(xml).toString()).toBe(xml);
    const { attributes } = parseXml(xml);
    expect(attributes["name"]).toContain('<script>globalThis.ran=true</script> " onmouseover=');
    expect(attributes["name"]).toContain("]]><x/>");
    expect(attributes["name"]).toContain("a\nb\tc\rd");
  });

  it("fails the case of a rule with an error, and tells the finding and its call", () => {
    const failed = casesOf(sampleReport()).get("result/output-schema");
    expect(kinds(failed)).toEqual(["failure"]);
    expect(failed?.children[0]?.attributes).toMatchObject({
      type: "error",
      message: 'search_issues: items[0].number is the text "42", the schema asks for an integer',
    });
    expect(failed?.children[0]?.text).toContain('call: search_issues {"query":"label:bug","limit":1}');
  });

  it("passes the case of a rule with a warning, unless it is strict", () => {
    expect(kinds(casesOf(sampleReport()).get("definition/tokens"))).toEqual(["system-out"]);
    expect(kinds(casesOf(sampleReport(), true).get("definition/tokens"))).toEqual(["failure"]);
    expect(kinds(casesOf(sampleReport(), true).get("definition/annotations"))).toEqual(["system-out"]);
  });

  it("skips what was not tested, with the reason, and passes the rest", () => {
    const cases = casesOf(sampleReport());
    expect(cases.get("call/cancel")?.children[0]?.attributes["message"]).toBe(
      "no call took long enough to be cancelled",
    );
    expect(kinds(cases.get("jsonrpc/id"))).toEqual([]);
  });

  it("passes what a baseline knows, and fails its stale entries and breaking changes", () => {
    const findings = sampleFindings.map((finding) => ({ ...finding, isKnown: true }));
    const cases = casesOf(
      sampleReport({
        findings,
        stale: [{ rule: "a/b", tool: "t", path: "/x" }],
        changes: [
          { kind: "breaking", tool: "gone", path: "", message: "the tool is gone" },
          { kind: "harmless", tool: "new", path: "", message: "the tool is new" },
        ],
      }),
    );
    expect(kinds(cases.get("result/output-schema"))).toEqual(["system-out"]);
    expect(kinds(cases.get("a/b t /x"))).toEqual(["failure"]);
    expect(kinds(cases.get("gone"))).toEqual(["failure"]);
    expect(kinds(cases.get("new"))).toEqual(["system-out"]);
  });

  it("counts what it holds", () => {
    const root = parseXml(junitReport(sampleReport()));
    expect(root.attributes).toMatchObject({ tests: "10", failures: "2", errors: "0", time: "8.240" });
    for (const suite of root.children) {
      const cases = suite.children.filter(({ name }) => name === "testcase");
      expect(Number(suite.attributes["tests"])).toBe(cases.length);
      expect(Number(suite.attributes["failures"])).toBe(
        cases.filter((one) => kinds(one).includes("failure")).length,
      );
    }
  });

  it("says how many tools were called, and fails where none was", () => {
    const report = untestedReport();
    const [suite] = parseXml(junitReport(report)).children;
    const [first] = suite?.children.find(({ name }) => name === "properties")?.children ?? [];
    expect(first?.attributes).toEqual({ name: "coverage", value: report.coverage.says });
    expect(kinds(casesOf(report).get("tools called"))).toEqual(["failure"]);
    expect(kinds(casesOf(sampleReport()).get("tools called"))).toEqual(["system-out"]);
    expect(junitReport(report)).not.toContain('name="score"');
    const tools = sampleReport().tools.map((tool) => ({ ...tool, succeeded: 0 }));
    const failed = casesOf(sampleReport({ tools })).get("tools called");
    expect(failed?.children[0]?.attributes).toMatchObject({ message: "no call succeeded" });
  });

  it("has an error for a server that could not be reached", () => {
    const cases = casesOf(sampleReport({ isReachable: false, stopped: "no such command" }));
    expect(kinds(cases.get("reached"))).toEqual(["error"]);
  });
});
