import { readFileSync } from "node:fs";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { applyBaseline } from "../baseline.ts";
import type { CheckReport } from "./check-report.ts";
import { hostileReport, sampleFindings, sampleReport, untestedReport } from "./sample-report.fixture.ts";
import { type SarifOptions, sarifReport } from "./sarif-report.ts";

// The schema is of draft 4, whose words it uses mean the same in draft 7; only the name of its id differs.
const {
  $schema: _draft,
  id: _id,
  ...schema
} = JSON.parse(readFileSync("test/fixtures/sarif/sarif-2.1.0-rtm.5.json", "utf8"));
const ajv = new Ajv.default({ allErrors: true, strict: false, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** What the public schema says against a report. */
function complaints(report: CheckReport, options: SarifOptions = {}): readonly string[] {
  validate(JSON.parse(sarifReport(report, options)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

function runOf(report: CheckReport, options: SarifOptions = {}) {
  return JSON.parse(sarifReport(report, options)).runs[0];
}

const known = [{ rule: "error/leaks-stack", tool: "read_file", path: "/content/*/text" }];
const stale = { rule: "list/gone", tool: "a", path: "/x" };

describe("sarifReport", () => {
  it("keeps to the public schema, whatever was found", () => {
    expect(complaints(sampleReport(), { version: "0.1.0", artifact: "snapshots/a b.json" })).toEqual([]);
    expect(complaints(sampleReport({ findings: [], rules: [] }))).toEqual([]);
    expect(
      complaints(sampleReport({ isReachable: false, server: null, stopped: "no such command" })),
    ).toEqual([]);
    expect(complaints(applyBaseline(sampleReport(), [...known, stale]))).toEqual([]);
    expect(complaints(hostileReport())).toEqual([]);
  });

  it("is judged by a schema that can say no", () => {
    validate({ version: "2.1.0", runs: [{ results: [] }] });
    expect(validate.errors?.map(({ message }) => message)).toEqual(["must have required property 'tool'"]);
  });

  it("has a result for each finding, with its level, its tool and its rule", () => {
    const { results, tool } = runOf(sampleReport());
    expect(results.map(({ level }: { level: string }) => level)).toEqual([
      "error",
      "error",
      "warning",
      "warning",
      "note",
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(results[0].locations[0].logicalLocations[0]).toEqual({
      name: "search_issues",
      fullyQualifiedName: "search_issues/structuredContent/items/0/number",
      kind: "function",
    });
    expect(results[0].properties.call.arguments).toEqual({ query: "label:bug", limit: 1 });
  });

  it("points at the line that names the tool, where it is known", () => {
    const places = new Map([["read_file", { file: "src/my tools.ts", line: 12 }]]);
    const [run] = JSON.parse(sarifReport(sampleReport(), { artifact: "contract.json", places })).runs;
    const placeOf = (rule: string) =>
      run.results.find(({ ruleId }: { ruleId: string }) => ruleId === rule).locations[0].physicalLocation;
    expect(placeOf("definition/annotations")).toEqual({
      artifactLocation: { uri: "src/my%20tools.ts" },
      region: { startLine: 12 },
    });
    expect(placeOf("result/output-schema")).toEqual({
      artifactLocation: { uri: "contract.json" },
      region: { startLine: 1 },
    });
  });

  it("gives a finding the same fingerprint when its place in a list moves", () => {
    const moved = sampleFindings.map((finding) => ({ ...finding, path: finding.path.replace("/0/", "/9/") }));
    const prints = (report: CheckReport) =>
      runOf(report).results.map((result: { partialFingerprints: object }) => result.partialFingerprints);
    expect(prints(sampleReport({ findings: moved }))).toEqual(prints(sampleReport()));
    expect(new Set(prints(sampleReport()).map((print: object) => JSON.stringify(print))).size).toBe(5);
  });

  it("suppresses what a baseline knows, and lists stale entries and breaking changes as errors", () => {
    const changes = [
      { kind: "breaking", tool: "a", path: "", message: "the tool is gone" },
      { kind: "harmless", tool: "b", path: "", message: "the tool is new" },
    ] as const;
    const { results } = runOf({ ...applyBaseline(sampleReport(), [...known, stale]), changes });
    const suppressed = results.filter(({ suppressions }: { suppressions?: object }) => suppressions);
    expect(suppressed.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(["error/leaks-stack"]);
    expect(results.slice(-2).map(({ ruleId, level }: Record<string, string>) => [ruleId, level])).toEqual([
      ["baseline/stale", "error"],
      ["contract/breaking-change", "error"],
    ]);
  });

  it("says which rules were not tested, as no result", () => {
    const { invocations, results } = runOf(sampleReport());
    expect(invocations[0].toolExecutionNotifications[1].message.text).toBe(
      "call/cancel was not tested: no call took long enough to be cancelled",
    );
    expect(results.some(({ ruleId }: { ruleId: string }) => ruleId === "call/cancel")).toBe(false);
  });

  it("says first how many tools were called, and is no success where none was", () => {
    const { invocations, properties } = runOf(untestedReport());
    const [{ toolExecutionNotifications: said, executionSuccessful }] = invocations;
    expect(said[0]).toMatchObject({ level: "error", message: { text: untestedReport().coverage.says } });
    expect(executionSuccessful).toBe(false);
    expect(properties.score).toBeNull();
    expect(runOf(sampleReport()).invocations[0].toolExecutionNotifications[0].level).toBe("note");
  });

  it("lets no text of a server become a link", () => {
    const [first] = sampleFindings;
    const findings = first === undefined ? [] : [{ ...first, message: "[click](https://evil.example)" }];
    expect(runOf(sampleReport({ findings })).results[0].message.text).toContain(
      "[click] (https://evil.example)",
    );
  });
});
