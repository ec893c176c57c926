import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DialectId } from "../../contract/dialect-id.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { detectDialect } from "./detect-dialect.ts";
import { readResponse } from "./translate.ts";
import { validateResponse, validateText } from "./validate-response.ts";

interface SeedFixture {
  readonly file: string;
  readonly dialect: DialectId;
  readonly level: string;
  readonly method?: string;
}

function read(file: string): string {
  return readFileSync(new URL(`../../../../test/fixtures/seeds/${file}`, import.meta.url), "utf8");
}

const index = JSON.parse(read("index.json")) as readonly SeedFixture[];
const fixtures = index
  .filter(({ level, method }) => level === "envelope" || (level === "result" && method === "tools/call"))
  .map((fixture) => ({ ...fixture, level: fixture.level as "envelope" | "result" }));

describe("the responses of the seeds", () => {
  it("are all here", () => {
    expect(fixtures).toHaveLength(53);
    expect([...new Set(fixtures.map(({ dialect }) => dialect))].sort()).toEqual([
      "drf",
      "response-v1",
      "response-v2",
      "response-v2-draft",
      "scalpel",
    ]);
  });

  it.each(fixtures)("$file is a valid $dialect $level", ({ file, dialect, level }) => {
    const text = read(file);
    const verdict = validateText(text, { dialect, level });
    expect(verdict.violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
    expect(verdict).toMatchObject({ valid: true, dialect, level, alternatives: [] });
    expect(validateResponse(JSON.parse(text), { dialect }), "as a value").toEqual(
      validateText(text, { dialect }),
    );

    const detected = detectDialect(JSON.parse(text) as JsonValue);
    expect([detected.dialect, ...detected.alternatives]).toContain(dialect);
    expect(detected.level).toBe(level);

    const outcome = readResponse(JSON.parse(text), dialect);
    expect(outcome.ok).toBe(!/error|failure|missing|exceeded|disabled|not-found/.test(file));
  });
});
