import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import {
  type GuardSummariserOptions,
  type SummariseRequest,
  type Summariser,
  type SummariserError,
  guardSummariser,
} from "./summariser.ts";
import { openAiSummariser } from "./open-ai-summariser.ts";
import { type StubEndpoint, completion, says, startStubEndpoint } from "./stub-endpoint.fixture.ts";

let stub: StubEndpoint;
beforeAll(async () => {
  stub = await startStubEndpoint();
});
beforeEach(() => {
  stub.requests.length = 0;
});
afterAll(() => stub.close());

const good = says(completion('{"summary":"Bees dance.","key_points":[]}'));
const bad = says("{}", 500);

function request(more: Partial<SummariseRequest> = {}): SummariseRequest {
  const limits = { maxSummaryChars: 200, maxKeyPoints: 3, maxKeyPointChars: 50 };
  return { text: "Bees dance.", ...limits, signal: new AbortController().signal, ...more };
}

function setUp(options: GuardSummariserOptions = {}) {
  const clock = { ms: 0 };
  const failures: SummariserError[] = [];
  const guarded = guardSummariser(openAiSummariser({ baseUrl: stub.baseUrl, model: "small" }), {
    now: () => clock.ms,
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  const reasonOf = async (): Promise<unknown> =>
    guarded.summarise(request()).then(
      () => "fine",
      (error: unknown) => (error as SummariserError).reason,
    );
  return { clock, failures, guarded, reasonOf };
}

async function reasonsOf(ask: () => Promise<unknown>, count: number): Promise<unknown[]> {
  const reasons: unknown[] = [];
  for (let call = 0; call < count; call++) reasons.push(await ask());
  return reasons;
}

describe("guardSummariser", () => {
  it("leaves an endpoint alone after three failures in a row, and tells of each", async () => {
    const { reasonOf, failures } = setUp();
    stub.answer = bad;
    expect(await reasonsOf(reasonOf, 5)).toEqual([
      "failed",
      "failed",
      "failed",
      "circuit_open",
      "circuit_open",
    ]);
    expect(stub.requests).toHaveLength(3);
    expect(failures.map(({ status }) => status)).toEqual([500, 500, 500]);
  });

  it("lets one probe through after the rest, and goes on resting when it fails", async () => {
    const { reasonOf, clock } = setUp();
    stub.answer = bad;
    await reasonsOf(reasonOf, 3);
    clock.ms = 29_999;
    expect(await reasonOf()).toBe("circuit_open");
    clock.ms = 30_000;
    expect(await Promise.all([reasonOf(), reasonOf(), reasonOf()])).toEqual([
      "failed",
      "circuit_open",
      "circuit_open",
    ]);
    expect(stub.requests).toHaveLength(4);
    clock.ms = 59_999;
    expect(await reasonOf()).toBe("circuit_open");
  });

  it("is back once a probe succeeds", async () => {
    const { reasonOf, clock } = setUp();
    stub.answer = bad;
    await reasonsOf(reasonOf, 3);
    clock.ms = 30_000;
    stub.answer = good;
    expect(await reasonsOf(reasonOf, 3)).toEqual(["fine", "fine", "fine"]);
  });

  it("counts a late answer, an unreadable one and an error alike", async () => {
    const { reasonOf } = setUp({ timeoutMs: 1_500 });
    const answers = [() => undefined, says("no JSON"), says("{}", 429)];
    const reasons: unknown[] = [];
    for (const answer of answers) {
      stub.answer = answer;
      reasons.push(await reasonOf());
    }
    expect([...reasons, await reasonOf()]).toEqual(["timeout", "invalid_answer", "failed", "circuit_open"]);
  });

  it("starts to count anew after every success", async () => {
    const { reasonOf } = setUp();
    for (const answer of [bad, bad, good, bad, bad, good]) {
      stub.answer = answer;
      await reasonOf();
    }
    expect(stub.requests).toHaveLength(6);
  });

  it("does not blame the summariser for callers who give up or ask for the impossible", async () => {
    const { guarded, failures, reasonOf } = setUp({ breaker: { failures: 1 } });
    const caller = new AbortController();
    stub.answer = () => caller.abort("enough");
    await expect(guarded.summarise(request({ signal: caller.signal }))).rejects.toBe("enough");
    await expect(guarded.summarise(request({ text: "x".repeat(30_000) }))).rejects.toSatisfy((error) =>
      ContractError.isInstance(error),
    );
    stub.answer = good;
    expect(await reasonOf()).toBe("fine");
    expect(failures).toEqual([]);
  });

  it("gives no caller who is gone already the place of the probe", async () => {
    const { guarded, reasonOf, clock } = setUp({ breaker: { failures: 1 } });
    stub.answer = bad;
    await reasonOf();
    clock.ms = 30_000;
    stub.answer = good;
    await expect(guarded.summarise(request({ signal: AbortSignal.abort("gone") }))).rejects.toBe("gone");
    expect(await reasonOf()).toBe("fine");
  });

  it("holds any summariser to the limits and to a summary's shape", async () => {
    const given: unknown[] = [
      { summary: "x".repeat(999), keyPoints: ["a", "b", "c", "d"] },
      { summary: "x" },
    ];
    const own: Summariser = { name: "own", summarise: async () => given.shift() as never };
    const guarded = guardSummariser(own);
    expect(await guarded.summarise(request())).toEqual({
      summary: `${"x".repeat(199)}…`,
      keyPoints: ["a", "b", "c"],
    });
    await expect(guarded.summarise(request())).rejects.toMatchObject({ reason: "invalid_answer" });
  });

  it("keeps the name and what it takes, and one summariser's failures from another's", async () => {
    const first = setUp({ breaker: { failures: 1, resetMs: 5 } });
    const second = setUp({ breaker: { failures: 1 } });
    stub.answer = bad;
    await first.reasonOf();
    stub.answer = good;
    expect([await first.reasonOf(), await second.reasonOf()]).toEqual(["circuit_open", "fine"]);
    expect(first.guarded.name).toBe(second.guarded.name);
    expect(first.guarded.maxInputChars).toBe(24_000);
  });

  it.each([{ timeoutMs: 0 }, { breaker: { failures: 0 } }, { breaker: { resetMs: Number.NaN } }])(
    "refuses %j",
    (options) => {
      expect(() => setUp(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    },
  );
});
