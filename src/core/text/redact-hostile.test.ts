import { describe, expect, it } from "vitest";
import { growth } from "../../../test/arbitrary/growth.ts";
import { createRedactor } from "./redact/redact-secrets.ts";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";

const redactor = createRedactor();
const MEGABYTE = 1 << 20;
const LONG = (isFullRun ? 8 : 0.25) * MEGABYTE;
const SIZE = (isFullRun ? 16 : 4) * 1_024;
const FACTOR = 8;

type Fill = (part: string) => string;
const fillTo =
  (length: number): Fill =>
  (part) =>
    part.repeat(Math.ceil(length / part.length));

// Texts that make a backtracking or rescanning rule take hours, where a linear one needs well under a second.
const hostile = (fill: Fill): Readonly<Record<string, string>> => ({
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
  "curl lines with breaks": fill("curl \\\n -u a:"),
  "identified by quotes": fill("create identified by '"),
  "encoded logins": fill('"auth":"YTpi'),
  "unknown schemes": fill("Authorization: Odd a1b2c3 "),
  "halves of bot tokens": fill("MTA"),
  "one endless key of each kind": fill("gsk_xai-hvs.dapi"),
  "fields of a form": fill('<input type="password" '),
  "names in one endless field": `<input ${fill('name="token" ')}`,
  "logins of a .netrc file": fill("machine a login b password "),
  "escaped names": fill("\\u0070assword="),
  "percent-encoded names": fill("%70assword=%70"),
  "entities for quotes": fill("token:&quot;"),
  "halves of signatures": fill("sig=aaaaaaaa%2B"),
  ...(isFullRun
    ? {
        "curl options": `curl ${fill(" -u")}`,
        "curl lines": fill("curl -u a:"),
        "a curl line without end": `curl ${fill("a ")} -u `,
        "identified by": fill("create user identified by "),
        basics: fill("basic "),
        "basics with base64": fill("Basic YTpi"),
        "dotted halves of bot tokens": fill("MTAaaaaaaaaaaaaaaaaaaaaa.aaaaaa."),
        "colons of bot tokens": fill("1234567:AA"),
        "addresses of webhooks": fill("discord.com/api/webhooks/"),
        "endless addresses of webhooks": `webhook.office.com/webhookb2/${fill("/")}`,
        "dotted prefixes": fill(".atlasv1."),
        "fields with values": fill("<input type='password' value='"),
        "values before types": fill('<input value="x" type="password">'),
        "blanks of a .netrc file": `machine a login b password${fill(" ")}`,
        "words of a .netrc file": fill("machine password "),
        "hex digits and regions": fill(`${"a1".repeat(16)}-us`),
        "variables with defaults": fill("password=${A:-"),
        "halves of refresh tokens": fill("1//0aaaaaaaa"),
        "encoded addresses with logins": fill("%3A%2F%2Fa%3A"),
        "backslashes before escapes": fill("\\\\\\u0070"),
        "private keys in base64": fill("LS0tLS1CRUdJTiBQUklWQVRF\n"),
        "quoted private keys": fill("-----BEGIN PRIVATE KEY-----\n> "),
        constants: fill("define('password', "),
        "ends of keys": fill("aaaaaa_mmk"),
        "dotted t1": fill("t1.aaaaaaaaaaaa."),
      }
    : {}),
});
const [small, large] = [hostile(fillTo(SIZE)), hostile(fillTo(SIZE * FACTOR))];

describe("createRedactor on hostile text", () => {
  it.each(Object.keys(small))("reads %s in a time that grows no faster than the text", (name) => {
    const read = (texts: Readonly<Record<string, string>>) => () => redactor.text(texts[name] ?? "");
    // A quadratic rule would need 64 times as long for a text 8 times as long.
    expect(growth(read(small), read(large))).toBeLessThan(3 * FACTOR);
  });

  it.each([
    ["password=", "", "PASSWORD"],
    ["password: ", "", "PASSWORD"],
    ["token: '", "'", "TOKEN"],
    ['"token":"', '"', "TOKEN"],
    ["ghp_", "", "GITHUB_TOKEN"],
    ["Bearer ", "", "AUTHORIZATION"],
    ["Authorization: Digest a1=", "", "AUTHORIZATION"],
    ["Cookie: a=", "", "COOKIE"],
    ["https://bob:", "@host", "URL_PASSWORD"],
    ["-----BEGIN PRIVATE KEY-----\n", "", "PRIVATE_KEY"],
    ["-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----", "PRIVATE_KEY"],
  ])("masks megabytes between %j and %j", (before, after, label) => {
    const { text } = redactor.text(before + "a1".repeat(LONG) + after);
    expect(text).toContain(`[REDACTED:${label}]`);
    expect(text.length).toBeLessThan(100);
  });

  it("reads megabytes without a secret, as text and under a name", () => {
    const long = "A_".repeat(LONG);
    expect(redactor.text(long).count).toBe(0);
    expect(redactor.text(`eyJ${long}.${long}`).count).toBe(0);
    expect(redactor.json({ ACME_TOKEN: ` ${long}`, [long]: "x" }).count).toBe(0);
  });
});
