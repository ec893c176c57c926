import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { furtherKeys, noise, places, providerKeys } from "./planted-secrets.fixture.ts";
import { createRedactor } from "./redact/redact-secrets.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const redactor = createRedactor();
const runs = lawRuns(3_000);

const keys = Object.values({ ...providerKeys, ...furtherKeys() });
const key = fc.constantFrom(...keys);
const scraps = fc.constantFrom(
  ...'password token secret api_key authorization cookie Cookie Bearer Basic = : := => " \' ` \\ \\" \\\\\\" \n \\n \\r ; , & ( ) [ ] { } < > @ :// ://a:b@ ://u: % %3D %22 -- -'.split(
    " ",
  ),
  ...' |x|abc123|hunter2|letmein|[REDACTED:TOKEN]|[REDACTED:|]|REDACTED|----|-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----|MIIEvQIBADANBgkq|Password=a b;C=|eyJ|sk-|.|str|--token |Private-Lines: 3|two words|curl -u bob:|curl | --user a:|CREATE USER bob IDENTIFIED BY |GRANT a TO b identified by |Basic |YTpiY2Q=|"auth":"|_auth=|Authorization: Odd |a1b2c3d4|MTA|.aaaaaa.|1234567:AA|hvs.|dapi|pat|sha256~|<input type="password" |value="|>|machine a login b password |sig=|1//0|-us1|_mmk|secret_|key-|8Q~|${A:-|\\u0070assword|\\u003d|%70assword|%253D|&quot;|&#61;|ghp%5F|gh\\u0070_aaaaaaaaaaaaaaaaaaaa|\u200b|%3A%2F%2Fa%3Ab%40|define("password", "|: |\n  |> '.split(
    "|",
  ),
);
const soup = fc
  .array(
    fc.oneof({ weight: 8, arbitrary: scraps }, { weight: 1, arbitrary: key }, fc.string({ maxLength: 5 })),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(""));

const names = fc.constantFrom(
  "password",
  "apiKey",
  "note",
  "token",
  "set-cookie",
  "text",
  "__proto__x",
  "PWD",
);
const json = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    soup,
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(names, tie("node"), { maxKeys: 4 }),
  ),
})).node;

describe("redaction", () => {
  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(soup, (text) => {
        const once = redactor.text(text).text;
        expect(redactor.text(once)).toEqual({ text: once, count: 0 });
      }),
      lawRuns(20_000),
    );
    fc.assert(
      fc.property(json, (value) => {
        const once = redactor.json(value).value;
        const twice = redactor.json(once);
        expect(twice.count).toBe(0);
        expect(twice.value).toBe(once);
      }),
      runs,
    );
  });

  it("counts nothing exactly when it returns what it was given", () => {
    fc.assert(
      fc.property(soup, json, (text, value) => {
        const redacted = redactor.text(text);
        expect(redacted.count === 0).toBe(redacted.text === text);
        const { value: result, count } = redactor.json(value);
        expect(count === 0).toBe(result === value);
      }),
      runs,
    );
  });

  it("keeps JSON text parseable, with the same shape", () => {
    fc.assert(
      fc.property(json, (value) => {
        const { text } = redactor.text(JSON.stringify(value));
        expect(() => JSON.parse(text) as unknown).not.toThrow();
      }),
      lawRuns(5_000),
    );
  });

  it("keeps keys, their order and everything that is not a string", () => {
    const outline = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(outline);
      if (typeof node === "string") return "";
      if (typeof node !== "object" || node === null) return node;
      return Object.entries(node).map(([name, item]) => [name, outline(item)]);
    };
    fc.assert(
      fc.property(json, (value) => {
        expect(outline(redactor.json(value).value)).toEqual(outline(value));
      }),
      runs,
    );
  });

  it("leaves no five characters of a key, wherever it is", () => {
    const fresh = fc
      .tuple(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom(
          "ghp_",
          "sk-",
          "npm_",
          "hf_",
          "AIza",
          "sk-ant-api03-",
          "gsk_",
          "xai-",
          "hvs.",
          "figd_",
        ),
      )
      .map(([seed, prefix]) => ({ prefix, body: noise(40, undefined, seed) }));
    fc.assert(
      fc.property(fresh, fc.constantFrom(...Object.values(places)), ({ prefix, body }, put) => {
        const { text } = redactor.text(put(prefix + body));
        for (let at = 0; at + 5 <= body.length; at++) expect(text).not.toContain(body.slice(at, at + 5));
      }),
      runs,
    );
  });
});
