import { describe, expect, test } from "vitest";
import { ContractError } from "../contract/contract-error.ts";
import type { CursorKeys, EncodeCursorOptions } from "./cursor-options.ts";
import { encodeCursor } from "./encode-cursor.ts";

const secret = "an old and well-kept secret";
const now = (): Date => new Date("2026-08-01T10:00:00Z");

async function contractErrorOf(promise: Promise<unknown>): Promise<ContractError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!ContractError.isInstance(error)) throw new Error("no ContractError was thrown");
  return error;
}

describe("encodeCursor, signed", () => {
  test("is pinned byte for byte", async () => {
    const cursor = await encodeCursor(
      { after: "task-20" },
      { keys: secret, tool: "task_query", filters: { status: "open" }, sort: "id", tenant: "acme", now },
    );
    expect(cursor).toBe("AQEwAABQwXsiYWZ0ZXIiOiJ0YXNrLTIwIn06fd2JS58-sQ3dDaWZKPlo");
  });

  test("gives equal text for equal input within a UTC day, whatever the order of keys", async () => {
    const morning = await encodeCursor({ a: 1, b: 2 }, { keys: secret, filters: { x: 1, y: 2 }, now });
    const evening = await encodeCursor(
      { b: 2, a: 1 },
      { keys: secret, filters: { y: 2, x: 1 }, now: () => new Date("2026-08-01T23:59:59.999Z") },
    );
    const tomorrow = await encodeCursor(
      { a: 1, b: 2 },
      { keys: secret, filters: { x: 1, y: 2 }, now: () => new Date("2026-08-02T00:00:00Z") },
    );
    expect(evening).toBe(morning);
    expect(tomorrow).not.toBe(morning);
  });

  test("carries neither filters nor tenant", async () => {
    const short = await encodeCursor({ after: 1 }, { keys: secret, now });
    const long = await encodeCursor(
      { after: 1 },
      { keys: secret, filters: { text: "x".repeat(500) }, tenant: "acme", now },
    );
    expect(long).toHaveLength(short.length);
  });

  test("is URL-safe", async () => {
    const cursor = await encodeCursor({ after: "ÿþ?/+ 😀" }, { keys: secret, now });
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  const badKeys: [string, CursorKeys | undefined][] = [
    ["no secret", undefined],
    ["an empty secret", ""],
    ["a secret of 15 bytes", "123456789012345"],
    ["a ring with a short secret", { current: "a", keys: { a: secret, b: "short" } }],
    ["a ring without its current key", { current: "c", keys: { a: secret } }],
  ];
  test.each(badKeys)("asks for a key when there is %s", async (_name, keys) => {
    const error = await contractErrorOf(encodeCursor({ a: 1 }, { keys, now } as EncodeCursorOptions));
    expect(error.code).toBe("MISSING_KEY");
  });

  test("says what to do about a missing key and never quotes a secret", async () => {
    const error = await contractErrorOf(encodeCursor({ a: 1 }, { keys: "hunter2" }));
    expect(error.message).toMatch(/openssl rand -base64 32/);
    expect(error.message).not.toContain("hunter2");
  });

  test("counts a secret's bytes, not its characters", async () => {
    await expect(encodeCursor({ a: 1 }, { keys: "éééééééé" })).resolves.toMatch(/^AQ/);
  });

  test.each([0, -1, 1.5, Number.NaN, 36_501])("refuses to expire in %d days", async (expiresInDays) => {
    const error = await contractErrorOf(encodeCursor({ a: 1 }, { keys: secret, expiresInDays }));
    expect(error.code).toBe("INVALID_OPTION");
  });

  test("refuses a position that is not JSON or not an object", async () => {
    const date = await contractErrorOf(encodeCursor({ at: now() } as never, { keys: secret }));
    const list = await contractErrorOf(encodeCursor([1] as never, { keys: secret }));
    expect([date.code, list.code]).toEqual(["NOT_JSON", "INVALID_OPTION"]);
  });

  test("refuses filters that are not JSON", async () => {
    const error = await contractErrorOf(
      encodeCursor({ a: 1 }, { keys: secret, filters: { at: now() } as never }),
    );
    expect(error.code).toBe("NOT_JSON");
  });

  test("refuses a key id that does not fit", async () => {
    const error = await contractErrorOf(
      encodeCursor({ a: 1 }, { keys: { current: "a b", keys: { "a b": secret } } }),
    );
    expect(error.code).toBe("INVALID_OPTION");
  });

  test("writes no cursor that it would not read", async () => {
    const error = await contractErrorOf(encodeCursor({ after: "x".repeat(4_000) }, { keys: secret }));
    expect(error.message).toMatch(/over the limit of 4096/);
  });
});

describe("encodeCursor, plain", () => {
  test.each([
    [{ offset: 20 }, "eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ=="],
    [{ last_id: "item_123" }, "eyJsYXN0X2lkIjoiaXRlbV8xMjMiLCJ2ZXJzaW9uIjoxfQ=="],
    [{ last_id: "é" }, "eyJsYXN0X2lkIjoiXHUwMGU5IiwidmVyc2lvbiI6MX0="],
  ])("writes %j as the original does", async (position, cursor) => {
    expect(await encodeCursor(position, { format: "plain" })).toBe(cursor);
  });

  const jsonOf = async (position: Record<string, string | number>): Promise<string> =>
    atob(await encodeCursor(position, { format: "plain" }));

  test("sets a given version to 1 where it stands", async () => {
    expect(await jsonOf({ version: 99, a: 1 })).toBe('{"version":1,"a":1}');
  });

  test("escapes everything but printable ASCII", async () => {
    expect(await jsonOf({ a: "\u007f😀\n" })).toBe('{"a":"\\u007f\\ud83d\\ude00\\n","version":1}');
  });

  test("keeps a key named __proto__", async () => {
    const position = JSON.parse('{"__proto__":1}') as Record<string, number>;
    expect(await jsonOf(position)).toBe('{"__proto__":1,"version":1}');
  });
});
