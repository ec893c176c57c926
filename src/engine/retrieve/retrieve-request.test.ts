import { describe, expect, it } from "vitest";
import { readCounter } from "../../core/tokens/read-counter.ts";
import { argumentForms } from "./argument-forms.ts";
import { type RetrieveRequest, readRequest } from "./retrieve-request.ts";
import { retrieveDescription, retrieveInputSchema } from "./retrieve-schemas.ts";

const archive = "3f2a9c01b7de";

function refusal(args: object): unknown {
  try {
    readRequest(args);
  } catch (error) {
    return error;
  }
  return "not refused";
}

describe("readRequest", () => {
  it("refuses an argument there is not, and explains the one that was meant", () => {
    expect(refusal({ archive, selct: "a" })).toMatchObject({
      code: "VALIDATION_ERROR",
      message: 'waybill_retrieve has no argument "selct".',
      remediation: `Did you mean select? select: ${argumentForms.select}.`,
      details: { field: "selct" },
    });
    expect(refusal({ archive, offset: null })).toMatchObject({
      remediation:
        "It takes archive, ids, pointer, match, query, select, lines, tail, around, grep, cursor, limit.",
      details: { field: "offset" },
    });
  });

  it.each([
    ["_waybill_select", "select"],
    ["expression", "select"],
    ["regex", "grep"],
    ["search", "query"],
    ["handle", "archive"],
  ])("knows what %s is called here: %s", (given, meant) => {
    const { remediation } = refusal({ archive, [given]: "a" }) as { readonly remediation?: string };
    expect(remediation).toMatch(new RegExp(`^Did you mean ${meant}\\? ${meant}: `));
  });

  it("takes what is clear though it is written otherwise", () => {
    expect(readRequest({ archive, lines: 7 })).toEqual({ archive, lines: "7" });
    expect(readRequest({ archive, lines: -20 })).toEqual({ archive, lines: "-20" });
    const grep = { pattern: "x", context: "2" };
    expect(readRequest({ archive, grep })).toEqual({ archive, grep: { pattern: "x", context: 2 } });
    expect(readRequest({ archive, select: "a", limit: 0 })).toEqual({ archive, select: "a" });
    expect(readRequest({ archive, limit: 0 })).toEqual({ archive, limit: 0 });
  });

  it("takes null for absent, and an empty text where it says nothing", () => {
    const given = {
      archive,
      ids: null,
      match: null,
      query: null,
      limit: null,
      select: "",
      lines: "",
      grep: "",
    };
    expect(readRequest({ ...given, cursor: "", pointer: "" })).toEqual({ archive, pointer: "" });
  });

  it.each<[object, string]>([
    [{ select: "a", pointer: "/a" }, "pointer"],
    [{ select: "a", ids: ["x"] }, "ids"],
    [{ select: "a", lines: "1" }, "lines"],
    [{ select: "a", grep: "x" }, "grep"],
    [{ lines: "1", query: "x" }, "query"],
    [{ grep: "x", match: { a: 1 } }, "match"],
  ])("refuses what it could only ignore: %j", (given, field) => {
    expect(refusal({ archive, ...given })).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { field, constraint: expect.stringContaining("not together") as unknown },
    });
  });

  it.each<[object, string]>([
    [{ lines: "x" }, "lines"],
    [{ lines: "-" }, "lines"],
    [{ lines: "0" }, "lines"],
    [{ lines: "9-3" }, "lines"],
    [{ lines: 7.5 }, "lines"],
    [{ grep: { pattern: "x", context: "two" } }, "grep"],
    [{ grep: {} }, "grep"],
    [{ grep: [] }, "grep"],
    [{ grep: { patern: "x" } }, "grep"],
    [{ grep: { pattern: "x", context: -1 } }, "grep"],
    [{ grep: { pattern: "x", context: 51 } }, "grep"],
    [{ grep: "x".repeat(5_000) }, "grep"],
    [{ select: 7 }, "select"],
    [{ pointer: 7 }, "pointer"],
  ])("says how an argument is written when %j is not it", (given, field) => {
    const form = argumentForms[field as keyof typeof argumentForms];
    expect(refusal({ archive, ...given })).toMatchObject({
      code: "VALIDATION_ERROR",
      remediation: `${field}: ${form}.`,
      details: { field },
    });
  });

  it.each<RetrieveRequest>([
    { archive, lines: "100-180" },
    { archive, lines: " 100 - " },
    { archive, lines: "-20", grep: "x" },
    { archive, lines: "5", pointer: "/log" },
    { archive, grep: { pattern: "x" }, limit: 5 },
    { archive, grep: { pattern: "x", context: 50 } },
    { archive, select: "length(@)", cursor: "abc" },
  ])("takes %j", (given) => {
    expect(readRequest(given)).toEqual(given);
  });
});

describe("the definition of waybill_retrieve", () => {
  it("names every argument, with a few words each", () => {
    expect(Object.keys(retrieveInputSchema.properties)).toEqual(Object.keys(argumentForms));
  });

  it("costs a list 195 tokens at most", () => {
    const listed = {
      name: "waybill_retrieve",
      title: "Fetch what was left out",
      description: retrieveDescription,
      inputSchema: retrieveInputSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    };
    expect(readCounter("o200k_base").count(JSON.stringify(listed))).toBeLessThanOrEqual(195);
  });
});
