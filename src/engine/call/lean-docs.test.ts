import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { leanPresets, leanRules } from "../../core/pipeline/shape/lean/lean-rules.ts";
import { answerOf, issues, leanCall } from "./lean-call.fixture.ts";

const page = readFileSync(new URL("../../../docs/shape.md", import.meta.url), "utf8");

describe("docs/shape.md", () => {
  it("shows the line that a lean result really has", async () => {
    const { texts } = await leanCall(answerOf({ issues, next: 2 }));
    const line = texts
      .at(-1)
      ?.trim()
      .replace(/"archive":"[0-9a-f]{12}"/, '"archive":"3f2a9c01b7de"');
    expect(page).toContain(`\n${line}\n`);
  });

  it.each(Object.values(leanRules))("says why of %o", ({ label, why }) => {
    expect(page).toContain(`| ${label} | ${why} |`);
  });

  it.each(leanPresets)("names the fields of the preset $id", ({ id, fields }) => {
    const row = page.split("\n").find((line) => line.startsWith(`| ${id} |`)) ?? "";
    const named = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect(named).toEqual(
      fields.map(({ field, under }) => (under === undefined ? field : `${under}.${field}`)),
    );
  });
});
