import { describe, expect, it } from "vitest";
import { noise } from "./planted-secrets.fixture.ts";
import { createRedactor } from "./redact/redact-secrets.ts";

const redactor = createRedactor();
const json = <T>(value: T) => redactor.json(value);

describe("createRedactor().json", () => {
  it.each([
    "password",
    "Password",
    "api_key",
    "apiKey",
    "API-KEY",
    "x-api-key",
    "accessToken",
    "refresh_token",
  ])("masks the string under %s whole", (key) => {
    const { value, count } = json({ [key]: "any words at all" });
    expect(value[key]).toMatch(/^\[REDACTED:[A-Z_]+\]$/);
    expect(count).toBe(1);
  });

  it.each([
    "token_count",
    "tokens",
    "nextPageToken",
    "progressToken",
    "page_token",
    "secretary",
    "password_reset",
  ])("leaves the string under %s", (key) => {
    expect(json({ [key]: "some-value-123" }).count).toBe(0);
  });

  it("leaves empty strings, numbers, booleans, null and objects under a secret name", () => {
    const value = { password: "", token: 5, secret: true, api_key: null, cookie: { type: "string" } };
    expect(json(value)).toEqual({ value, count: 0 });
  });

  it("leaves the working directory and masks the password of the same name", () => {
    expect(json({ PWD: "/home/bob", pwd: "hunter2" }).value).toEqual({
      PWD: "/home/bob",
      pwd: "[REDACTED:PASSWORD]",
    });
  });

  it("leaves sentences in a message catalogue and masks environment variables", () => {
    expect(
      json({ INVALID_TOKEN: "Please sign in", LOGIN_TOKEN: "Give the token", ACME_TOKEN: "abcd1234efgh" })
        .value,
    ).toEqual({
      INVALID_TOKEN: "Please sign in",
      LOGIN_TOKEN: "Give the token",
      ACME_TOKEN: "[REDACTED:TOKEN]",
    });
  });

  it("masks the strings of a list under a secret name", () => {
    expect(json({ "set-cookie": ["a=1", "", { b: 1 }] }).value).toEqual({
      "set-cookie": ["[REDACTED:COOKIE]", "", { b: 1 }],
    });
  });

  it("masks the value beside a secret name, as in lists of variables and headers", () => {
    expect(
      json([
        { name: "DB_PASSWORD", value: "hunter2" },
        { name: "PORT", value: "80" },
      ]).value,
    ).toEqual([
      { name: "DB_PASSWORD", value: "[REDACTED:PASSWORD]" },
      { name: "PORT", value: "80" },
    ]);
  });

  it("masks secrets inside other strings, also JSON in a string", () => {
    const { value } = json({ log: ['{"password":"hunter2"}', "token=abcdef123"] });
    expect(value).toEqual({ log: ['{"password":"[REDACTED:PASSWORD]"}', "token=[REDACTED:TOKEN]"] });
  });

  it("returns the same value when nothing is masked, and the same parts when something is", () => {
    const clean = { a: [1, { b: "c" }] };
    expect(json(clean).value).toBe(clean);
    const mixed = { clean, dirty: { token: "x" } };
    const { value } = json(mixed);
    expect(value).not.toBe(mixed);
    expect(value.clean).toBe(clean);
    expect(mixed.dirty.token).toBe("x");
  });

  it("masks a secret that is the key of an object, and keeps what is under each", () => {
    const [one, other] = [noise(36), noise(36, undefined, 9)];
    const { value, count } = json({ sessions: { [`ghp_${one}`]: 1, [`ghp_${other}`]: 2, id: 3 } });
    expect(Object.entries(value.sessions)).toEqual([
      ["[REDACTED:GITHUB_TOKEN]", 1],
      ["[REDACTED:GITHUB_TOKEN] 2", 2],
      ["id", 3],
    ]);
    expect(count).toBe(2);
    expect(json(value).count).toBe(0);
  });

  it("keeps the order of keys and the key __proto__", () => {
    const value = JSON.parse('{"z":1,"__proto__":{"token":"abc"},"a":2}') as Record<string, unknown>;
    expect(JSON.stringify(json(value).value)).toBe('{"z":1,"__proto__":{"token":"[REDACTED:TOKEN]"},"a":2}');
  });

  it("reads down to a thousand levels and lets nothing deeper through unread", () => {
    const nest = (levels: number) => {
      let value: unknown = { password: "hunter2" };
      for (let level = 0; level < levels; level++) value = { in: value };
      return JSON.stringify(json(value).value);
    };
    expect(nest(999)).toContain('"password":"[REDACTED:PASSWORD]"');
    expect(nest(1_500)).not.toContain("hunter2");
    expect(nest(1_500)).toContain("[REDACTED:TOO_DEEP]");
  });

  it("survives a value that contains itself, and parts used many times", () => {
    const loop: Record<string, unknown> = { token: "abc" };
    loop["self"] = loop;
    expect(json(loop).value).toEqual({ token: "[REDACTED:TOKEN]", self: "[REDACTED:CYCLE]" });
    let shared: unknown = { token: "abc" };
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(json(shared).count).toBe(1);
  });

  it.each([
    [
      { field: "password", received: "hunter2" },
      { field: "password", received: "[REDACTED:PASSWORD]" },
    ],
    [
      { field: "owner.apiKey", received: "x" },
      { field: "owner.apiKey", received: "[REDACTED:API_KEY]" },
    ],
    [
      { pointer: "/a/token", received: "x" },
      { pointer: "/a/token", received: "[REDACTED:TOKEN]" },
    ],
    [
      { key: "DB_PASSWORD", value: "x" },
      { key: "DB_PASSWORD", value: "[REDACTED:PASSWORD]" },
    ],
    [{ auth: btoa("bob:hunter2") }, { auth: "[REDACTED:AUTHORIZATION]" }],
    [
      ["authorization", "Odd hunter2"],
      ["authorization", "[REDACTED:AUTHORIZATION]"],
    ],
  ])("masks by what names a value: %j", (value, masked) => {
    expect(json(value as object).value).toEqual(masked);
  });

  it.each([
    { field: "title", received: "hunter2" },
    { required: ["password", "token", "authorization", "cookie"] },
    { vary: ["authorization", "accept"] },
    { auth: "oauth2", key: "PROJ-1" },
  ])("leaves what only looks like it: %j", (value) => {
    expect(json(value)).toEqual({ value, count: 0 });
  });

  it.each(["cursor", "nextCursor", "next_cursor", "end-cursor", "startCursor"])(
    "leaves the cursor under %s, whatever it looks like",
    (key) => {
      const value = { [key]: `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.${"c".repeat(20)}` };
      expect(json(value)).toEqual({ value, count: 0 });
    },
  );
});
