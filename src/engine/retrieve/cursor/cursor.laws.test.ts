import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import { stableStringify } from "../../../core/json/canonical-json.ts";
import { fromBase64url, portableToBase64url, toBase64url } from "./base64url.ts";
import { cursorMac, webMac, writeBinding } from "./cursor-mac.ts";
import type { CursorBinding, SignedCursorOptions } from "./cursor-options.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const now = (): Date => new Date("2026-08-01T10:00:00Z");
const keys = "an old and well-kept secret";
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const position = fc.dictionary(fc.string({ unit: "binary" }), json, {
  maxKeys: 5,
}) as fc.Arbitrary<JsonObject>;
const binding: fc.Arbitrary<CursorBinding> = fc.record(
  { tool: fc.string(), filters: json, sort: json, tenant: fc.string() },
  { requiredKeys: [] },
);
const letters = fc.constantFrom(
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split(""),
);
const characters = fc.oneof({ weight: 9, arbitrary: letters }, fc.constantFrom("=", "+", "/", ".", " "));

async function isRefused(cursor: string, options: SignedCursorOptions): Promise<boolean> {
  try {
    await decodeCursor(cursor, options);
    return false;
  } catch (error) {
    return ToolFault.isInstance(error) && error.code === "INVALID_CURSOR";
  }
}

const bound = ({ tool, filters, sort, tenant }: CursorBinding): string =>
  stableStringify([tool ?? null, filters ?? null, sort ?? null, tenant ?? null]);

describe("cursors", () => {
  test("give any position back to the call they were issued for", () =>
    fc.assert(
      fc.asyncProperty(position, binding, async (given, call) => {
        const options = { ...call, keys, now };
        const read = await decodeCursor(await encodeCursor(given, options), options);
        expect(stableStringify(read)).toBe(stableStringify(given));
      }),
      runs,
    ));

  test("in plain form give any position back except its version", () =>
    fc.assert(
      fc.asyncProperty(position, async (given) => {
        const read = await decodeCursor(await encodeCursor(given, { format: "plain" }), { format: "plain" });
        const { version: _, ...rest } = given;
        const expected = Object.hasOwn(given, "version") ? rest : given;
        expect(stableStringify(read)).toBe(stableStringify(expected));
      }),
      runs,
    ));

  test("are refused after any change, removal or insertion of one character, and any truncation", () =>
    fc.assert(
      fc.asyncProperty(position, fc.nat(), characters, async (given, place, character) => {
        const options = { keys, now };
        const cursor = await encodeCursor(given, options);
        const index = place % cursor.length;
        const [head, tail] = [cursor.slice(0, index), cursor.slice(index + 1)];
        const changed = `${head}${character}${tail}`;
        expect(await isRefused(changed, options)).toBe(changed !== cursor);
        expect(await isRefused(`${head}${character}${cursor.slice(index)}`, options)).toBe(true);
        expect(await isRefused(`${cursor}${character}`, options)).toBe(true);
        expect(await isRefused(`${head}${tail}`, options)).toBe(true);
        expect(await isRefused(head, options)).toBe(true);
        expect(await isRefused(cursor.slice(index + 1), options)).toBe(true);
      }),
      runs,
    ));

  test("never work for another tool, filter, sort order or tenant", () =>
    fc.assert(
      fc.asyncProperty(position, binding, binding, async (given, issued, used) => {
        fc.pre(bound(issued) !== bound(used));
        const cursor = await encodeCursor(given, { ...issued, keys, now });
        expect(await isRefused(cursor, { ...used, keys, now })).toBe(true);
      }),
      runs,
    ));

  test("that are arbitrary text are refused and never crash the decoder", () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.base64String()), async (text) => {
        expect(await isRefused(text, { keys, now })).toBe(true);
      }),
      runs,
    ));
});

describe("what replaces Node's own on other runtimes", () => {
  test("signs as Node does, whatever the secret, the call and the cursor", () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", minLength: 1, maxLength: 200 }),
        binding,
        fc.uint8Array({ maxLength: 200 }),
        async (secret, call, body) => {
          const bytes = Uint8Array.from(body);
          const mac = cursorMac(secret, bytes, call);
          expect(mac).toBeInstanceOf(Uint8Array);
          expect(await webMac(secret, writeBinding(call), bytes)).toEqual(mac);
        },
      ),
      runs,
    ));

  test("writes base64url as Node does", () =>
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(portableToBase64url(bytes)).toBe(toBase64url(bytes));
      }),
      runs,
    ));
});

describe("base64url", () => {
  test("reads back every byte string", () =>
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromBase64url(toBase64url(bytes))).toEqual(Uint8Array.from(bytes));
      }),
      runs,
    ));

  test("has one text for each byte string", () =>
    fc.assert(
      fc.property(fc.string({ unit: letters }), (text) => {
        const bytes = fromBase64url(text);
        expect(bytes === undefined ? text : toBase64url(bytes)).toBe(text);
      }),
      runs,
    ));
});
