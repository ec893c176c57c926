import { describe, expect, test } from "vitest";
import { isSure, readForm, readSample } from "./forms.fixture.ts";
import { DECORATION, FIRST, ORDINARY, STRUCTURE } from "./text-form.ts";
import { readYaml } from "./yaml-form.ts";

describe("readYaml", () => {
  const form = readForm(readYaml, readSample("deploy/kubernetes.yaml"));

  test("gives a line the keys and the item that contain it", () => {
    expect(form.kind).toBe("tree");
    expect(form.above("image: waybill:0.1.0")).toEqual([
      "---",
      "spec:",
      "template:",
      "spec:",
      "containers:",
      "- name: gateway",
    ]);
  });

  test("takes a text of several lines for the value of its key", () => {
    expect(form.above('"budget": { "tokens": 8000 },').at(-1)).toBe("gateway.json: |");
    expect(form.above('"everything": {').at(-1)).toBe("gateway.json: |");
  });

  test("ranks what contains and what names before values, and comments last", () => {
    expect(form.ranked(FIRST)).toEqual(expect.arrayContaining(["kind: Deployment", "spec:"]));
    expect(form.ranked(STRUCTURE)).toEqual(expect.arrayContaining(["containers:", "- name: gateway", "---"]));
    expect(form.ranked(ORDINARY)).toContain("replicas: 2");
    const comments = form.lines.filter((line) => line.startsWith("#"));
    expect(comments.length).toBeGreaterThan(3);
    expect(form.ranked(DECORATION)).toEqual(expect.arrayContaining(comments));
  });

  test("knows items that are as far left as their key", () => {
    const rules = readForm(
      readYaml,
      "rules:\n- id: a\n  level: high\n- id: b\n  level: low\nname: all\nmore:\n  x: 1\n",
    );
    expect(rules.above("level: low")).toEqual(["rules:", "- id: b"]);
    expect(rules.above("name: all")).toEqual([]);
  });

  test("knows a list in brackets over several lines", () => {
    const compose = readForm(readYaml, readSample("deploy/compose.yaml"));
    expect(compose.above('"--appendonly"')).toEqual(["services:", "redis:", "command:", "["]);
  });

  test.each(["action.yml", "deploy/envoy.yaml", "schemas/rules.yaml"])("is sure of %s", (path) => {
    expect(isSure(readYaml, readSample(path))).toBe(true);
  });

  test.each([
    "package.json",
    "tsconfig.json",
    "README.md",
    "AGENTS.md",
    "vitest.config.ts",
    "src/core/text/forms/yaml-form.ts",
    "dashboard/look/tokens.css",
    "examples/python-servers/ask.py",
    "deploy/nginx.conf",
    "test/fixtures/forms/git-diff.txt",
    "test/fixtures/forms/python-trace.txt",
  ])("is not sure of %s", (path) => {
    expect(isSure(readYaml, readSample(path))).toBe(false);
  });

  test("is not sure of headers, which contain nothing", () => {
    expect(isSure(readYaml, "Host: a\nAccept: b\nDate: c\n".repeat(5))).toBe(false);
  });
});
