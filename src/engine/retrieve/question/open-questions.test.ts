import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { encodeTables } from "../../../core/json/table/encode-tables.ts";
import { faultOf } from "./fault-of.fixture.ts";
import { openQuestions } from "./open-questions.ts";
import type { Questions } from "./question.ts";

const records = Array.from({ length: 2_000 }, (_, index) => ({
  id: index,
  state: index % 3 === 0 ? "open" : "closed",
  text: `record ${index} `.repeat(10),
}));
const bytes = Buffer.from(JSON.stringify(records));
const hash = createHash("sha256").update(bytes).digest("hex");

/** Compares every record with every record with every record. */
const slow = "length([?length($[?length($[?id == `1`]) == `1`]) == `1`])";

async function opened(): Promise<Questions> {
  const questions = await openQuestions();
  if (questions === undefined) throw new Error("No worker can be started.");
  return questions;
}

describe("openQuestions", () => {
  it("answers about a value and about bytes alike", async () => {
    const questions = await opened();
    const answer = { value: { open: 667, closed: 1333 }, records: 2_000, note: undefined };
    expect(await questions.ask({ value: records }, "count_by(@, &state)")).toEqual(answer);
    expect(await questions.ask({ bytes, sha256: hash }, "count_by(@, &state)")).toEqual(answer);
    expect(bytes.byteLength).toBeGreaterThan(100_000);
  });

  it("takes bytes that are given away", async () => {
    const given = new Uint8Array(bytes);
    expect((await (await opened()).ask({ bytes: given, isGiven: true }, "length(@)")).value).toBe(2_000);
    expect(given.byteLength).toBe(0);
  });

  it("decodes tables, and opens a text that is JSON", async () => {
    const questions = await opened();
    const tables = Buffer.from(JSON.stringify(encodeTables(records)));
    expect((await questions.ask({ bytes: tables, hasTables: true }, "[5].id")).value).toBe(5);
    expect((await questions.ask({ bytes, isText: true }, "[5].id")).value).toBe(5);
    expect((await questions.ask({ value: '{"a": 1}' }, "a")).value).toBe(1);
    expect(
      (await questions.ask({ bytes: Buffer.from("a plain text"), isText: true }, "length(@)")).value,
    ).toBe(12);
  });

  it("refuses bytes that do not have their hash", async () => {
    const questions = await opened();
    const fault = await faultOf(() => questions.ask({ bytes, sha256: "0".repeat(64) }, "length(@)"));
    expect(fault.details).toEqual({ reason: "hash_mismatch" });
  });

  it("gives long answers whole", async () => {
    const { value } = await (await opened()).ask({ value: records }, "{all: @, again: [*].text}");
    expect(value).toEqual({ all: records, again: records.map(({ text }) => text) });
  });

  it("stops an answer at its limit, also one that is longer than its source", async () => {
    const questions = await opened();
    const long = `[@,@]${"|[@,@]".repeat(20)}`;
    for (const [expression, maxAnswerBytes] of [
      ["@", 1_000],
      [long, undefined],
    ] as const) {
      const fault = await faultOf(() => questions.ask({ value: records }, expression, { maxAnswerBytes }));
      expect(fault).toMatchObject({ code: "TOO_LARGE", details: { reason: "long_answer" } });
    }
  });

  it("ends a question that takes too long, and answers the next one", async () => {
    const questions = await opened();
    const fault = await faultOf(() => questions.ask({ value: records }, slow, { timeoutMs: 200 }));
    expect(fault).toMatchObject({ code: "TIMEOUT", details: { reason: "slow_question" } });
    expect((await questions.ask({ value: [1, 2] }, "sum(@)")).value).toBe(3);
  });

  it.runIf(isFullRun)(
    "ends a question that fills the memory, and answers the next one",
    { timeout: 120_000 },
    async () => {
      const questions = await opened();
      const small = Array.from({ length: 2_500_000 }, () => []);
      const objects = "[*].{a:@,b:{a:@},c:[@]} | [*].{a:@,b:{a:@}}";
      const fault = await faultOf(() => questions.ask({ value: small }, objects, { timeoutMs: 60_000 }));
      expect(fault).toMatchObject({ code: "TOO_LARGE", details: { reason: "out_of_memory" } });
      expect((await questions.ask({ value: [1, 2] }, "sum(@)")).value).toBe(3);
    },
  );

  it("ends a question that no caller waits for any more, also one that waits its turn", async () => {
    const questions = await opened();
    const stop = new AbortController();
    const asked = [1, 2, 3].map(() => questions.ask({ value: records }, slow, { signal: stop.signal }));
    const settled = Promise.allSettled(asked);
    setTimeout(() => stop.abort(new Error("nobody waits")), 50);
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect((await questions.ask({ value: [1, 2] }, "sum(@)")).value).toBe(3);
  });

  it("answers many at once, each its own", async () => {
    const questions = await opened();
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(numbers.map((n) => questions.ask({ value: { n } }, "n + 1")));
    expect(answers.map(({ value }) => value)).toEqual(numbers.map((n) => n + 1));
  });

  it("checks before it asks, and keeps the fault of the worker whole", async () => {
    const questions = await opened();
    expect((await faultOf(() => questions.check("a["))).code).toBe("INVALID_FORMAT");
    const long = `${"a.".repeat(1_000)}[`;
    expect((await faultOf(() => questions.check(long))).message).toContain(" at character 2002: ");
    await questions.check(`${"a.".repeat(1_000)}b`);
    expect((await faultOf(() => questions.ask({ value: 1 }, "a["))).code).toBe("INVALID_FORMAT");
    const fault = await faultOf(() => questions.ask({ value: { state: 1 } }, "stat"));
    expect(fault).toMatchObject({
      code: "INVALID_FORMAT",
      remediation: expect.stringContaining("for example: state") as string,
    });
  });

  it("keeps what JSON keeps", async () => {
    const odd = JSON.parse('{"__proto__": {"a": 1}, "lone": "\\ud800", "big": 1e300, "": []}') as JsonValue;
    const { value } = await (await opened()).ask({ value: odd }, "@");
    expect(JSON.stringify(value)).toBe(JSON.stringify(odd));
  });
});
