import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";

interface SeedFixture {
  readonly file: string;
  readonly dialect: string;
  readonly level: string;
  readonly method?: string;
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const seeds = read("test/fixtures/seeds/index.json") as SeedFixture[];

/** Ajv is an independent reader of the published schemas: what they say must hold outside Zod too. */
const compiled = new Map<string, ValidateFunction>();
function compile(path: string): ValidateFunction {
  const known = compiled.get(path);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(read(path) as object);
  compiled.set(path, validate);
  return validate;
}

describe("published JSON Schemas", () => {
  const responses = seeds.filter(
    ({ level, method }) =>
      level === "envelope" || (level === "result" && (method ?? "tools/call") === "tools/call"),
  );

  it.each(responses.map((fixture) => [fixture.file, fixture.dialect]))("accept %s as %s", (file, dialect) => {
    const validate = compile(`schemas/${dialect}.schema.json`);
    validate(read(`test/fixtures/seeds/${file}`));
    expect(validate.errors).toBeNull();
  });

  it("accept the digest payload of seed 001", () => {
    const validate = compile("schemas/digest-payload.schema.json");
    validate(read("test/fixtures/seeds/001-L350-digest-payload.json"));
    expect(validate.errors).toBeNull();
  });

  it.each([
    ["response-v2", { success: true, data: {}, error: "text", meta: { version: "response-v2" } }],
    ["response-v2", { success: true, data: [], error: null, meta: { version: "response-v2" } }],
    ["response-v2", { success: true, data: {}, error: null, meta: { version: "response-v3" } }],
    ["response-v2", { success: true, data: {}, error: null, meta: { version: "response-v2" }, found: true }],
    [
      "response-v2-draft",
      { success: false, data: { error_code: "X" }, error: "x", meta: { version: "response-v2" } },
    ],
    ["scalpel", { error: { error: "x" } }],
    ["drf", { content: [] }],
    ["plain", { content: [{ type: "odd" }] }],
  ])("of %s refuses %j", (dialect, value) => {
    expect(compile(`schemas/${dialect}.schema.json`)(value)).toBe(false);
  });
});
