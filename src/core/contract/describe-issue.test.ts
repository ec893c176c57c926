import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { describeIssue } from "./describe-issue.ts";
import { envelopeSchema } from "./envelope.ts";
import { errorResponse } from "./tool-fault.ts";
import { successResponse } from "./success-responses.ts";
import { archiveHashesSchema } from "./meta.ts";

function said(schema: z.ZodMiniType, value: unknown): string[] | undefined {
  return schema.safeParse(value, { error: describeIssue }).error?.issues.map((issue) => issue.message);
}

const one = z.strictObject({ a: z.string() });

describe("describeIssue", () => {
  it.each<[string, z.ZodMiniType, unknown]>([
    ["is missing", z.string(), undefined],
    ["is missing", z.enum(["x", "y"]), undefined],
    ["is 7, not a string", z.string(), 7],
    ["is null, not a string", z.string(), null],
    ["is true, not a list", z.array(z.string()), true],
    ["is a string, not a number", z.number(), "7"],
    ["is a list, not an object", z.looseObject({}), []],
    ["is a list, not an object", z.record(z.string(), z.string()), []],
    ["is an object, not a boolean", z.boolean(), {}],
    ["is NaN, not a number", z.number(), Number.NaN],
    ["is 1.5, not a whole number", z.int(), 1.5],
    ["is 1e+21, more than 9007199254740991", z.int(), 1e21],
    ['is not "1.0"', z.literal("1.0"), "2.0"],
    ["is not true", z.literal(true), "true"],
    ['is not one of "x", "y"', z.enum(["x", "y"]), "z"],
    ["is -1, less than 0", z.number().check(z.minimum(0)), -1],
    ["is 0, not more than 0", z.number().check(z.gt(0)), 0],
    ["is 1.1, more than 1", z.number().check(z.maximum(1)), 1.1],
    ["is 1, not less than 1", z.number().check(z.lt(1)), 1],
    ["is 3, not a multiple of 2", z.number().check(z.multipleOf(2)), 3],
    ["is empty", z.string().check(z.minLength(1)), ""],
    ["is empty", z.array(z.string()).check(z.minLength(1)), []],
    ["has fewer than 3 characters", z.string().check(z.minLength(3)), "ab"],
    ["has more than 1 items", z.array(z.int()).check(z.maxLength(1)), [1, 2]],
    ['has the unknown key "b"', one, { a: "", b: 1 }],
    ['has the unknown keys "b", "c"', one, { a: "", b: 1, c: 2 }],
    ["has a name that is empty", archiveHashesSchema, { "": `sha256:${"a".repeat(64)}` }],
    ["does not match /^x/", z.string().check(z.regex(/^x/)), "y"],
    ["has none of the allowed shapes", z.union([one, z.string()]), 7],
    ["is not allowed", z.string().check(z.refine((text) => text !== "x")), "x"],
    ["is no friend", z.string().check(z.refine(() => false, { error: "is no friend" })), "x"],
  ])("says that a value %s", (message, schema, value) => {
    expect(said(schema, value)).toEqual([message]);
  });

  it("repeats neither texts nor contents", () => {
    expect(said(z.int(), "secret")).toEqual(["is a string, not a number"]);
    expect(said(z.string(), ["secret"])).toEqual(["is a list, not a string"]);
  });

  it("keeps its words under a locale of the host application", () => {
    // The configuration is one object, which the next line changes.
    const { localeError } = z.config();
    z.config(z.locales.de());
    expect(said(z.string(), 7)).toEqual(["is 7, not a string"]);
    z.config({ localeError });
  });
});

describe("the builders say which option is wrong", () => {
  it.each([
    [
      "meta.pagination.page_size is 0, less than 1",
      () => successResponse({}, { pagination: { page_size: 0 } }),
    ],
    [
      'meta.warning_details.0.severity is not one of "error", "warning", "info"',
      () => successResponse({}, { warningDetails: [{ message: "m", severity: "bad" as "info" }] }),
    ],
    ["data.remediation is 7, not a string", () => errorResponse("No", { data: { remediation: 7 } })],
  ])("%s", (sentence, build) => {
    expect(build).toThrow(`${sentence}: pass a value the contract allows.`);
  });
});

describe("the public schemas", () => {
  it("parse, and follow Standard Schema", () => {
    const response = successResponse({ id: 1 });
    expect(envelopeSchema.parse(response)).toEqual(response);
    expect(envelopeSchema["~standard"]).toMatchObject({ version: 1, vendor: "zod" });
    expect(envelopeSchema["~standard"].validate({})).toHaveProperty("issues");
  });
});
