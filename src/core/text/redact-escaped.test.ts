import { describe, expect, it } from "vitest";
import { noise, providerKeys } from "./planted-secrets.fixture.ts";
import { createRedactor } from "./redact/redact-secrets.ts";

const redactor = createRedactor();
const word = `hunter2${noise(6)}`;
const key = providerKeys["GITHUB_TOKEN ghp"] ?? "";
const behind = key.slice(4);
const escaped = (text: string) =>
  Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const lines = ["-----BEGIN RSA PRIVATE KEY-----", ...[1, 2, 3].map((row) => noise(64, undefined, row))];
const pem = [...lines, "-----END RSA PRIVATE KEY-----"].join("\n");
const wrapped = (text: string) => text.replaceAll(/.{76}/g, "$&\n    ");

const hidden: readonly (readonly [what: string, text: string, masked: string])[] = [
  ["an escaped name", `{"\\u0070assword":"${word}"}`, '{"\\u0070assword":"[REDACTED:PASSWORD]"}'],
  ["an escape inside a name", `{"pass\\u0077ord":"${word}"}`, '{"pass\\u0077ord":"[REDACTED:PASSWORD]"}'],
  ["an escaped sign", `password\\u003d${word}`, "password\\u003d[REDACTED:PASSWORD]"],
  [
    "an escape in a key",
    `{"a":"gh\\u0070_${behind}","b":"\\u00e9"}`,
    '{"a":"[REDACTED:GITHUB_TOKEN]","b":"\\u00e9"}',
  ],
  ["a key that is all escapes", `{"a":"${escaped(key)}"}`, '{"a":"[REDACTED:GITHUB_TOKEN]"}'],
  [
    "escapes in JSON in JSON",
    `{"a":"{\\"\\\\u0070assword\\":\\"${word}\\"}"}`,
    '{"a":"{\\"\\\\u0070assword\\":\\"[REDACTED:PASSWORD]\\"}"}',
  ],
  ["a percent-encoded name", `a=1&%70assword=${word}`, "a=1&%70assword=[REDACTED:PASSWORD]"],
  ["a percent-encoded key", `k=ghp%5F${behind}&b=%20`, "k=[REDACTED:GITHUB_TOKEN]&b=%20"],
  ["a sign that is encoded twice", `x=token%253D${word}`, "x=token%253D[REDACTED:TOKEN]"],
  [
    "an address in an address",
    `to=https%3A%2F%2Fbob%3A${word}%40db%2Fx`,
    "to=https%3A%2F%2Fbob%3A[REDACTED:URL_PASSWORD]%40db%2Fx",
  ],
  [
    "JSON in an attribute",
    `<a data="{&quot;token&quot;:&quot;${word}&quot;}">`,
    '<a data="{&quot;token&quot;:&quot;[REDACTED:TOKEN]&quot;}">',
  ],
  ["an entity for a sign", `password&#61;${word}`, "password&#61;[REDACTED:PASSWORD]"],
  [
    "signs of another width",
    `password：${word}\ntoken＝${word}`,
    "password：[REDACTED:PASSWORD]\ntoken＝[REDACTED:TOKEN]",
  ],
  ["a block of YAML", `password: |\n  ${word}\nport: 1`, "password: |\n  [REDACTED:PASSWORD]\nport: 1"],
  ["three quotes", `password = """${word}"""`, 'password = """[REDACTED:PASSWORD]"""'],
  ["a constant", `define('DB_PASSWORD', '${word}');`, "define('DB_PASSWORD', '[REDACTED:PASSWORD]');"],
  ["a quoted mail", `> ${pem.replaceAll("\n", "\n> ")}\nBob`, "> [REDACTED:PRIVATE_KEY]\nBob"],
  ["a page", `<p>${pem.replaceAll("\n", "<br>")}</p>`, "<p>[REDACTED:PRIVATE_KEY]</p>"],
  ["a percent-encoded private key", `k=${encodeURIComponent(pem)}&b=1`, "k=[REDACTED:PRIVATE_KEY]&b=1"],
  ["a private key in base64", `tls.key: ${btoa(pem)}\nb: 1`, "tls.key: [REDACTED:PRIVATE_KEY]\nb: 1"],
  ["a private key in wrapped base64", `    ${wrapped(btoa(pem))}\nb: 1`, "    [REDACTED:PRIVATE_KEY]\nb: 1"],
];

describe("a secret that is written otherwise", () => {
  it.each(hidden)("is masked in %s, and the rest stays as it is written", (_, text, masked) => {
    expect(redactor.text(text).text).toBe(masked);
    expect(redactor.text(masked).count).toBe(0);
  });

  it.each([
    "caf\\u00e9 \\u0041nna %41nna 100%50 &quot;token&quot; and &#39;password&#39;",
    "https://x.example/%7Ebob?next=https%3A%2F%2Fx.example%3A8080%2Fa%40b",
    "to=https%3A%2F%2Fx%2Fy&mail=bob%40x.example 👩\u200d💻 na\u00adtion co\u00adop",
    `cert: ${btoa("-----BEGIN CERTIFICATE-----\n" + noise(300))}`,
    `cert: ${btoa("-----BEGIN PUBLIC KEY-----\n" + noise(300))}`,
    "password: > 8 characters, password: | string",
  ])("leaves %s", (text) => {
    expect(redactor.text(text)).toEqual({ text, count: 0 });
  });

  // Each of these strings ends where a value of its own would begin.
  it.each([
    [['<input type="password" %3D'], 1],
    ["machine a login b password [", false],
    ["password&quot;%3D", null],
    ["'password'='", `token=${word}`],
  ])("in a string of JSON text ends with the string: %j", (...value) => {
    const { text } = redactor.text(JSON.stringify(value));
    expect(JSON.parse(text)).toHaveLength(value.length);
    expect(text).not.toContain(word);
  });

  it("is no flag of a command where the item before only begins with dashes", () => {
    const list = ["-----BEGIN PRIVATE KEY-----=Basic", "password"];
    const once = redactor.json(list).value;
    expect(redactor.json(once)).toEqual({ value: once, count: 0 });
  });

  it.each([
    [{ loc: ["body", "password"], input: word, type: "x" }, "PASSWORD"],
    [{ instancePath: "/owner/apiKey", data: word }, "API_KEY"],
    [{ path: ["owner", "token"], received: word }, "TOKEN"],
    [{ header: "Authorization", value: `Odd ${word}` }, "AUTHORIZATION"],
    [{ variable: "DB_PASSWORD", value: word }, "PASSWORD"],
    [{ args: ["run", "--api-key", word, "--port", "80"] }, "API_KEY"],
  ])("is masked by what names it in JSON: %j", (value, label) => {
    const text = JSON.stringify(redactor.json(value).value);
    expect(text).not.toContain(word);
    expect(text).toContain(`[REDACTED:${label}]`);
  });
});
