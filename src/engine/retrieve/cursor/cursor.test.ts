import { describe, expect, test } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { toBase64url } from "./base64url.ts";
import type {
  CursorKeys,
  DecodeCursorOptions,
  EncodeCursorOptions,
  SignedCursorOptions,
} from "./cursor-options.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

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

  // shows 004.58
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

  test("sets a given version to 1 in its place", async () => {
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

const other = "another well-kept secret";
const at = (text: string) => (): Date => new Date(text);
const options: SignedCursorOptions = { keys: secret, tool: "task_query", filters: { status: "open" }, now };
const plain: DecodeCursorOptions = { format: "plain" };

async function faultOf(cursor: unknown, decoding: DecodeCursorOptions): Promise<ToolFault> {
  const error = await decodeCursor(cursor as string, decoding).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!ToolFault.isInstance(error)) throw new Error("no fault was thrown");
  return error;
}

async function reasonOf(cursor: unknown, decoding: DecodeCursorOptions): Promise<unknown> {
  return (await faultOf(cursor, decoding)).details?.["cursor_reason"];
}

describe("decodeCursor, signed", () => {
  test("gives the position back", async () => {
    const cursor = await encodeCursor({ after: ["2026-07-31", 7], version: 3 }, options);
    expect(await decodeCursor(cursor, options)).toEqual({ after: ["2026-07-31", 7], version: 3 });
  });

  test("refuses with INVALID_CURSOR, a reason and a remedy", async () => {
    const fault = await faultOf("nonsense!", options);
    expect(fault.code).toBe("INVALID_CURSOR");
    expect(fault.type).toBe("validation");
    expect(fault.details).toEqual({
      field: "cursor",
      reason: "it is not a cursor of this server",
      cursor_reason: "malformed",
    });
    expect(fault.remediation).toBe(
      "Start again without a cursor, or use the cursor of the last page of this same query.",
    );
  });

  test.each([
    ["empty", ""],
    ["empty", undefined],
    ["empty", null],
    ["malformed", 20],
    ["malformed", "0 "],
    ["malformed", "A"],
    ["malformed", "AQ"],
    ["malformed", "AQEwAAA"],
    ["version", "Ag"],
    ["version", toBase64url(new Uint8Array(64).fill(9))],
    ["version", "WzFd"],
    ["too_long", "A".repeat(4_097)],
  ])("names %s as the reason for %j", async (reason, cursor) => {
    expect(await reasonOf(cursor, options)).toBe(reason);
  });

  test.each<[string, Partial<SignedCursorOptions>]>([
    ["tool", { tool: "task_list" }],
    ["filters", { filters: { status: "done" } }],
    ["sort", { sort: "-id" }],
    ["tenant", { tenant: "acme" }],
    ["secret", { keys: other }],
  ])("refuses a cursor of another %s, always for the same reason", async (_name, change) => {
    const cursor = await encodeCursor({ after: 1 }, options);
    expect(await reasonOf(cursor, { ...options, ...change })).toBe("signature");
  });

  test("works through the last day and no longer", async () => {
    const cursor = await encodeCursor({ after: 1 }, options);
    const lastMoment = { ...options, now: at("2026-08-08T23:59:59.999Z") };
    expect(await decodeCursor(cursor, lastMoment)).toEqual({ after: 1 });
    expect(await reasonOf(cursor, { ...options, now: at("2026-08-09T00:00:00Z") })).toBe("expired");
  });

  test("keeps the expiry it was issued with", async () => {
    const cursor = await encodeCursor({ after: 1 }, { ...options, expiresInDays: 1 });
    expect(await reasonOf(cursor, { ...options, expiresInDays: 30, now: at("2026-08-03T00:00:00Z") })).toBe(
      "expired",
    );
  });

  test("verifies with any key of the ring and signs with the current one", async () => {
    const before: CursorKeys = { current: "a", keys: { a: secret } };
    const after: CursorKeys = { current: "b", keys: { a: secret, b: other } };
    const old = await encodeCursor({ after: 1 }, { ...options, keys: before });
    const fresh = await encodeCursor({ after: 1 }, { ...options, keys: after });
    expect(await decodeCursor(old, { ...options, keys: after })).toEqual({ after: 1 });
    expect(await decodeCursor(fresh, { ...options, keys: after })).toEqual({ after: 1 });
    expect(await reasonOf(fresh, { ...options, keys: before })).toBe("unknown_key");
  });

  test("knows a bare secret as key 0 of a ring", async () => {
    const cursor = await encodeCursor({ after: 1 }, options);
    const ring: CursorKeys = { current: "b", keys: { "0": secret, b: other } };
    expect(await decodeCursor(cursor, { ...options, keys: ring })).toEqual({ after: 1 });
  });

  test.each(["toString", "__proto__"])("does not find the key %j on a prototype", async (id) => {
    const keys: CursorKeys = {
      current: id,
      keys: JSON.parse(`{"${id}":"${secret}"}`) as Record<string, string>,
    };
    const cursor = await encodeCursor({ after: 1 }, { ...options, keys });
    expect(await reasonOf(cursor, options)).toBe("unknown_key");
  });

  // shows 004.19
  test("refuses an unsigned cursor by default", async () => {
    const cursor = "eyJvZmZzZXQiOjIwfQ==";
    expect(await reasonOf(cursor, options)).toBe("signature");
    expect(await decodeCursor(cursor, { ...options, acceptUnsigned: true })).toEqual({ offset: 20 });
  });

  test("still verifies signed cursors when unsigned ones are accepted", async () => {
    const cursor = await encodeCursor({ after: 1 }, options);
    const accepting = { ...options, acceptUnsigned: true };
    expect(await decodeCursor(cursor, accepting)).toEqual({ after: 1 });
    expect(await reasonOf(cursor, { ...accepting, tenant: "acme" })).toBe("signature");
  });
});

describe("decodeCursor, plain", () => {
  test.each([
    ["eyJvZmZzZXQiOjIwfQ==", { offset: 20 }],
    ["eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ==", { offset: 20 }],
    ["eyJsYXN0X2lkIjoiXHUwMGU5IiwidmVyc2lvbiI6MX0=", { last_id: "é" }],
  ])("reads %j", async (cursor, position) => {
    expect(await decodeCursor(cursor, plain)).toEqual(position);
  });

  test.each([
    ["empty", ""],
    ["malformed", "eyJvZmZzZXQiOjIwfQ"],
    ["malformed", "eyJvZmZzZXQiOjIwfQ="],
    ["malformed", "eyJvZmZzZXQiOjIwfR=="],
    ["malformed", "eyJv!ZmZzZXQiOjIwfQ="],
    ["malformed", btoa("not json")],
    ["malformed", btoa('{"a":"\xff"}')],
    ["malformed", btoa('{"offset":1e400}  ')],
    ["not_an_object", btoa("[1]")],
    ["not_an_object", btoa("null")],
    ["version", btoa('{"version":99}')],
    ["version", btoa('{"version":"1"}')],
    ["too_long", "e".repeat(4_100)],
  ])("names %s as the reason for %j", async (reason, cursor) => {
    expect(await reasonOf(cursor, plain)).toBe(reason);
  });

  test("refuses a signed cursor", async () => {
    expect(await reasonOf(await encodeCursor({ after: 1 }, options), plain)).toBe("malformed");
  });
});
