import { describe, expect, it } from "vitest";
import { isNotification } from "./message-values.ts";
import { messageRules } from "./rules.ts";
import { validateMessage, type ValidateMessageOptions } from "./validate-message.ts";

const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search" } };
const response = { jsonrpc: "2.0", result: { content: [{ type: "text", text: "{}" }] }, id: 1 };
const notification = { jsonrpc: "2.0", method: "notifications/initialized" };

function broken(json: unknown, options?: ValidateMessageOptions): string[] {
  return validateMessage(json, options).violations.map(({ rule, path }) => `${rule} ${path}`);
}

function failure(code: unknown, id: unknown = 1) {
  return { jsonrpc: "2.0", error: { code, message: "It failed" }, id };
}

describe("validateMessage", () => {
  it("says what was found, where, and how to fix it", () => {
    expect(validateMessage({ ...response, jsonrpc: "1.0" })).toEqual({
      valid: false,
      violations: [
        {
          rule: "jsonrpc/version",
          path: "/jsonrpc",
          message: '`jsonrpc` is "1.0". Set `jsonrpc` to the string "2.0".',
          severity: "MUST",
        },
      ],
    });
  });

  it("stays valid when only a SHOULD is broken", () => {
    expect(validateMessage({ ...response, took: 3 }).valid).toBe(true);
    expect(broken({ ...response, took: 3, "a/b": 1 })).toEqual([
      "jsonrpc/unknown-key /took",
      "jsonrpc/unknown-key /a~1b",
    ]);
  });

  it("names every missing member of an empty object", () => {
    expect(broken({})).toEqual([
      "jsonrpc/version /jsonrpc",
      "jsonrpc/result-or-error ",
      "jsonrpc/id-missing /id",
    ]);
  });

  it("takes a member set to undefined for absent", () => {
    expect(broken({ ...response, error: undefined, extra: undefined })).toEqual([]);
    expect(broken({ ...response, id: undefined })).toEqual(["jsonrpc/id-missing /id"]);
  });

  it.each([undefined, null, true, 7n, Symbol("x"), () => 1, Number.NaN])(
    "refuses the value %s that is not an object",
    (value) => {
      expect(broken(value)).toEqual(["jsonrpc/object "]);
    },
  );

  it("shortens what it quotes", () => {
    const [violation] = validateMessage({ ...response, jsonrpc: "x".repeat(5000) }).violations;
    expect(violation?.message.length).toBeLessThan(150);
  });

  it("lists each rule once, at the level of messages", () => {
    expect(new Set(messageRules.map(({ id }) => id)).size).toBe(26);
    expect(messageRules.every(({ level }) => level === "message")).toBe(true);
  });
});

describe("validateMessage of a request", () => {
  it("accepts requests and notifications", () => {
    expect(broken(request)).toEqual([]);
    expect(broken(notification)).toEqual([]);
    expect(isNotification(notification)).toBe(true);
    expect(isNotification(request)).toBe(false);
  });

  it("knows a request without a method by its params", () => {
    expect(broken({ jsonrpc: "2.0", id: 1, params: {} })).toEqual(["jsonrpc/method /method"]);
  });

  it("refuses null and fractional ids", () => {
    expect(broken({ ...request, id: null })).toEqual(["jsonrpc/id-null /id"]);
    expect(broken({ ...request, id: 1.5 })).toEqual(["jsonrpc/id-type /id"]);
  });

  it("refuses params by position, which MCP does not have", () => {
    expect(broken({ ...request, params: [1] })).toEqual(["jsonrpc/params-type /params"]);
  });

  it("refuses a message that is request and response at once", () => {
    expect(broken({ ...request, result: {} })).toEqual(["jsonrpc/result-or-error "]);
    expect(broken({ ...request, error: null })).toEqual(["jsonrpc/result-or-error "]);
  });
});

describe("validateMessage of an error", () => {
  it.each([-32700, -32600])("lets %i have a null id", (code) => {
    expect(broken(failure(code, null))).toEqual([]);
    expect(broken(failure(code, null), { request })).toEqual([]);
  });

  it("refuses a null id with any other outcome", () => {
    expect(broken(failure(-32603, null))).toEqual(["jsonrpc/id-null /id"]);
    expect(broken({ ...response, id: null })).toEqual(["jsonrpc/id-null /id"]);
    expect(broken({ ...response, id: null }, { request })).toEqual(["jsonrpc/id-null /id"]);
  });

  it("says nothing of a null id while the outcome is unclear", () => {
    expect(broken({ jsonrpc: "2.0", id: null })).toEqual(["jsonrpc/result-or-error "]);
    expect(broken({ jsonrpc: "2.0", id: null, error: "no" })).toEqual(["jsonrpc/error-type /error"]);
    expect(broken(failure("E_FAIL", null))).toEqual(["jsonrpc/error-code /error/code"]);
    expect(broken({ ...failure(-32603, null), result: {} })).toEqual(["jsonrpc/result-or-error "]);
  });

  it.each([-32700, -32603, -32002, -32020, -32021, -32022, -32042, -31999, -32769, 1, 404])(
    "takes %i without remark",
    (code) => {
      expect(broken(failure(code))).toEqual([]);
    },
  );

  it.each([-32000, -32001, -32019, -32023, -32099, -32100, -32768])(
    "remarks on the reserved code %i",
    (code) => {
      expect(broken(failure(code))).toEqual(["jsonrpc/error-code-known /error/code"]);
    },
  );

  // shows 003.8
  it("reports code and message apart", () => {
    expect(broken({ jsonrpc: "2.0", error: { code: 1.5 }, id: 1 })).toEqual([
      "jsonrpc/error-code /error/code",
      "jsonrpc/error-message /error/message",
    ]);
  });
});

describe("validateMessage with the request", () => {
  it("tells ids of different types apart", () => {
    expect(broken(response, { request: { ...request, id: "1" } })).toEqual(["jsonrpc/id-mismatch /id"]);
  });

  it("reports an answer to a notification once, whatever its id", () => {
    for (const id of [undefined, null, 1, 1.5]) {
      expect(broken({ ...response, id }, { request: notification })).toEqual([
        "jsonrpc/notification-answered ",
      ]);
    }
  });

  it("lets the echo of a null id pass, since the request was at fault", () => {
    expect(broken({ ...response, id: null }, { request: { ...request, id: null } })).toEqual([]);
  });

  it("does not take an unversioned message for a notification", () => {
    expect(broken(failure(-32600, null), { request: { method: "ping" } })).toEqual([]);
  });

  it("does not count a fractional id as echoed", () => {
    expect(broken({ ...response, id: 1.5 }, { request: { ...request, id: 1.5 } })).toEqual([
      "jsonrpc/id-type /id",
    ]);
  });

  it("takes the method from the request", () => {
    const list = { ...request, method: "tools/list" };
    expect(broken(response, { request: list })).toEqual(["tools-list/tools /result/tools"]);
    expect(broken(response, { request: list, method: "ping" })).toEqual([]);
  });
});

describe("validateMessage of a batch", () => {
  it("judges each message at its own path", () => {
    expect(broken([request, 5, { ...response, jsonrpc: 2 }, [response]])).toEqual([
      "jsonrpc/object /1",
      "jsonrpc/version /2/jsonrpc",
      "jsonrpc/object /3",
    ]);
  });

  it("pairs answers with a batch of requests by id", () => {
    const requests = [request, notification, { ...request, id: "b", method: "tools/list" }];
    const answers = [{ ...response, id: "b", result: { tools: [] } }, response, { ...response, id: 9 }];
    expect(broken(answers, { request: requests })).toEqual(["jsonrpc/id-mismatch /2/id"]);
    expect(broken([response], { request: [notification] })).toEqual(["jsonrpc/notification-answered /0"]);
  });
});
