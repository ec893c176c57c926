import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { validateInput } from "./called-tool.ts";
import { type InputFailure } from "./input-failure.ts";
import type { SchemaIssue, StandardSchema } from "../settings/standard-schema.ts";

async function refusing(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return error;
  }
}

interface Refusal {
  readonly message: string;
  readonly code: string;
  readonly remediation: string | undefined;
  readonly details: InputFailure & { readonly errors: readonly InputFailure[] };
}

async function refusalOf(
  args: unknown,
  schema: StandardSchema | undefined,
  mask?: (text: string) => string,
): Promise<Refusal> {
  const thrown: unknown = await refusing(() => validateInput(args, schema, mask));
  if (!ToolFault.isInstance(thrown)) throw new Error("The input was not refused.");
  const { message, code, remediation, details } = thrown;
  return { message, code, remediation, details: details as unknown as Refusal["details"] };
}

const schema = z.object({
  id: z.string(),
  count: z.number().min(1).max(10).optional(),
  mode: z.enum(["fast", "slow"]).optional(),
  slug: z
    .string()
    .regex(/^[a-z-]+$/)
    .optional(),
  email: z.email().optional(),
  step: z.number().multipleOf(5).optional(),
  either: z.union([z.string().min(1), z.number()]).optional(),
  one: z.literal("only").optional(),
  tags: z.array(z.string().max(5)).optional(),
  owner: z.object({ name: z.string() }).optional(),
});

/** What is sent besides a good id, and what is said of it. */
const constraints: readonly (readonly [object, string, string, string])[] = [
  [{ id: 7 }, "INVALID_FORMAT", "/id", "type"],
  [{ id: undefined }, "MISSING_REQUIRED", "/id", "required"],
  [{ count: "3" }, "INVALID_FORMAT", "/count", "type"],
  [{ count: 0 }, "VALIDATION_ERROR", "/count", "too_small"],
  [{ count: 11 }, "VALIDATION_ERROR", "/count", "too_big"],
  [{ mode: "fats" }, "VALIDATION_ERROR", "/mode", "enum"],
  [{ mode: 5 }, "INVALID_FORMAT", "/mode", "type"],
  [{ mode: null }, "INVALID_FORMAT", "/mode", "type"],
  [{ either: true }, "INVALID_FORMAT", "/either", "type"],
  [{ either: "" }, "VALIDATION_ERROR", "/either", "too_small"],
  [{ one: 2 }, "INVALID_FORMAT", "/one", "type"],
  [{ slug: "No!" }, "VALIDATION_ERROR", "/slug", "pattern"],
  [{ email: "nobody" }, "VALIDATION_ERROR", "/email", "pattern"],
  [{ step: 7 }, "VALIDATION_ERROR", "/step", "not_multiple_of"],
  [{ tags: ["ok", "too long"] }, "VALIDATION_ERROR", "/tags/1", "too_big"],
  [{ tags: ["ok", 3] }, "INVALID_FORMAT", "/tags/1", "type"],
  [{ owner: {} }, "MISSING_REQUIRED", "/owner/name", "required"],
];

describe("validateInput", () => {
  it("gives the parsed arguments, defaults and conversions included", async () => {
    const parsing = z.object({ limit: z.coerce.number().default(20) });
    expect(await validateInput({ limit: "5" }, parsing)).toEqual({ limit: 5 });
    expect(await validateInput(undefined, parsing)).toEqual({ limit: 20 });
  });

  it("gives the arguments as they are to a tool without a schema", async () => {
    const args = { any: [1] };
    expect(await validateInput(args, undefined)).toBe(args);
    expect(await validateInput("text", undefined)).toEqual({});
  });

  // shows 001.71 with INVALID_FORMAT
  it.each(constraints)("refuses %j with %s", async (sent, code, pointer, constraint) => {
    const { code: given, details } = await refusalOf({ id: "a", ...sent }, schema);
    expect({ code: given, pointer: details.errors[0]?.pointer }).toEqual({ code, pointer });
    expect(details.constraint).toBe(constraint);
    expect(details.field).toBe(pointer.slice(1).replaceAll("/", "."));
  });

  it("names every failure at once, the first in the contract's keys", async () => {
    const { message, remediation, details } = await refusalOf({ count: 0, slug: "No!" }, schema);
    expect(message).toBe("Validation failed: id is required");
    expect(remediation).toBe("Correct id, count, slug and call again.");
    expect(details.errors.map(({ pointer }) => pointer)).toEqual(["/id", "/count", "/slug"]);
    expect(details).toMatchObject({ field: "id", constraint: "required", received: null });
    expect(details.errors[2]).toMatchObject({ pattern: "^[a-z-]+$", received: "No!" });
  });

  it("escapes pointers, and keeps __proto__ harmless", async () => {
    const odd = z.object({ "a/b~c": z.string() });
    expect((await refusalOf({ "a/b~c": 1 }, odd)).details.errors[0]?.pointer).toBe("/a~1b~0c");
    const args = JSON.parse('{"__proto__": {"polluted": true}}') as unknown;
    await refusalOf(args, schema);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("suggests a close enum value, a close field, and the field that a stray one was meant as", async () => {
    const value = await refusalOf({ id: "a", mode: "fats" }, schema);
    expect(value.details.errors[0]?.did_you_mean).toBe("fast");
    expect(value.remediation).toBe('Correct mode and call again. Did you mean "fast"?');
    const strict = z.strictObject({ spec_id: z.string(), limit: z.number().optional() });
    const stray = await refusalOf({ spec_id: "a", limt: 3, zzz: 1 }, strict);
    expect(stray.details.errors).toMatchObject([
      { pointer: "/limt", field: "limt", received: 3, did_you_mean: "limit" },
      { pointer: "/zzz", field: "zzz", received: 1 },
    ]);
    expect(stray.details.errors[1]).not.toHaveProperty("did_you_mean");
    const missing = await refusalOf({ specid: "a" }, z.object({ spec_id: z.string() }));
    expect(missing.details.errors[0]).toMatchObject({ did_you_mean: "spec_id", found: "specid" });
    expect(missing.remediation).toContain('Did you mean "spec_id" instead of "specid"?');
  });

  it("names an unknown argument, and the one that was meant, in the line that every client shows", async () => {
    const strict = z.strictObject({
      name: z.string().optional(),
      owner: z.strictObject({ login: z.string() }).optional(),
      rows: z.array(z.strictObject({ title: z.string().optional() })).optional(),
    });
    const messageOf = async (args: object) => (await refusalOf(args, strict)).message;
    expect(await messageOf({ nmae: "x" })).toBe(
      "Validation failed: Unknown argument 'nmae'. Did you mean 'name'?",
    );
    expect(await messageOf({ zzz: "x" })).toBe("Validation failed: Unknown argument 'zzz'.");
    expect(await messageOf({ owner: { login: "a", logn: "b" } })).toBe(
      "Validation failed: Unknown argument 'owner.logn'. Did you mean 'login'?",
    );
    expect(await messageOf({ rows: [{ titel: "b" }] })).toBe(
      "Validation failed: Unknown argument 'rows.0.titel'. Did you mean 'title'?",
    );
    const { details } = await refusalOf({ nmae: "x" }, strict);
    expect(details.errors[0]).toMatchObject({ message: "is not a known argument", did_you_mean: "name" });
  });

  const circle = z.object({ kind: z.literal("circle"), radius: z.number() });
  const square = z.object({ kind: z.literal("square"), side: z.number() });

  it.each([
    [z.union([z.string(), z.number()]), true, "must be string or number, not boolean"],
    [z.record(z.string(), z.number()), true, "must be object, not boolean"],
    [
      z.union([z.string(), z.union([z.number(), z.null()])]),
      [],
      "must be string or number or null, not array",
    ],
    [z.union([z.literal("all"), z.int()]), "al", 'must be "all" or number'],
    [z.union([z.enum(["a", "b"]), z.literal(2)]), "c", 'must be one of "a", "b" or 2'],
    [
      z.union([z.object({ id: z.string() }), z.array(z.string())]),
      { id: 1 },
      "must be an object in which id must be string, not number; or array",
    ],
    [
      z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]),
      {},
      "must be an object in which id is given; or an object in which name is given",
    ],
    [z.discriminatedUnion("kind", [circle, square]), { kind: "cirle" }, 'must be one of "circle", "square"'],
    [z.literal("only"), "other", 'must be "only"'],
    [z.number().min(1), 0, "must be >=1"],
    [z.string().max(3), "long text", "must have <=3 characters"],
    [z.email(), "nobody", "is not a valid email address"],
    [z.number().multipleOf(5), 7, "must be a multiple of 5"],
  ])("says what was expected, so that it reads as a sentence: %#", async (field, value, message) => {
    const { details } = await refusalOf({ field: value }, z.object({ field }));
    expect(details.errors[0]?.message).toBe(message);
  });

  it("names at most five forms of a union", async () => {
    const forms = Array.from({ length: 8 }, (_, at) => z.object({ [`f${at}`]: z.string() }));
    const { details } = await refusalOf(
      { field: 1 },
      z.object({ field: z.union([z.string(), ...forms.map((form) => z.array(form))]) }),
    );
    expect(details.errors[0]?.message).toBe("must be string or array, not number");
    const literals = z.union(
      Array.from({ length: 8 }, (_, at) => z.literal(at)) as [z.ZodLiteral, z.ZodLiteral],
    );
    const many = await refusalOf({ field: "x" }, z.object({ field: literals }));
    expect(many.details.errors[0]?.message).toBe("must be 0 or 1 or 2 or 3 or 4 or 3 more forms, not string");
  });

  it("keeps an author's own words for a rule about an absent field", async () => {
    const rule = z
      .object({ start: z.string(), end: z.string().optional() })
      .refine((range) => range.end !== undefined, { path: ["end"], message: "must be given with start" });
    const { message, code } = await refusalOf({ start: "a" }, rule);
    expect({ message, code }).toEqual({
      message: "Validation failed: end must be given with start",
      code: "MISSING_REQUIRED",
    });
  });
});

describe("what a refusal echoes", () => {
  const echoOf = async (field: string, value: unknown, mask?: (text: string) => string) => {
    const refused = await refusalOf({ [field]: value }, z.object({ [field]: z.never() }), mask);
    return { received: refused.details.received, all: JSON.stringify(refused) };
  };

  it.each([
    ["x".repeat(40), "x".repeat(40)],
    ["x".repeat(41), "a string of 41 characters"],
    [`${"x".repeat(39)}😀`, "a string of 41 characters"],
    ["two\nlines", "a string of 9 characters"],
    ["two\u2028lines", "a string of 9 characters"],
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
    [Array.from({ length: 500 }, () => 1), "a list of 500 items"],
    [{ a: "x".repeat(40) }, "an object with 1 field"],
    [{ a: { token: "t" } }, "an object with 1 field"],
    [7, 7],
    [false, false],
  ])("shows short values on one line, and of others their type and length: %j", async (value, shown) => {
    expect((await echoOf("field", value)).received).toEqual(shown);
  });

  it.each(["password", "DB_PASSWORD", "apiKey", "authorization", "cookie", "client_secret"])(
    "shows nothing of a value under the name %s",
    async (name) => {
      const { received, all } = await echoOf(name, "hunter2");
      expect(received).toBe("a string of 7 characters");
      expect(all).not.toContain("hunter2");
      expect((await echoOf(name, 4711)).all).not.toContain("4711");
      expect((await echoOf(name, { a: ["hunter2"] })).all).not.toContain("hunter2");
    },
  );

  it("shows nothing of a value below a secret's name", async () => {
    const nested = z.object({ secret: z.object({ inner: z.number() }) });
    const refused = await refusalOf({ secret: { inner: "hunter2" } }, nested);
    expect(JSON.stringify(refused)).not.toContain("hunter2");
  });

  it("shows nothing of a value that holds a secret", async () => {
    const mask = (text: string): string => text.replaceAll("hunter2", "[REDACTED:X]");
    expect((await echoOf("field", "is hunter2", mask)).received).toBe("a string of 10 characters");
  });

  it("has no value in its messages, whatever a schema library writes there", async () => {
    const words = (value: string): readonly string[] => [
      `Invalid type: Expected number but received "${value}"`,
      `must be a number (was "${value}")`,
      `"${value}" is not a number`,
      `Expected a number; ${value.slice(0, 12)}… was given`,
    ];
    const value = "const ledger = 'x';";
    for (const message of words(value)) {
      const library = failingSchema("own", [{ message, path: ["count"] }]);
      const refused = await refusalOf({ count: value }, library);
      expect(refused.message).not.toContain("const");
      expect(refused.details.errors[0]?.message).not.toContain("const");
    }
    const valibot = failingSchema("own", [{ message: words(value)[0] ?? "", path: ["count"] }]);
    expect((await refusalOf({ count: value }, valibot)).message).toBe(
      "Validation failed: count must be number",
    );
  });

  it("stays short for long names and many failures", async () => {
    const strict = z.strictObject({});
    const args = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`${"k".repeat(999)}${index}`, 1]),
    );
    const { details, message } = await refusalOf(args, strict);
    expect(details.errors).toHaveLength(50);
    expect(details.errors[0]?.field).toHaveLength(200);
    expect(message.length).toBeLessThan(500);
  });

  it("names arguments too deep for a schema library", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = { a: deep };
    const { message, details, code } = await refusalOf({ id: deep }, schema);
    expect(code).toBe("VALIDATION_ERROR");
    expect(message).toBe("Validation failed: arguments are nested deeper than 1000 levels");
    expect(details).toMatchObject({ field: "arguments", constraint: "too-deep" });
  });

  it("names arguments that JSON cannot carry, as a caller in memory may send", async () => {
    const { message } = await refusalOf({ id: 1n }, undefined);
    expect(message).toBe("Validation failed: arguments have a part that JSON cannot carry");
  });
});

function failingSchema(vendor: string, issues: readonly SchemaIssue[]): StandardSchema {
  return { "~standard": { version: 1, vendor, validate: async () => ({ issues }) } };
}

describe("schemas of other libraries", () => {
  it("are read in ArkType's words", async () => {
    const issues = [
      {
        message: "count must be a number (was a string)",
        path: ["count"],
        code: "domain",
        expected: "a number",
      },
      { message: "id must be present", path: ["id"], code: "required" },
      { message: "slug must be matched by ^a$", path: ["slug"], code: "pattern", expected: "matched by ^a$" },
    ];
    const { code, details } = await refusalOf({ count: "3", slug: "b" }, failingSchema("arktype", issues));
    expect(code).toBe("INVALID_FORMAT");
    expect(details.errors.map(({ constraint }) => constraint)).toEqual(["type", "required", "pattern"]);
    expect(details.errors[1]?.message).toBe("is required");
  });

  it("are read in Valibot's words, with its path of objects", async () => {
    const issues = [
      {
        kind: "schema",
        type: "number",
        message: "Expected number",
        path: [{ key: "owner" }, { key: "age" }],
      },
      { kind: "schema", type: "picklist", message: "Expected fast | slow", path: [{ key: "mode" }] },
      { kind: "validation", type: "regex", requirement: /^a$/u, message: "Bad", path: [{ key: "slug" }] },
      { kind: "validation", type: "max_value", message: "Too large", path: [{ key: "count" }] },
    ];
    const args = { owner: { age: "x" }, mode: "m", slug: "b", count: 99 };
    const { details, code } = await refusalOf(args, failingSchema("valibot", issues));
    expect(code).toBe("INVALID_FORMAT");
    expect(details.errors).toMatchObject([
      { pointer: "/owner/age", field: "owner.age", constraint: "type", received: "x" },
      { constraint: "enum" },
      { constraint: "pattern", pattern: "^a$" },
      { constraint: "max_value", received: 99 },
    ]);
  });

  it("are of the wrong type where none of Valibot's choices has it", async () => {
    const picklist = { kind: "schema", type: "picklist", message: "Expected", path: [{ key: "mode" }] };
    const texts = { ...picklist, expected: '("fast" | "slow")' };
    const { code, details } = await refusalOf({ mode: 5 }, failingSchema("valibot", [texts]));
    expect({ code, constraint: details.constraint }).toEqual({ code: "INVALID_FORMAT", constraint: "type" });
    const mixed = { ...picklist, expected: '("fast" | 7)' };
    expect((await refusalOf({ mode: 5 }, failingSchema("valibot", [mixed]))).code).toBe("VALIDATION_ERROR");
  });

  it("may say nothing but that something is wrong", async () => {
    const bare = await refusalOf({ a: 1 }, failingSchema("own", [{ message: "no good" }]));
    expect(bare).toMatchObject({ message: "Validation failed: arguments no good", code: "VALIDATION_ERROR" });
    expect(bare.details).toMatchObject({ field: "arguments", constraint: "invalid", received: { a: 1 } });
    const silent = await refusalOf({}, failingSchema("own", []));
    expect(silent.message).toBe("Validation failed: arguments are not valid");
  });

  it("give what they make of the arguments", async () => {
    const upper: StandardSchema = {
      "~standard": { version: 1, vendor: "own", validate: (value) => ({ value: { seen: value } }) },
    };
    expect(await validateInput({ a: 1 }, upper)).toEqual({ seen: { a: 1 } });
  });
});
