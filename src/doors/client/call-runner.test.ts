import { describe, expect, it } from "vitest";
import type { ErrorType } from "../../core/contract/error-data.ts";
import type { ClientOptions } from "./client-options.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import { type ScriptOptions, type Step, failure, scripted, success } from "./scripted.fixture.ts";

const done = success({ n: 1 }, { requestId: "req_ok" });
const away = failure("Away for now", { errorCode: "UNAVAILABLE", requestId: "req_away" });
const unforeseen = failure("It broke", { errorCode: "INTERNAL_ERROR" });
const conflict = failure("Already done", { errorCode: "INVALID_STATE", requestId: "req_c" });
const limited = failure("Too many", { errorCode: "RATE_LIMIT_EXCEEDED", data: { retry_after_seconds: 7 } });
const readOnly = { hints: { readOnlyHint: true } };

async function codeOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "ok",
    (error: unknown) => (ResponseError.isInstance(error) ? error.code : String(error)),
  );
}

async function attemptsOf(
  steps: readonly Step[],
  options: ScriptOptions = {},
): Promise<readonly [number, string]> {
  const { client, calls } = scripted(steps, options);
  const code = await codeOf(client.call("work"));
  return [calls.length, code];
}

describe("a call that failed", () => {
  it.each([
    ["VALIDATION_ERROR", 1],
    ["NOT_FOUND", 1],
    ["UNAUTHORIZED", 1],
    ["FORBIDDEN", 1],
    ["FEATURE_DISABLED", 1],
    ["CONFLICT", 1],
    ["NOT_IMPLEMENTED", 1],
    ["RATE_LIMIT_EXCEEDED", 3],
    ["INTERNAL_ERROR", 3],
    ["UNAVAILABLE", 3],
    ["TIMEOUT", 3],
  ])("with %s is made %i times where it only reads", async (errorCode, attempts) => {
    expect(await attemptsOf([failure("no", { errorCode })], readOnly)).toEqual([attempts, errorCode]);
  });

  it("is not made again where the tool ran and its answer is broken: it would break again", async () => {
    const broken = failure("It broke", { errorCode: "INTERNAL_ERROR", details: { executed: "yes" } });
    const late = failure("Too late", { errorCode: "TIMEOUT", details: { executed: "yes" } });
    expect(await attemptsOf([broken], readOnly)).toEqual([1, "INTERNAL_ERROR"]);
    expect(await attemptsOf([late, done], readOnly)).toEqual([2, "ok"]);
  });

  it("goes by the type where the code is unknown", async () => {
    const own = (errorType: ErrorType) => failure("no", { errorCode: "MY_OWN", errorType });
    expect(await attemptsOf([own("unavailable"), done], readOnly)).toEqual([2, "ok"]);
    expect(await attemptsOf([own("validation"), done], readOnly)).toEqual([1, "MY_OWN"]);
  });

  it("waits twice as long each time, never longer than told, and never quite the same", async () => {
    const slow = scripted([away], { ...readOnly, retry: { attempts: 5, baseMs: 100, maxMs: 500 } });
    await codeOf(slow.client.call("work"));
    expect(slow.pauses).toEqual([100, 200, 400, 500]);
    const early = scripted([away, done], { ...readOnly, random: () => 0, retry: { baseMs: 100 } });
    await early.client.call("work");
    expect(early.pauses).toEqual([50]);
  });

  it("waits as long as the server asks", async () => {
    const { client, pauses } = scripted([limited, done], readOnly);
    await client.call("work");
    expect(pauses).toEqual([7_000]);
  });

  it("is not made again when the wait is longer than there is time", async () => {
    const { client, calls, pauses } = scripted([limited, done], { ...readOnly, retry: { budgetMs: 6_999 } });
    expect(await codeOf(client.call("work"))).toBe("RATE_LIMIT_EXCEEDED");
    expect([calls.length, pauses]).toEqual([1, []]);
  });

  it("ends by its attempts where a server limits for ever", async () => {
    expect(await attemptsOf([limited], { retry: { attempts: 4 } })).toEqual([4, "RATE_LIMIT_EXCEEDED"]);
  });

  it("is made once when it is unknown why it failed: the query itself may be wrong", async () => {
    const failed = failure('syntax error at or near "FORM"', { errorCode: "OPERATION_FAILED" });
    expect(await attemptsOf([failed, done], readOnly)).toEqual([1, "OPERATION_FAILED"]);
  });

  it("is made once with retry off", async () => {
    expect(await attemptsOf([away, done], { ...readOnly, retry: false })).toEqual([1, "UNAVAILABLE"]);
  });
});

describe("a tool that may have done something", () => {
  it.each<[string, ScriptOptions]>([
    ["says nothing of itself", { hints: {} }],
    ["says that it destroys", { hints: { destructiveHint: true } }],
    ["cannot be asked, behind a bare function", {}],
  ])("is not repeated when it %s", async (_what, options) => {
    expect(await attemptsOf([away, done], options)).toEqual([1, "UNAVAILABLE"]);
    expect(await attemptsOf([unforeseen, done], options)).toEqual([1, "INTERNAL_ERROR"]);
    expect(await attemptsOf([new Error("connection lost"), done], options)).toEqual([1, "UNAVAILABLE"]);
  });

  it("is repeated when it is idempotent, or when told: for this call, this tool, or all", async () => {
    expect(await attemptsOf([away, done], { hints: { idempotentHint: true } })).toEqual([2, "ok"]);
    const retry = (repeat: "always" | readonly string[]): ClientOptions => ({ retry: { repeat } });
    expect(await attemptsOf([away, done], retry("always"))).toEqual([2, "ok"]);
    expect(await attemptsOf([away, done], retry(["work"]))).toEqual([2, "ok"]);
    expect(await attemptsOf([away, done], retry(["other"]))).toEqual([1, "UNAVAILABLE"]);
    const { client } = scripted([away, done]);
    expect(await codeOf(client.call("work", {}, { repeatable: true }))).toBe("ok");
  });

  it("is repeated after a refusal: a rate limit, or a call that is known not to have run", async () => {
    const unsent = failure("Never sent", { errorCode: "UNAVAILABLE", details: { executed: "no" } });
    const unknown = failure("Lost", { errorCode: "UNAVAILABLE", details: { executed: "unknown" } });
    expect(await attemptsOf([limited, done])).toEqual([2, "ok"]);
    expect(await attemptsOf([unsent, done])).toEqual([2, "ok"]);
    expect(await attemptsOf([unknown, done])).toEqual([1, "UNAVAILABLE"]);
  });

  it("is asked about only when that decides, and once", async () => {
    const { client, listed } = scripted(
      [failure("no", { errorCode: "NOT_FOUND" }), limited, done, away],
      readOnly,
    );
    await codeOf(client.call("work"));
    await codeOf(client.call("work"));
    expect(listed.count).toBe(0);
    await codeOf(client.call("work"));
    expect(listed.count).toBe(1);
  });
});

describe("a conflict", () => {
  it("is made again only if onConflict says so, though the tool is not idempotent", async () => {
    const seen: unknown[] = [];
    const says = (answer: "retry" | "fail"): ClientOptions => ({
      onConflict: async (error, called) => {
        seen.push([error.canonicalCode, called.tool]);
        return answer;
      },
    });
    expect(await attemptsOf([conflict, done], says("retry"))).toEqual([2, "ok"]);
    expect(await attemptsOf([conflict, done], says("fail"))).toEqual([1, "INVALID_STATE"]);
    expect(await attemptsOf([conflict, done], readOnly)).toEqual([1, "INVALID_STATE"]);
    expect(seen).toEqual([
      ["CONFLICT", "work"],
      ["CONFLICT", "work"],
    ]);
  });

  it("is not asked about after the last attempt", async () => {
    let asked = 0;
    const onConflict = () => (asked++, "retry" as const);
    expect(await attemptsOf([conflict], { onConflict })).toEqual([3, "INVALID_STATE"]);
    expect(asked).toBe(2);
  });
});

describe("a limit that is used up", () => {
  const usedUp = (resetAt: string) =>
    success({}, { rateLimit: { limit: 5, remaining: 0, reset_at: resetAt } });

  // shows 004.78
  it("holds the next call until it is reset, after a success too", async () => {
    const { client, pauses } = scripted([usedUp("2026-01-01T00:00:30Z"), done]);
    await client.call("work");
    expect(pauses).toEqual([]);
    await client.call("work");
    expect(pauses).toEqual([30_000]);
    await client.call("work");
    expect(pauses).toEqual([30_000]);
  });

  it("holds nothing once the time is over, nor while something is left", async () => {
    const past = scripted([usedUp("2026-01-01T00:00:30Z"), done]);
    await past.client.call("work");
    past.pass(31_000);
    await past.client.call("work");
    const left = success({}, { rateLimit: { remaining: 1, reset_at: "2026-01-01T00:00:30Z" } });
    const some = scripted([left, done]);
    await some.client.call("work");
    await some.client.call("work");
    expect([...past.pauses, ...some.pauses]).toEqual([]);
  });

  it("holds no call longer than its time: the server then speaks for itself", async () => {
    const { client, calls, pauses } = scripted([usedUp("2026-01-02T00:00:00Z"), limited]);
    await client.call("work");
    expect(await codeOf(client.call("work", {}, {}))).toBe("RATE_LIMIT_EXCEEDED");
    expect(calls.length).toBeGreaterThan(1);
    expect(pauses.every((ms) => ms <= 7_000)).toBe(true);
  });
});

describe("an abort", () => {
  it("ends a wait at once, with its own reason", async () => {
    const control = new AbortController();
    const reason = new Error("enough");
    const { client } = scripted([() => (queueMicrotask(() => control.abort(reason)), limited)], {
      wait: undefined as never,
    });
    await expect(client.call("work", {}, { signal: control.signal })).rejects.toBe(reason);
  });

  it("ends a call before it is made, and one that is under way", async () => {
    const before = scripted([done]);
    await expect(before.client.call("work", {}, { signal: AbortSignal.abort("late") })).rejects.toBe("late");
    expect(before.calls).toEqual([]);
    const control = new AbortController();
    const during = scripted(
      [
        () => {
          control.abort("stop");
          throw new Error("aborted");
        },
      ],
      readOnly,
    );
    await expect(during.client.tryCall("work", {}, { signal: control.signal })).rejects.toBe("stop");
    expect(during.calls.length).toBe(1);
  });
});

describe("a call's hooks", () => {
  // shows 004.77
  it("log every attempt with its request id", async () => {
    const logs: unknown[] = [];
    const { client } = scripted([away, done], { ...readOnly, onCall: (log) => logs.push(log) });
    await client.call("work", { q: 1 });
    const about = { tool: "work", args: { q: 1 }, durationMs: 0 };
    expect(logs).toEqual([
      {
        ...about,
        attempt: 1,
        ok: false,
        errorCode: "UNAVAILABLE",
        requestId: "req_away",
        fidelity: undefined,
      },
      { ...about, attempt: 2, ok: true, errorCode: undefined, requestId: "req_ok", fidelity: "full" },
    ]);
  });

  const warned = success(
    {},
    {
      warningDetails: [
        { code: "A", severity: "info", message: "a" },
        { code: "B", severity: "error", message: "b", context: { of: 3 } },
        { code: "C", severity: "warning", message: "c" },
      ],
    },
  );

  // shows 001.47, 001.147, 004.64
  it("hear every warning, gravest first", async () => {
    const heard: unknown[] = [];
    const { client } = scripted([warned], {
      onWarning: ({ code, severity }) => heard.push([code, severity]),
    });
    const { warnings } = await client.call("work");
    expect(warnings.length).toBe(3);
    expect(heard).toEqual([
      ["B", "error"],
      ["C", "warning"],
      ["A", "info"],
    ]);
  });

  // shows 001.47, 001.148, 004.72
  it("make an error of a grave warning where that is asked for, after all were heard, and repeat nothing", async () => {
    const heard: unknown[] = [];
    const options = {
      ...readOnly,
      strictWarnings: true,
      onWarning: ({ code }: { code?: string }) => heard.push(code),
    };
    const { client, calls } = scripted([warned], options);
    await expect(client.call("work")).rejects.toMatchObject({ code: "B", message: "b", details: { of: 3 } });
    expect([heard, calls.length]).toEqual([["B", "C", "A"], 1]);
    const mild = scripted([success({}, { warnings: ["only so"] })], { strictWarnings: true });
    expect(await codeOf(mild.client.call("work"))).toBe("ok");
  });
});

describe("what is sent", () => {
  it("is the call alone unless something is asked for", async () => {
    const { client, calls } = scripted([done]);
    await client.call("work", { a: 1 });
    expect(calls).toEqual([{ name: "work", arguments: { a: 1 } }]);
  });

  it("asks for dialect, profile and budget, and names key and request", async () => {
    const { client, calls } = scripted([done], { dialect: "scalpel", profile: "minimal", budget: "off" });
    await client.call("work", {}, { idempotencyKey: "k-1", requestId: "req_mine" });
    await client.call("work", {}, { budget: 900 });
    expect(calls.map(({ _meta }) => _meta)).toEqual([
      {
        "waybill/contract": { dialect: "scalpel", profile: "minimal", budget_tokens: "off" },
        "waybill/idempotency_key": "k-1",
        "waybill/request_id": "req_mine",
      },
      { "waybill/contract": { dialect: "scalpel", profile: "minimal", budget_tokens: 900 } },
    ]);
  });
});
