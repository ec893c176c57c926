import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact/redact-secrets.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const redactor = createRedactor();
const payloads = fileURLToPath(new URL("../../../../shared/data/payloads", import.meta.url));
const isRequired = process.env["WAYBILL_REQUIRE_DATA"] === "1";
const hasPayloads = existsSync(payloads);
// oxlint-disable-next-line no-console
if (!hasPayloads) console.info("skipped: no payloads in ../shared/data/payloads");

const harmless = [
  "3f2a9c01-b7de-4c55-9d3a-6a1f0c2b7e11",
  "d41d8cd98f00b204e9800998ecf8427e",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "2026-11-15T05:29:00.000Z",
  "call 5551234567 or +1 (555) 123-4567",
  "order 1002003004, invoice INV-2026-000123",
  "bob.o'neil+news@example.co.uk",
  "waybill@0.1.0-beta.3+build.7",
  "https://example.com:8080/@scope/pkg@1.2.3?a=b#c",
  "http://localhost:3000/@vite/client, http://[::1]:8080/a@b",
  "git@github.com:acme/repo.git and ssh://git@github.com:22/acme/repo",
  "token_count: 1200, tokens: 88, max_tokens=4096, tokenizer: o200k_base",
  "password reset: see /account/password, reset_password: yes",
  "The secretary wrote to the tokeniser's author.",
  "Unexpected token } in JSON at position 5",
  "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
  "Unexpected token: punc (}) and invalid token: EOF",
  "password: must be at least 8 characters",
  "password: string; token: Token; apiKey?: string | undefined",
  "const token = await login(user); this.password = input.password;",
  "client = Client(api_key=settings.API_KEY, password=password, token=get_token())",
  "token = os.environ['TOKEN'], apiKey: process.env.API_KEY, secret=${SECRET}",
  "Authorization: Bearer <token>, Authorization: Bearer ${token}, Authorization: Bearer $TOKEN",
  "Send the Authorization: Bearer header; bearer tokens expire.",
  "https://user:${PASS}@host, postgres://<user>:<password>@host, mysql://u:***@h",
  'type="password" name="token" autocomplete="current-password"',
  '{"properties":{"password":{"type":"string"},"token":{"type":"string"}},"required":["password","token"]}',
  '{"nextPageToken":"CAUQAA","progressToken":"abc-123","page_token":"eyJwYWdlIjoyfQ"}',
  '{"token":12345,"password":null,"secret":false,"api_key":""}',
  "eyJpZCI6NDIsImFmdGVyIjoiMjAyNi0wMS0wMSJ9",
  '{"dependencies":{"cookie":"^0.7.2","@octokit/auth-token":"6.0.0","jwt":"~1.2.0-beta.1"}}',
  "const token = tokens[i2++]; password: match[2], token:${createHash('sha256')}, secret: /^[a-z0-9]+$/",
  "resumption token: ${lastEventId2 || 'none'}; headers['authorization'] = value2",
  "PWD=/home/bob OLDPWD=/srv pwd: /work",
  "Cookie: none. Cookies: 3. The cookie jar: empty",
  "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
  "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
  "A file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----",
  "/sk-slovakia/this-is-a-long-slug, task-abcdefghijklmnopqrstuvwxyz, sk-learn",
  "npm_config_registry npm_lifecycle_event pypi-publish hf_hub_download AKIAH",
  "secret_name: db, token_type: Bearer, token_endpoint=https://x.example/t",
  "docker run -u 1000:1000 --user 1000:1000 app; chown -u bob:staff; sort -u a:b",
  "Issues identified by 'task_id' and identified by the scanner; identified by name",
  'Set the record identified by "id"; it is basic information, basic knowledge of Basic English',
  '{"auth":"basic","oauth":"none","auth":true} auth: required, auth=none, auth: "oauth2"',
  '{"auth":"oauth2_client_credentials","author":"Bob","authority":"city:9"}',
  "Authorization: Required for this call. Authorization: see RFC.",
  "v1.0-beta.3, v1.0-rc1, path/pattern, pathology.example, patch.1, dapidly, fc-barcelona",
  "cache/key-d41d8cd98f00b204e9800998ecf8427e.json, key-d41d8cd98f00, logo-d41d8cd98f00b204e9800998ecf8427e-us2.png",
  "12:30:45 GMT, 1234567:AABB, ratio 1:1, http://x.example:8080/AA",
  "discord.com/api/webhooks and webhook.office.com are hosts; xai-models, gsk_test, sbp_x",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ4a2V5bWF0ZXJpYWxrZXltYXRlcmlhbA bob@host",
];

describe("createRedactor on harmless text", () => {
  it.each(harmless)("leaves %s", (text) => {
    expect(redactor.text(text)).toEqual({ text, count: 0 });
    expect(redactor.json({ note: text }).count).toBe(0);
    expect(redactor.text(JSON.stringify({ note: text, also: [text] })).count).toBe(0);
  });

  it.runIf(hasPayloads || isRequired)("leaves real API answers, as text and as JSON", () => {
    const files = readdirSync(payloads).filter((file) => file.endsWith(".json"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = readFileSync(`${payloads}/${file}`, "utf8");
      const value = JSON.parse(text) as unknown;
      expect(redactor.text(text)).toEqual({ text, count: 0 });
      expect(redactor.json(value)).toEqual({ value, count: 0 });
      expect(redactor.text(JSON.stringify(JSON.stringify(value))).count).toBe(0);
    }
  });

  it("leaves ten thousand ids, dates, numbers, hashes and URLs", () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
    const hash = fc
      .tuple(
        fc.constantFrom("md5", "sha1", "sha256", "sha512"),
        fc.string(),
        fc.constantFrom("hex", "base64"),
      )
      .map(([name, text, form]) => createHash(name).update(text).digest(form));
    const plain = fc.oneof(
      fc.uuid(),
      fc.ulid(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      digits(10),
      digits(16),
      fc.tuple(digits(3), digits(3), digits(4)).map(([a, b, c]) => `+1 (${a}) ${b}-${c}`),
      hash,
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.emailAddress(),
      fc.ipV6(),
      digits(6).map((number) => `ORD-${number}`),
      fc.constantFrom(64, 300).map((size) => randomBytes(size).toString("base64")),
    );
    fc.assert(
      fc.property(plain, fc.constantFrom("id", "next_cursor", "sha", "href"), (text, key) => {
        expect(redactor.text(`${key} ${text} done`).count).toBe(0);
        expect(redactor.json({ [key]: text }).count).toBe(0);
        expect(redactor.text(JSON.stringify({ [key]: text })).count).toBe(0);
      }),
      lawRuns(10_000),
    );
  });
});
