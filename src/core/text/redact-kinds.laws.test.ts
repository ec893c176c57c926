import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { furtherKeys } from "./planted-secrets.fixture.ts";
import { createRedactor } from "./redact/redact-secrets.ts";

const redactor = createRedactor();
const runs = lawRuns(3_000);

/** A key of any kind, drawn anew each time. */
const drawn = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.nat()).map(([seed, at]) => {
  const keys = Object.entries(furtherKeys(seed));
  const [name = "", key = ""] = keys[at % keys.length] ?? [];
  return { label: name.split(" ", 1)[0] ?? "", key };
});
const words = fc.array(
  fc.constantFrom("the", "server", "said", "at 12:30", "(see", "below)", "42", "né", "日本"),
  {
    maxLength: 6,
  },
);

const where: Readonly<Record<string, (key: string, before: string, after: string) => string>> = {
  "at the beginning": (key, _, after) => `${key} ${after}`,
  "in the middle": (key, before, after) => `${before} ${key} ${after}`,
  "at the end": (key, before) => `${before} ${key}`,
  "in JSON": (key, before, after) => JSON.stringify({ before, note: key, after: [after, `"${key}"`] }),
  "in a URL": (key, before) => `${before} https://api.example.com/v1/items?k=${key}&page=2`,
  "in a header": (key, before, after) => `${before}\r\nX-Acme: ${key}\r\nAccept: ${after}`,
};

describe("a key of any kind", () => {
  it.each(Object.entries(where))("is masked %s, and nothing else is", (_, put) => {
    fc.assert(
      fc.property(drawn, words, words, ({ label, key }, before, after) => {
        const texts = [before.join(" "), after.join(" ")] as const;
        const { text } = redactor.text(put(key, ...texts));
        expect(text).toBe(put(`[REDACTED:${label}]`, ...texts));
      }),
      runs,
    );
  });
});

const hashed = fc
  .tuple(fc.constantFrom("md5", "sha1", "sha256", "sha512"), fc.string())
  .map(([name, text]) => createHash(name).update(text));
const pictures = ["iVBORw0KGgo", "/9j/4AAQSkZJRg", "R0lGODlh", "UklGR", "JVBERi0x", "PHN2Zy"];

describe("what only looks like a key", () => {
  it("is never masked: hashes, ids, cursors, pictures", () => {
    const plain = fc.oneof(
      hashed.map((hash) => hash.digest("hex")),
      hashed.map((hash) => hash.digest("base64")),
      hashed.map((hash) => hash.digest("base64url")),
      hashed.map((hash) => `sha256-${hash.digest("base64")}`),
      hashed.map((hash) => `sha256:${hash.digest("hex")}`),
      fc.uuid(),
      fc.ulid(),
      fc
        .record({ k: fc.string(), page: fc.nat() })
        .map((cursor) => btoa(encodeURIComponent(JSON.stringify(cursor)))),
      fc.record({ k: fc.nat(), after: fc.uuid() }).map((cursor) => btoa(JSON.stringify(cursor))),
      fc
        .tuple(fc.constantFrom(...pictures), fc.uint8Array({ minLength: 40, maxLength: 400 }))
        .map(([head, bytes]) => `data:image/png;base64,${head}${Buffer.from(bytes).toString("base64")}`),
    );
    const texts = [
      (text: string) => text,
      (text: string) => `commit ${text} by bob`,
      (text: string) => JSON.stringify({ id: text, next_cursor: text, sha: [text] }),
      (text: string) =>
        `https://example.com/${encodeURIComponent(text)}/x?id=${encodeURIComponent(text)}#${text}`,
      (text: string) => `etag: "${text}"\nx-id: ${text}`,
    ];
    fc.assert(
      fc.property(plain, fc.constantFrom(...texts), (text, put) => {
        expect(redactor.text(put(text))).toEqual({ text: put(text), count: 0 });
      }),
      lawRuns(10_000),
    );
  });
});
