import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact-secrets.ts";

const redactor = createRedactor();
const MEGABYTE = 1 << 20;
const fill = (part: string) => part.repeat(Math.ceil(MEGABYTE / part.length));

// A text that makes a backtracking or rescanning rule take hours; a linear one needs well under a second.
const GENEROUS_MS = 5_000;

const hostile: Readonly<Record<string, string>> = {
  "half tokens of a JWT": fill("eyJ"),
  "dotted halves of a JWT": fill("eyJaaaaaaaaaaaa."),
  "one endless word behind eyJ": `eyJ${fill("a")}`,
  "secret names on end": fill("token"),
  "secret names with colons": fill("token:"),
  "secret names with equals signs": fill("password="),
  "secret names with blanks": fill("password = "),
  "escaped quotes on end": fill('password=\\"'),
  "open quotes": fill("password: '\""),
  "backslashes behind a quote": `"password":"${fill("\\")}`,
  "headers of private keys": fill("-----BEGIN PRIVATE KEY-----"),
  "headers of private keys with brackets": fill("-----BEGIN PRIVATE KEY-----{"),
  "a private key header and blanks": `-----BEGIN PRIVATE KEY-----${fill(" ")}`,
  "a private key without end": `-----BEGIN PRIVATE KEY-----${fill("MIIEvQIBADANBgkq\n")}`,
  dashes: fill("-"),
  "URL starts": fill("://a:"),
  "URL starts with at signs": fill("://a:b/@"),
  "a URL without end": `http://a:${fill("b")}`,
  "cookies without values": fill("cookie:"),
  "cookies with quotes": fill("cookie:'"),
  authorizations: fill("authorization:"),
  "authorizations with schemes": fill("authorization: digest "),
  bearers: fill("bearer "),
  "key prefixes": fill("sk-"),
  "dotted SG": fill("SG.aaaaaaaaaaaaaaaaaaaa"),
  masks: fill("[REDACTED:TOKEN]"),
  "half masks behind a name": `password=${fill("[REDACTED:")}`,
  "names and masks": fill("password=[REDACTED:PASSWORD]"),
  "lists under a name": `"token":[${fill('"a",')}`,
  "closing brackets": `password=${fill(")")}`,
  delimiters: `password=${fill(";a")}`,
  flags: fill("--token --"),
};

describe("createRedactor on hostile text", () => {
  it.each(Object.entries(hostile))("reads a megabyte of %s in linear time", (_, text) => {
    const start = performance.now();
    redactor.text(text);
    expect(performance.now() - start).toBeLessThan(GENEROUS_MS);
  });

  it("masks a secret of sixteen megabytes", () => {
    const long = "a1".repeat(8 * MEGABYTE);
    expect(redactor.text(`password=${long}`).text).toBe("password=[REDACTED:PASSWORD]");
    expect(redactor.text(`ghp_${long}`).text).toBe("[REDACTED:GITHUB_TOKEN]");
    expect(redactor.text(`eyJ${long}.eyJ${long}.${long}`).text).toBe("[REDACTED:JWT]");
    expect(redactor.text(`"token":"${long}"`).text).toBe('"token":"[REDACTED:TOKEN]"');
  });
});
